import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/file-system.ts';
import { followLink, namesIn, outputFault, statsOf } from './file-operations.ts';
import type { RecordedFile } from './last-output.ts';
import { acquireLock, type LockOptions } from './lock.ts';
import { cleanUp, removeTree, type Siblings, siblingsOf, swapIn } from './swap.ts';

/** The folder a new output grows in. */
export interface StagedFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Another output grew here before, and may have left files. */
  readonly isUsed: boolean;
  /** Absolute path for a new file: its folder exists, and nothing is at the path. */
  prepare(path: string): string;
  /** Whether the very file that is recorded is here already. */
  holds(path: string, file: RecordedFile): boolean;
}

/** Makes an empty folder beside the output. */
export function makeStagedFolder({ parent, stagingPrefix }: Siblings): StagedFolder {
  return stagedFolderAt(mkdtempSync(join(parent, stagingPrefix)), false);
}

/**
 * Takes the tree of the run before the last one as a start, so that what has been the same since then need not be touched
 * at all: removing, making and linking every file takes longer than everything else a small change costs. Its files are
 * hard links to files of the output, so nothing in it is ever opened for writing.
 * @param base absolute path of that tree; `null` is returned where there is none, or where it cannot be moved here
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

/** Removes files in the way of a folder: a page may have become the folder of others. */
function clearWay(root: string, folder: string): void {
  if (folder === '') return;
  const stats = statsOf(join(root, folder));
  if (stats?.isDirectory()) return;
  if (stats !== null) rmSync(join(root, folder));
  else clearWay(root, folderOf(folder));
}

/** There is nearly always a file. */
function removeName(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    rmSync(path, { force: true, recursive: true });
  }
}

/** Whether the file at an absolute path is the very one that is recorded, by inode, size and time. */
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
 * Makes folders below `root`, which exists; they are named relative to it, `/`-separated. Most pages have a folder of their
 * own in one that is there: that is one call to the system, where `recursive` makes several, and only folders that are
 * asked for again are remembered.
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

/** Whether the folder was not there before. */
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
 * Replaces a folder whole: `write` fills a staging folder beside it, which is then swapped in. When it fails, or is killed, the
 * folder is unchanged.
 * @param out absolute path; it need not exist
 * @param marker a file that the folder has if Lectern wrote it: no other folder with files is replaced
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
