import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LecternError, orNull } from '../core/errors.ts';

/** Status of a path without following links; `null` if nothing exists there, or a parent is not a folder. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** The folder of a file or folder, relative and `/`-separated; `''` is the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folders of files with the root, each after the one that it is in. */
export function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set(['']);
  const add = (folder: string): void => {
    if (folders.has(folder)) return;
    add(parentOf(folder));
    folders.add(folder);
  };
  for (const path of paths) add(parentOf(path));
  return folders;
}

/** Names in a folder; empty if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  return orNull(() => readdirSync(folder)) ?? [];
}

/** Creates a hard link to a file, or a copy if the disk has no hard links. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** The limit of Linux. */
const maxLinks = 40;

/**
 * The real path of an output. A symbolic link is followed and never replaced by a folder, because a web server may serve its target. The
 * target need not exist.
 * @param path absolute
 */
export function followLink(path: string): string {
  let found = path;
  for (let links = 0; links < maxLinks; links++) {
    try {
      const next = readlinkSync(found);
      found = resolve(realpathSync(dirname(found)), next);
    } catch {
      return found;
    }
  }
  return path;
}

/** The error for an output that cannot be written. Errors that do not come from the file system are bugs and are returned unchanged. */
export function outputFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || error instanceof LecternError) return error;
  return new LecternError('OUTPUT_UNWRITABLE', `the output cannot be written beside ${folder} (${code})`, {
    hint: 'free some space, or choose a folder with --out whose parent is writable; the previous output is unchanged',
    cause: error,
  });
}
