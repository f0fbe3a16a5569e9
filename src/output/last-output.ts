import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a run knew of a file of its output when it ended. */
export interface RecordedFile {
  /** SHA-256, hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Number of the file on its disk. */
  readonly inode: number;
}

/** The files of an output as the run that wrote it left them. */
export interface LastOutput {
  /** @param path relative to the output folder, `/`-separated */
  find(path: string): RecordedFile | null;
  /** Every path of the output, and those that only the output before it had. */
  paths(): Iterable<string>;
}

/** The file that marks a folder as written by Lectern; it names the hashes of the feed and when it was built. */
export const outputMarker = 'feed/manifest.json';

/** First line of a record. Compressed copies are known by their original, so what compresses them stands here. */
export const recordHead = ['lectern-last-output', 2, process.versions.zlib, process.versions.brotli].join(
  '\t',
);

/** Fewest bytes of a file's line: a path of one, a hash, a size, a time, an inode, what separates them. */
const leastLineBytes = 1 + 64 + 1 + 1 + 1 + 5;

const tab = 9;
const newline = 10;
/** UTF-8 bytes of a UTF-16 unit, at most. */
const bytesPerUnit = 3;

/** The last line: a tab, the SHA-256 of everything before it, the line end. */
const checkBytes = 1 + 64 + 1;

/**
 * Reads what the last run remembered of its output. `null` when there is no record, or when it is damaged, of another
 * version, or of another output than the one in the folder.
 * @param file the record, one line per file: path, SHA-256, bytes, time of change and inode, between tabs; then one per
 * file that is gone: a tab, its path
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
  let asked = Buffer.alloc(256);
  /** Bytes of the path asked for last. */
  let length = 0;
  const slotOf = (path: string): number => {
    if (path.length * bytesPerUnit > asked.length) asked = Buffer.alloc(2 * path.length * bytesPerUnit);
    length = asked.write(path);
    let slot = hashOf(path) & mask;
    // The head stands at 0, so no file does.
    for (let at = offsets[slot]; at; slot = (slot + 1) & mask, at = offsets[slot]) {
      if (record[at + length] === tab && record.compare(asked, 0, length, at, at + length) === 0) break;
    }
    return slot;
  };
  const first = record.indexOf('\n') + 1;
  let gone = first;
  for (; gone < record.length && record[gone] !== tab; gone = record.indexOf('\n', gone) + 1) {
    offsets[slotOf(record.toString('utf8', gone, record.indexOf('\t', gone)))] = gone;
  }
  return {
    *paths() {
      for (let at = first; at < record.length; at = record.indexOf('\n', at) + 1) {
        const end = at < gone ? record.indexOf('\t', at) : record.indexOf('\n', at);
        yield record.toString('utf8', at < gone ? at : at + 1, end);
      }
    },
    find(path) {
      const offset = offsets[slotOf(path)];
      if (!offset) return null;
      const start = offset + length + 1;
      const line = record.toString('latin1', start, record.indexOf(newline, start));
      const [sha256 = '', bytes, mtimeMs, inode] = line.split('\t');
      return { sha256, bytes: Number(bytes), mtimeMs: Number(mtimeMs), inode: Number(inode) };
    },
  };
}

function hashOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum ^ (sum >>> 15);
}
