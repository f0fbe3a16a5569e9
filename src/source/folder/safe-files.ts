import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { decodeUserText } from '../../core/file-system.ts';
import { isPublishedSite, readFileIn } from '../../core/user-folder.ts';
import { isGeneratorName } from './generators.ts';

/** Files below a folder, by path relative to the root, `/`-separated. */
export interface ScannedFiles {
  /**
   * Path → a stamp that changes whenever the file is written: inode, size, time of modification and, at its end, time of change in milliseconds
   * since 1970. Programs cannot set the last one. Sorted.
   */
  readonly stamps: ReadonlyMap<string, string>;
  /**
   * Symbolic links, and entries that are neither file nor folder. They are never followed, so that nothing outside the root can be read.
   */
  readonly links: readonly string[];
  /** Files and folders whose names are not UTF-8, and which Node cannot open. */
  readonly unnamed: readonly string[];
  /** Files and folders whose name may be that of a site generator, also those that begin with a dot. */
  readonly markers: readonly string[];
}

/** More entries are no documentation: a home folder, or files that a program made. The largest help centre we know has 2,349 pages. */
const maxEntries = 100_000;

/** Largest text file, in bytes. */
const maxTextBytes = 16 * 1024 * 1024;

/**
 * Lists every file of a folder, recursively. Skips names that start with a dot, `node_modules`, and folders that a build wrote.
 * @param ignored absolute paths of folders
 * @param maxCount entries that are listed
 * @throws PATH_UNUSABLE, because files that cannot be listed would seem deleted
 */
export function scanFiles(root: string, ignored: readonly string[], maxCount = maxEntries): ScannedFiles {
  let count = 0;
  const stamps = new Map<string, string>();
  const links: string[] = [];
  const unnamed: string[] = [];
  const markers: string[] = [];
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = attempt(root, folder, () =>
      readdirSync(join(root, folder as string), { withFileTypes: true }),
    );
    count += entries.length;
    if (count > maxCount) {
      const what = `${root} contains more than ${maxCount.toLocaleString('en')} files and folders`;
      const hint = 'nothing was published; name the folder of the pages: lectern build docs';
      throw new LecternError('PATH_UNUSABLE', what, { hint, exitCode: 2 });
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isGeneratorName(entry.name)) markers.push(path);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      // `join` for every file takes as long as listing the folders.
      const inside = `${root}/${path}`;
      if (isUnnamed(inside)) unnamed.push(path);
      else if (entry.isDirectory()) {
        if (!ignored.includes(join(root, path)) && !isPublishedSite(inside)) waiting.push(path);
      } else if (entry.isFile()) {
        const { ino, size, mtimeMs, ctimeMs } = attempt(root, path, () => lstatSync(inside));
        stamps.set(path, `${ino} ${size} ${mtimeMs} ${ctimeMs}`);
      } else links.push(path);
    }
  }
  return {
    stamps: new Map([...stamps].sort(([a], [b]) => (a < b ? -1 : 1))),
    links: links.sort(),
    unnamed: unnamed.sort(),
    markers: markers.sort(),
  };
}

/** Whether the name of a listed file or folder is not UTF-8: Node reads its bytes as U+FFFD, and then finds no such file. */
export function isUnnamed(path: string): boolean {
  return path.includes('\uFFFD') && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/**
 * Reads a text file. Throws an `Error` with a sentence for the author if it is not UTF-8 or too large.
 * @throws PATH_UNUSABLE, FILE_OUTSIDE
 */
export function readTextInside(root: string, path: string): string {
  return decodeUserText(readFileInside(root, path, maxTextBytes), path);
}

/**
 * Reads a file whose real path (after following links) is inside the real root. Throws an `Error` with a sentence if it is too large.
 * @throws FILE_OUTSIDE, PATH_UNUSABLE
 */
export function readFileInside(root: string, path: string, maxBytes: number): Buffer {
  return attempt(root, path, () => readFileIn(root, path, maxBytes));
}

function attempt<T>(root: string, path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    if (cause instanceof LecternError || code === 'EFBIG') throw cause;
    if (code === 'ENOTSUP') {
      throw new LecternError('PATH_UNUSABLE', `${path} is not a regular file`, {
        hint: 'nothing was published; replace the folder, pipe or device by a file',
        cause,
      });
    }
    throw new LecternError('PATH_UNUSABLE', `${path === '' ? root : path} cannot be read (${code})`, {
      hint: 'nothing was published, because unreadable articles would be deleted; give read access to the whole folder',
      cause,
    });
  }
}
