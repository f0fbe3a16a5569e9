import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';

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
    // An error of writing names no file, e.g. on a full disk.
    if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
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

/** A text file of somebody's, without the byte order mark that editors write. Throws as {@link openFile} does. */
export function readTextFile(path: string): string {
  return readWholeFile(path)
    .toString('utf8')
    .replace(/^\ufeff/, '');
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

/** Something in a folder. `link`: one that leads nowhere, or back to a folder around it; `other`: a pipe, a socket or a device. */
export interface FolderEntry {
  /** Relative to the folder, `/`-separated. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * Everything below a folder, sorted folder by folder; other links are followed. Nothing where the folder does not exist. Throws
 * the error of the file system.
 * @param folder absolute path
 */
export function* walkFolder(folder: string): Generator<FolderEntry> {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) yield* walkBelow(folder, '', []);
}

/** @param linkFolders real paths of the folders whose links lead here */
function* walkBelow(root: string, below: string, linkFolders: readonly string[]): Generator<FolderEntry> {
  for (const entry of listFolder(root, below).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const kind = entry.isSymbolicLink() ? linkedKind(join(root, path), linkFolders) : kindOf(entry);
    yield { path, kind };
    if (kind !== 'folder') continue;
    const links = entry.isSymbolicLink() ? [...linkFolders, realpathSync(join(root, below))] : linkFolders;
    yield* walkBelow(root, path, links);
  }
}

/** Nothing where a folder was removed meanwhile, or has a name that is not UTF-8, which leads nowhere. */
function listFolder(root: string, below: string): Dirent[] {
  try {
    return readdirSync(join(root, below), { withFileTypes: true });
  } catch (error) {
    if (below !== '' && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function kindOf(entry: Pick<Dirent, 'isDirectory' | 'isFile'>): FolderEntry['kind'] {
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}

function linkedKind(path: string, before: readonly string[]): FolderEntry['kind'] {
  try {
    const target = realpathSync(path);
    const kind = kindOf(statSync(target));
    const around = [...before, realpathSync(dirname(path))];
    const inTarget = target.endsWith(sep) ? target : `${target}${sep}`;
    const isCircle = kind === 'folder' && around.some((folder) => `${folder}${sep}`.startsWith(inTarget));
    return isCircle ? 'link' : kind;
  } catch {
    return 'link';
  }
}
