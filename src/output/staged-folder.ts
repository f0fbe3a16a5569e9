import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/file-system.ts';
import { followLink, namesIn, outputFault, statsOf } from './file-operations.ts';
import type { RecordedFile } from './last-output.ts';
import { acquireLock, type LockOptions } from './lock.ts';
import { cleanUp, removeTree, type Siblings, siblingsOf, swapIn } from './swap.ts';

/** The folder in which a new output is staged. */
export interface StagedFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Whether another output was staged here before and may have left files. */
  readonly isUsed: boolean;
  /** Absolute path for a new file: creates its folder, and removes what is at the path. */
  prepare(path: string): string;
  /** Whether exactly the recorded file is already here. */
  holds(path: string, file: RecordedFile): boolean;
}

/** Creates an empty folder next to the output. */
export function makeStagedFolder({ parent, stagingPrefix }: Siblings): StagedFolder {
  return stagedFolderAt(mkdtempSync(join(parent, stagingPrefix)), false);
}

/**
 * Starts with the output of the run before the last one, so that files that did not change since then need no work: removing, creating and
 * linking every file would take longer than everything else of a small change. Its files are hard links to files of the output, so none is
 * ever opened for writing.
 * @param base absolute path of that tree
 * @returns `null` if there is none, or it cannot be moved here
 */
export function takeStagingBase(siblings: Siblings, base: string): StagedFolder | null {
  const path = mkdtempSync(join(siblings.parent, siblings.stagingPrefix));
  try {
    renameSync(base, path);
  } catch {
    rmdirSync(path);
    return null;
  }
  return stagedFolderAt(path, true);
}

/** The folder as a thread writes to it. */
export function stagedFolderAt(path: string, isUsed: boolean): StagedFolder {
  const makeFolder = createFolderMaker(path);
  return {
    path,
    isUsed,
    prepare(file) {
      const full = `${path}/${file}`;
      if (isUsed) clearWay(path, folderOf(file));
      makeFolder(folderOf(file));
      if (isUsed) removeName(full);
      return full;
    },
    holds: (file, recorded) => isUsed && isRecordedFile(`${path}/${file}`, recorded),
  };
}

/** Removes files that block a folder: a page may have become the folder of other pages. */
function clearWay(root: string, folder: string): void {
  if (folder === '') return;
  const stats = statsOf(join(root, folder));
  if (stats?.isDirectory()) return;
  if (stats !== null) rmSync(join(root, folder));
  else clearWay(root, folderOf(folder));
}

/** Removes a file; it usually exists. */
function removeName(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    rmSync(path, { force: true, recursive: true });
  }
}

/** Whether the file at an absolute path is exactly the recorded one, by inode, size and time. */
export function isRecordedFile(path: string, { bytes, mtimeMs, inode }: RecordedFile): boolean {
  try {
    const stats = lstatSync(path);
    return stats.ino === inode && stats.isFile() && stats.size === bytes && stats.mtimeMs === mtimeMs;
  } catch {
    return false;
  }
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

/**
 * Creates folders below `root`, which exists; their paths are relative to it, `/`-separated. Most pages have their own folder in an
 * existing one, which takes one system call here and several with `recursive`. Only folders that are requested repeatedly are cached.
 */
export function createFolderMaker(root: string): (folder: string) => void {
  const known = new Set(['']);
  let last = '';
  const makeParent = (folder: string): void => {
    if (known.has(folder)) return;
    makeParent(parentOf(folder));
    makeNew(`${root}/${folder}`);
    known.add(folder);
  };
  return (folder) => {
    if (folder === last || known.has(folder)) return;
    makeParent(parentOf(folder));
    if (!makeNew(`${root}/${folder}`)) known.add(folder);
    last = folder;
  };
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
}

/** Creates a folder. Returns whether it did not exist before. */
function makeNew(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces a folder atomically: `write` fills a staging folder next to it, which is then swapped in. If it fails or is killed, the folder
 * is unchanged.
 * @param out absolute path; it need not exist
 * @param marker a file that the folder contains if Lectern wrote it: no other folder with files is replaced
 * @throws OUTPUT_NOT_OURS (exit 2), OUTPUT_LOCKED, OUTPUT_UNWRITABLE, OUTPUT_NOT_REPLACEABLE, and what `write` throws
 */
export async function replaceFolder<T>(
  out: string,
  marker: string,
  waiting: Pick<LockOptions, 'onWait' | 'signal'>,
  write: (folder: string) => Promise<T>,
): Promise<T> {
  const siblings = siblingsOf(followLink(out));
  makeFolder(siblings.parent);
  const lock = await acquireLock(siblings.lock, { ...waiting, code: 'OUTPUT_LOCKED', folder: out });
  try {
    await cleanUp(siblings);
    refuseForeign(siblings.out, marker);
    const staged = makeStagedFolder(siblings).path;
    try {
      const result = await write(staged);
      lock.assertHeld();
      await swapIn(staged, siblings, null);
      return result;
    } catch (error) {
      await removeTree(staged);
      throw error;
    }
  } catch (error) {
    throw outputFault(error, out);
  } finally {
    lock.release();
  }
}

function refuseForeign(out: string, marker: string): void {
  const names = namesIn(out);
  if (names.length === 0 || names.includes(marker)) return;
  throw new LecternError('OUTPUT_NOT_OURS', `${out} contains files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one',
    exitCode: 2,
  });
}
