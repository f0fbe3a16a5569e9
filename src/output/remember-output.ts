import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync } from 'node:fs';
import { createBlockBuffer } from './block-buffer.ts';
import { recordHead } from './last-output.ts';
import { removeQuietly } from './remove-quietly.ts';
import type { SettledTree } from './settle-tree.ts';
import { writeAll } from './write-all.ts';
import type { WrittenFiles } from './written-files.ts';

/**
 * Remembers the files of an output that was just swapped in, for `readLastOutput`. A record that cannot be written only
 * costs the next run its time.
 * @param record the file to write; its folder must exist
 * @param files sorted by path, as the run wrote them
 * @param gone paths that only the output before had
 */
export function rememberOutput(
  record: string,
  files: WrittenFiles,
  { times, inodes }: Pick<SettledTree, 'times' | 'inodes'>,
  gone: Iterable<string>,
): void {
  const partial = `${record}.${process.pid}.partial`;
  try {
    writeRecord(partial, function* lines() {
      let index = -1;
      for (const { path, sha256, bytes } of files) {
        index += 1;
        const mtimeMs = times[index] ?? Number.NaN;
        if (Number.isNaN(mtimeMs) || /[\t\n]/.test(path)) continue;
        yield `${path}\t${sha256}\t${bytes}\t${mtimeMs}\t${inodes[index]}\n`;
      }
      for (const path of gone) yield `\t${path}\n`;
    });
    renameSync(partial, record);
  } catch {
    removeQuietly(partial);
  }
}

function writeRecord(file: string, lines: () => Iterable<string>): void {
  const descriptor = openSync(file, 'w');
  try {
    const digest = createHash('sha256');
    const buffer = createBlockBuffer((block) => {
      digest.update(block);
      writeAll(descriptor, block);
    });
    buffer.add(`${recordHead}\n`);
    for (const line of lines()) buffer.add(line);
    buffer.flush();
    writeAll(descriptor, Buffer.from(`\t${digest.digest('hex')}\n`));
  } finally {
    closeSync(descriptor);
  }
}
