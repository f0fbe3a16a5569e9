import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { once } from '../foundation/concurrency.ts';
import { splitLines } from './blocks.ts';
import type { WrittenFile } from './output.ts';

/** Record of a file of the output. */
export interface RecordedFile {
  /** SHA-256 in hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Inode number. */
  readonly inode: number;
}

/** An output as the run that wrote it left it. */
export interface LastOutput {
  /** @param path relative to the output folder, `/`-separated */
  find(path: string): RecordedFile | null;
  /** Every path of the output. */
  paths(): Iterable<string>;
  files(): Iterable<readonly [path: string, file: RecordedFile]>;
  /** Every folder, `''` for the output itself. */
  folders(): Iterable<readonly [path: string, mtimeMs: number]>;
}

/** The file that marks a folder as written by Lectern. It contains the hashes of the feed and the build time. */
export const outputMarker = 'feed/manifest.json';

/** First line. It names the compression libraries, because compressed copies are recorded only by the hash of their original. */
const tableHead = ['files', process.versions.zlib, process.versions.brotli].join('\t');

/** Minimum bytes of a line: a one-byte path, a hash, a size, a time, an inode, and separators. */
const leastLineBytes = 1 + 64 + 1 + 1 + 1 + 5;

const tab = 9;
const newline = 10;
/** Largest number of UTF-8 bytes per UTF-16 unit. */
const bytesPerUnit = 3;
/** UTF-16 units per block of a table. */
const blockLength = 16 * 1024;

/**
 * Reads an output described by {@link formatFileTable}; `null` if another version made the compressed copies. Only `find` keeps the table
 * in memory, from its first call on, with the offsets of all lines.
 * @param table can be read several times; each block is valid only until the next one is requested
 */
export function parseFileTable(table: Iterable<Uint8Array>): LastOutput | null {
  for (const line of splitLines(table)) {
    if (String(viewOf(line)) !== tableHead) return null;
    break;
  }
  const find = once(() => {
    const record = joinBlocks(table);
    return createFinder(record, record.indexOf(newline) + 1, record.indexOf('\n\n') + 1);
  });
  /** @param wanted 0: lines of files, 1: lines of folders */
  function* lines(wanted: 0 | 1): Generator<readonly [path: string, line: Buffer, rest: number]> {
    let part = -1;
    for (const bytes of splitLines(table)) {
      // The head and an empty line come before a part.
      if (part < 0 || bytes.length === 0) part += 1;
      else if (part > wanted) return;
      else if (part === wanted) {
        const line = viewOf(bytes);
        const end = line.indexOf(tab);
        yield [decodePathField(line.toString('utf8', 0, end)), line, end + 1];
      }
    }
  }
  return {
    find: (path) => find()(path),
    *paths() {
      for (const [path] of lines(0)) yield path;
    },
    *files() {
      for (const [path, line, start] of lines(0)) yield [path, parseFile(line, start, line.length)];
    },
    *folders() {
      for (const [path, line, start] of lines(1)) yield [path, Number(line.toString('latin1', start))];
    },
  };
}

