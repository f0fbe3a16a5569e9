import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { createBlockBuffer } from './block-buffer.ts';
import { describeAndStamp, type FolderStamp } from './folder-stamp.ts';
import { recordHead } from './last-output.ts';
import type { WrittenFile } from './output.ts';
import { writeAll } from './write-all.ts';

/**
 * Remembers the files of an output that was just swapped in, for `readLastOutput`. A record that cannot be written only
 * costs the next run its time.
 * @param out absolute path of the output folder
 * @param record the file to write; its folder must exist
 * @param files sorted by path, as the run wrote them
 * @returns what `describeFolder` says of the output by size and time, and a stamp of it
 */
export function rememberOutput(
  out: string,
  record: string,
  files: readonly WrittenFile[],
): {
  readonly description: string | null;
  readonly stamp: FolderStamp | null;
} {
  const places = new Map(files.map(({ path }, index) => [path, index]));
  const times = new Float64Array(files.length).fill(Number.NaN);
  const described = describeAndStamp(out, (path, { size, mtimeMs }) => {
    const index = places.get(path);
    if (index !== undefined && files[index]?.bytes === size) times[index] = mtimeMs;
  });
  const partial = `${record}.${process.pid}.partial`;
  try {
    writeRecord(partial, files, times);
    renameSync(partial, record);
  } catch {
    rmSync(partial, { force: true });
  }
  return described;
}

function writeRecord(file: string, files: readonly WrittenFile[], times: Float64Array): void {
  const descriptor = openSync(file, 'w');
  try {
    const digest = createHash('sha256');
    const buffer = createBlockBuffer((block) => {
      digest.update(block);
      writeAll(descriptor, block);
    });
    buffer.add(`${recordHead}\n`);
    for (const [index, { path, sha256, bytes }] of files.entries()) {
      const mtimeMs = times[index] ?? Number.NaN;
      if (Number.isNaN(mtimeMs) || /[\t\n]/.test(path)) continue;
      buffer.add(`${path}\t${sha256}\t${bytes}\t${mtimeMs}\n`);
    }
    buffer.flush();
    writeAll(descriptor, Buffer.from(`\t${digest.digest('hex')}\n`));
  } finally {
    closeSync(descriptor);
  }
}
