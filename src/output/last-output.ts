import { createBlockBuffer } from './block-buffer.ts';
import type { SettledTree } from './settle-tree.ts';
import type { WrittenFiles } from './written-files.ts';

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
  /** Every path of the output. */
  paths(): Iterable<string>;
}

/** The file that marks a folder as written by Lectern; it names the hashes of the feed and when it was built. */
export const outputMarker = 'feed/manifest.json';

/** First line. Compressed copies are known by their original, so what compresses them is named here. */
const tableHead = ['files', process.versions.zlib, process.versions.brotli].join('\t');

/** Fewest bytes of a file's line: a path of one, a hash, a size, a time, an inode, what separates them. */
const leastLineBytes = 1 + 64 + 1 + 1 + 1 + 5;

const tab = 9;
const newline = 10;
/** UTF-8 bytes of a UTF-16 unit, at most. */
const bytesPerUnit = 3;

/**
 * Reads the files of an output as {@link formatFileTable} wrote them; `null` where compressed copies were made by another
 * version. Finds lines by path through a table of their offsets, so that a large table is no large heap.
 */
export function parseFileTable(record: Buffer): LastOutput | null {
  if (record.toString('latin1', 0, record.indexOf('\n')) !== tableHead) return null;
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
  for (let at = first; at < record.length; at = record.indexOf('\n', at) + 1) {
    offsets[slotOf(record.toString('utf8', at, record.indexOf('\t', at)))] = at;
  }
  return {
    *paths() {
      for (let at = first; at < record.length; at = record.indexOf('\n', at) + 1) {
        yield record.toString('utf8', at, record.indexOf('\t', at));
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

/**
 * The files of an output in one block: a line per file with path, SHA-256, bytes, time of change and inode, between tabs.
 * @param files sorted by path, as the run wrote them
 */
export function formatFileTable(
  files: WrittenFiles,
  { times, inodes }: Pick<SettledTree, 'times' | 'inodes'>,
): Uint8Array {
  const blocks: Uint8Array[] = [];
  const buffer = createBlockBuffer((block) => blocks.push(Buffer.from(block)));
  buffer.add(`${tableHead}\n`);
  let index = -1;
  for (const { path, sha256, bytes } of files) {
    index += 1;
    const mtimeMs = times[index] ?? Number.NaN;
    if (Number.isNaN(mtimeMs) || /[\t\n]/.test(path)) continue;
    buffer.add(`${path}\t${sha256}\t${bytes}\t${mtimeMs}\t${inodes[index]}\n`);
  }
  buffer.flush();
  return Buffer.concat(blocks);
}

function hashOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum ^ (sum >>> 15);
}
