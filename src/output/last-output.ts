import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a run knew of a file of its output when it ended. */
export interface RecordedFile {
  /** SHA-256, hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** The files of an output as the run that wrote it left them. */
export interface LastOutput {
  /** @param path relative to the output folder, `/`-separated */
  find(path: string): RecordedFile | null;
}

/** The file that marks a folder as written by Lectern; it names the hashes of the feed and when it was built. */
export const outputMarker = 'feed/manifest.json';

/** First line of a record. Compressed copies are known by their original, so what compresses them stands here. */
export const recordHead = ['lectern-last-output', 1, process.versions.zlib, process.versions.brotli].join(
  '\t',
);

/** Fewest bytes of a line: a path of one, a hash, a size, a time, what separates them. */
const leastLineBytes = 1 + 64 + 1 + 1 + 4;

/** The last line: a tab, the SHA-256 of everything before it, the line end. */
const checkBytes = 1 + 64 + 1;

/**
 * Reads what the last run remembered of its output. `null` when there is no record, or when it is damaged, of another
 * version, or of another output than the one in the folder.
 * @param file the record, one line per file: path, SHA-256, bytes and time of change, between tabs
 * @param out absolute path of the output folder
 */
export function readLastOutput(file: string, out: string): LastOutput | null {
  try {
    const record = readFileSync(file);
    const end = Math.max(0, record.length - checkBytes);
    const content = record.subarray(0, end);
    if (record.toString('latin1', end) !== `\t${hash('sha256', content)}\n`) return null;
    if (content.toString('latin1', 0, content.indexOf('\n')) !== recordHead) return null;
    const last = indexRecord(content);
    const marker = hash('sha256', readFileSync(join(out, outputMarker)));
    return last.find(outputMarker)?.sha256 === marker ? last : null;
  } catch {
    return null;
  }
}

/** Finds lines by path through a table of their offsets, so that a large record is no large heap. */
function indexRecord(record: Buffer): LastOutput {
  const mask = 2 ** Math.ceil(Math.log2((2 * record.length) / leastLineBytes)) - 1;
  const offsets = new Uint32Array(mask + 1);
  const lineAt = (offset: number): string => record.toString('utf8', offset, record.indexOf('\n', offset));
  const slotOf = (path: string): number => {
    let slot = hashOf(path) & mask;
    // The head stands at 0, so no file does.
    for (; offsets[slot]; slot = (slot + 1) & mask) {
      if (lineAt(offsets[slot] ?? 0).startsWith(`${path}\t`)) break;
    }
    return slot;
  };
  for (let at = record.indexOf('\n') + 1; at < record.length; at = record.indexOf('\n', at) + 1) {
    offsets[slotOf(record.toString('utf8', at, record.indexOf('\t', at)))] = at;
  }
  return {
    find(path) {
      const offset = offsets[slotOf(path)];
      if (!offset) return null;
      const [, sha256 = '', bytes, mtimeMs] = lineAt(offset).split('\t');
      return { sha256, bytes: Number(bytes), mtimeMs: Number(mtimeMs) };
    },
  };
}

function hashOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum ^ (sum >>> 15);
}
