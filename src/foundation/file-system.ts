import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically: writes a temporary file beside it and renames that, so that readers, and a run after a kill,
 * see all of the old content or all of the new. Throws the error of the file system; nothing is left behind then.
 * @param parts what the file is to hold, one after the other
 */
export function writeFileAtomically(path: string, parts: Iterable<string | Uint8Array>): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    const descriptor = openSync(partial, 'w');
    try {
      for (const part of parts) writeAll(descriptor, typeof part === 'string' ? Buffer.from(part) : part);
    } finally {
      closeSync(descriptor);
    }
    renameOver(partial, path);
  } catch (error) {
    removeQuietly(partial);
    throw error;
  }
}

/** Renames a file over whatever has the other name, even a folder, which a plain rename does not replace. */
export function renameOver(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}

/** Writes every byte; one call may take only a part of them. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Removes a file that is of no more use, if it is there; one that cannot be removed does no harm. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}

/**
 * Makes a folder and those above it that are missing; `path` is absolute, `mode` that of each one made. Throws the error of
 * the file system. Not `mkdir(…, { recursive: true })`: where a file system says ENOENT though the folder above is there
 * (as `/proc` does), Node 20 tries for ever.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Flags that open for reading without waiting: opening a pipe would else last until somebody writes to it. */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a file for reading. Throws the error of the file system; also for a folder, a pipe or a device. */
export function openFile(path: string): number {
  const descriptor = openSync(path, readFlags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${path} is not a file`), { code: 'ENOTSUP' });
}

/** The content of a file; `null` where it cannot be read. */
export function readFileOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** The content of a file. Throws as {@link openFile} does. */
export function readWholeFile(path: string): Buffer {
  const descriptor = openFile(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
