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
import { LecternError } from '../foundation/errors.ts';

/** Status of what is at a path, links not followed; `null`: nothing is there, or a parent is not a folder. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Names in a folder; empty if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Gives a file a second name, or copies it where the disk has no hard links. Throws EEXIST where `to` exists.
 * @returns whether it is a link
 */
export function linkOrCopy(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return false;
  }
}

/** As many as Linux follows. */
const mostLinks = 40;

/**
 * The real path of an output: a link is not replaced by a folder, but followed, since a web server may serve what it
 * leads to. What it leads to need not exist.
 * @param path absolute
 */
export function followLink(path: string): string {
  let found = path;
  for (let links = 0; links < mostLinks; links++) {
    try {
      const next = readlinkSync(found);
      found = resolve(realpathSync(dirname(found)), next);
    } catch {
      return found;
    }
  }
  return path;
}

/** The error for an output that cannot be written; other errors than those of the file system are bugs. */
export function outputFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || error instanceof LecternError) return error;
  return new LecternError('OUTPUT_UNWRITABLE', `the output cannot be written beside ${folder} (${code})`, {
    hint: 'free some space, or choose a folder with --out whose parent is writable; the previous output is unchanged',
    cause: error,
  });
}
