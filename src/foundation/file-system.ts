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

/** Version of this program, from its package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/**
 * Replaces a file atomically: writes a temporary file next to it and renames that. So readers, and a run after a kill, see either the old
 * or the new content. Throws the error of the file system and then leaves nothing behind.
 * @param parts the content, in order
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

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Flags for reading without blocking: opening a pipe would otherwise wait until someone writes to it. */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a file for reading. Throws the error of the file system, also for a folder, pipe or device. */
export function openFile(path: string): number {
  const descriptor = openSync(path, readFlags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${path} is not a file`), { code: 'ENOTSUP' });
}

/** The content of a file; `null` if it cannot be read. */
export function readFileOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** The text of a user's file, without the byte order mark that editors write. Throws as {@link openFile} does. */
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

/** An entry of a folder. `link`: a link that is broken or leads to a parent folder; `other`: a pipe, socket or device. */
export interface FolderEntry {
  /** Relative to the folder, `/`-separated. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * All entries of a folder, recursively, sorted folder by folder; follows other links. Empty if the folder does not exist. Throws the error
 * of the file system.
 * @param folder absolute path
 */
export function* walkFolder(folder: string): Generator<FolderEntry> {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) yield* walkBelow(folder, '', []);
}

/** @param linkFolders real paths of the parent folders, including those reached through links */
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

/** Empty if a folder was removed meanwhile, or its name is not valid UTF-8 and it therefore cannot be opened. */
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