/** All bytes of a table. Reads it twice: a list of its blocks would need as much memory again. */
function joinBlocks(table: Iterable<Uint8Array>): Buffer {
  let length = 0;
  for (const block of table) length += block.length;
  const bytes = Buffer.allocUnsafeSlow(length);
  let used = 0;
  for (const block of table) {
    bytes.set(block, used);
    used += block.length;
  }
  return bytes;
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Creates the look-up of files by path in the lines from `first` to `end`. */
function createFinder(record: Buffer, first: number, end: number): LastOutput['find'] {
  const mask = 2 ** Math.ceil(Math.log2((2 * (end - first + leastLineBytes)) / leastLineBytes)) - 1;
  const offsets = new Uint32Array(mask + 1);
  let asked = Buffer.alloc(256);
  /** Length in bytes of the path that was looked up last. */
  let length = 0;
  const slotOf = (path: string): number => {
    if (path.length * bytesPerUnit > asked.length) asked = Buffer.alloc(2 * path.length * bytesPerUnit);
    length = asked.write(path);
    let slot = hashOf(path) & mask;
    // 0 marks a free slot: the head is at offset 0, so no file is.
    for (let at = offsets[slot]; at; slot = (slot + 1) & mask, at = offsets[slot]) {
      if (record[at + length] === tab && record.compare(asked, 0, length, at, at + length) === 0) break;
    }
    return slot;
  };
  for (let at = first; at < end; at = record.indexOf(newline, at) + 1) {
    offsets[slotOf(record.toString('utf8', at, record.indexOf(tab, at)))] = at;
  }
  return (path) => {
    const offset = offsets[slotOf(encodePathField(path))];
    if (!offset) return null;
    const start = offset + length + 1;
    return parseFile(record, start, record.indexOf(newline, start));
  };
}

function parseFile(record: Buffer, start: number, end: number): RecordedFile {
  const [sha256 = '', bytes, mtimeMs, inode] = record.toString('latin1', start, end).split('\t');
  return { sha256, bytes: Number(bytes), mtimeMs: Number(mtimeMs), inode: Number(inode) };
}

/**
 * An output as one text, in blocks, each of which is valid only until the next one is requested: one line per file with path, SHA-256,
 * bytes, modification time and inode, separated by tabs; an empty line; one line per folder with path and modification time.
 */
export function* formatFileTable(
  files: Iterable<readonly [path: string, file: RecordedFile]>,
  folders: Iterable<readonly [path: string, mtimeMs: number]>,
): Generator<Uint8Array> {
  let block = Buffer.allocUnsafeSlow(2 * blockLength);
  let text = `${tableHead}\n`;
  const take = (): Uint8Array => {
    if (text.length * bytesPerUnit > block.length) block = Buffer.allocUnsafeSlow(text.length * bytesPerUnit);
    const bytes = block.subarray(0, block.write(text));
    text = '';
    return bytes;
  };
  for (const [path, { sha256, bytes, mtimeMs, inode }] of files) {
    text += `${encodePathField(path)}\t${sha256}\t${bytes}\t${mtimeMs}\t${inode}\n`;
    if (text.length >= blockLength) yield take();
  }
  text += '\n';
  for (const [path, mtimeMs] of folders) {
    text += `${encodePathField(path)}\t${mtimeMs}\n`;
    if (text.length >= blockLength) yield take();
  }
  yield take();
}

/** A path as a field. A path that would break the line, or that starts like JSON, is written as JSON. */
export function encodePathField(path: string): string {
  return /^"|[\t\n]/.test(path) ? JSON.stringify(path) : path;
}

/** Reverses {@link encodePathField}. */
export function decodePathField(field: string): string {
  return field.startsWith('"') ? (JSON.parse(field) as string) : field;
}

function hashOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum ^ (sum >>> 15);
}

/** Differences between an output and the one it replaces: paths relative to the output folder, `/`-separated, sorted. */
interface ChangedFiles {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Compares the files of a new output with the folder it will replace, by content.
 * @param folder absolute path of the current output; it need not exist
 * @param files sorted by path
 * @param isKept whether a path is a user's file, which the new output preserves
 */
export async function compareFiles(
  folder: string,
  files: Iterable<WrittenFile>,
  isKept: (path: string) => boolean = () => false,
): Promise<ChangedFiles> {
  const added: string[] = [];
  const changed: string[] = [];
  const removed: string[] = [];
  const previous = listFiles(folder, '', isKept);
  let before = previous.next();
  for (const { path, sha256 } of files) {
    for (; !before.done && before.value < path; before = previous.next()) removed.push(before.value);
    if (before.done || before.value !== path) added.push(path);
    else {
      if ((await hashFile(join(folder, path))) !== sha256) changed.push(path);
      before = previous.next();
    }
  }
  for (; !before.done; before = previous.next()) removed.push(before.value);
  return { added, changed, removed };
}

/** Paths of the files below a folder, sorted. @param below `''`, or the path of a folder with a slash at its end */
function* listFiles(root: string, below: string, isKept: (path: string) => boolean): Generator<string> {
  // With the slash that its files have in their paths, a folder is where they belong in the order.
  const names = foldersAndFiles(join(root, below)).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  for (const name of names.sort()) {
    const path = `${below}${name}`;
    if (name.endsWith('/')) yield* listFiles(root, path, isKept);
    else if (!isKept(path)) yield path;
  }
}

function foldersAndFiles(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() || entry.isFile());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}
