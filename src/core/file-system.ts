import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { orNull } from './errors.ts';
import { parseJsonOrNull } from './unknown-record.ts';

/** Version of this program, from its package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/**
 * Replaces a file atomically: writes a temporary file next to it and renames that. So readers, and a run after a kill, see either the old
 * or the new content. Throws the error of the file system and then leaves nothing behind.
 * @param parts the content, in order
 * @param options `mode`: rights of the file, which the umask reduces; `flush`: neither content is lost in a power cut, which takes some
 * milliseconds
 */
export function writeFileAtomically(
  path: string,
  parts: Iterable<string | Uint8Array>,
  { mode = 0o666, flush = false } = {},
): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    closeAfter(openSync(partial, 'w', mode), (descriptor) => {
      for (const part of parts) writeAll(descriptor, typeof part === 'string' ? Buffer.from(part) : part);
      if (flush) fsyncSync(descriptor);
    });
    renameOver(partial, path);
  } catch (error) {
    removeQuietly(partial);
    // An error of writing names no file, e.g. on a full disk.
    if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}

/** Renames a file and replaces the target, even a folder, which a plain rename cannot do. */
export function renameOver(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}

/** Writes all bytes; a single call may write only some of them. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Removes a file that is no longer needed, if it exists; a failure does no harm. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}

/**
 * Creates a folder and its missing parents; `path` is absolute, `mode` that of each created folder. Throws the error of the file system.
 * Replaces `mkdir(…, { recursive: true })`, which loops forever in Node 20 if a file system returns ENOENT although the parent exists (as
 * `/proc` does).
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error;
  }
}

/** Whether a folder exists at a path, also by a link. */
export function isFolder(path: string): boolean {
  return orNull(() => statSync(path).isDirectory()) ?? false;
}

/** Flags for reading without blocking: opening a pipe would otherwise wait until someone writes to it. */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Largest file that is read whole unless the caller says otherwise, in bytes. The largest are the index of a snapshot, and the files of a feed.
 */
const maxFileBytes = 2 ** 30;

/**
 * Opens a file for reading. Throws the error of the file system, also for a folder, pipe or device: reading those may never end, and a signal
 * is not noticed meanwhile. All files that are not the program's own are opened here or by `openInside`, which also keeps within a folder.
 */
export function openFile(path: string): number {
  const descriptor = openSync(path, readFlags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw notRegular(path);
}

/** The error for a folder, pipe, socket or device, in the form of those of the file system. */
export function notRegular(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), {
    code: 'ENOTSUP',
    syscall: 'open',
    path,
  });
}

/** The content of a file; `null` if it cannot be read, or is a folder, pipe or device. */
export function readFileOrNull(path: string): Buffer | null {
  return orNull(() => readWholeFile(path));
}

/** The value of a JSON file; `null` if it cannot be read, or is not JSON. */
export function readJsonOrNull(path: string): unknown {
  const bytes = readFileOrNull(path);
  return bytes === null ? null : parseJsonOrNull(decodeText(bytes));
}

/** UTF-8 as text, without a byte order mark. */
export function decodeText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** The text of a user's file. Throws as {@link openFile}, {@link readOpened} and {@link decodeUserText} do. */
export function readTextFile(path: string): string {
  return decodeUserText(readWholeFile(path), path);
}

/**
 * The text of a file without the byte order mark that editors write. Throws an `Error` with a sentence for its author, in the form of those of
 * the file system, if it is not UTF-8: its letters would be lost.
 */
export function decodeUserText(bytes: Buffer, path: string): string {
  // UTF-16 begins with a byte order mark; without one, a byte of its first character, which is a letter or hyphen, is zero.
  const isUtf16 = /^(?:fffe|feff|00|..00)/.test(bytes.toString('hex', 0, 2));
  try {
    if (!isUtf16) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The error below says it.
  }
  throw Object.assign(new Error(`the file is ${isUtf16 ? 'UTF-16' : 'not UTF-8'}; save it as UTF-8`), {
    code: 'EILSEQ',
    syscall: 'read',
    path,
  });
}

/** The content of a file. Throws as {@link openFile} and {@link readOpened} do. */
export function readWholeFile(path: string): Buffer {
  return closeAfter(openFile(path), (descriptor) => readOpened(descriptor));
}

/** What `act` makes of an open file, which is closed then. */
export function closeAfter<T>(descriptor: number, act: (descriptor: number) => T): T {
  try {
    return act(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * All bytes of an open file. Replaces `readFileSync(descriptor)`, which fails for files of packages under Yarn Plug'n'Play: they are in archives.
 * Throws an `Error` with the code EFBIG if the file is larger than `maxBytes`.
 */
export function readOpened(descriptor: number, maxBytes = maxFileBytes): Buffer {
  const { size } = fstatSync(descriptor);
  const bytes = size > maxBytes ? null : readStart(descriptor, maxBytes + 1);
  if (bytes !== null && bytes.length <= maxBytes) return bytes;
  const found = Math.max(size, bytes?.length ?? 0);
  throw Object.assign(new Error(`the file has ${found} bytes; the limit is ${maxBytes}`), { code: 'EFBIG' });
}

/** At most the first `length` bytes of an open file. */
export function readStart(descriptor: number, length: number): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size + 1, length));
  let at = 0;
  for (;;) {
    const added = at === length ? 0 : readSync(descriptor, bytes, at, bytes.length - at, null);
    if (added === 0) return bytes.subarray(0, at);
    at += added;
    // The file has grown, or is one of `/proc`, which have no size.
    if (at === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(Math.min(at, length - at))]);
  }
}

/** At most the first `length` bytes of a file; `null` if it cannot be read, or is a folder, pipe or device. */
export function readStartOrNull(path: string, length: number): Buffer | null {
  return orNull(() => closeAfter(openFile(path), (descriptor) => readStart(descriptor, length)));
}

/** Reads the bytes of a range of a file, fewer at its end; into a buffer, if one is given, or a new one. */
export type ReadRange = (start: number, end: number, into?: Buffer) => Buffer;

const closing = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

/**
 * Keeps a file open to read ranges of it, also after it was deleted or replaced. It is closed when nobody has the function any longer.
 * @param descriptor of the file, or its path. Throws as {@link openFile} does
 */
export function openRanges(file: string | number): ReadRange {
  const descriptor = typeof file === 'number' ? file : openFile(file);
  const read: ReadRange = (start, end, bytes = Buffer.allocUnsafe(end - start)) => {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, end - start, start));
  };
  closing.register(read, descriptor);
  return read;
}

/** SHA-256 of a file of any size, hex, read in blocks. Throws as {@link openFile} does. */
export function hashFile(path: string): string {
  return closeAfter(openFile(path), (descriptor) => hashOpened(descriptor));
}

/** SHA-256 of an open file, hex. @param see called with each block, which is valid only during the call */
export function hashOpened(descriptor: number, see: (block: Uint8Array) => void = () => {}): string {
  const digest = createHash('sha256');
  const block = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size + 1, 1024 * 1024));
  for (let bytes = readSync(descriptor, block); bytes > 0; bytes = readSync(descriptor, block)) {
    digest.update(block.subarray(0, bytes));
    see(block.subarray(0, bytes));
  }
  return digest.digest('hex');
}
