import { createReadStream, existsSync, renameSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { once } from '../foundation/concurrency.ts';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { followLink, outputFault } from './file-operations.ts';
import { pathExists } from './files.ts';
import { createKeptFiles, type KeptFiles, refuseForeignFiles, takeOverKept } from './foreign-files.ts';
import { type LastOutput, outputMarker, type RecordedFile } from './last-output.ts';
import { acquireLock, type FolderLock, type LockOptions } from './lock.ts';
import type { Output } from './output.ts';
import { settleTree } from './settle-tree.ts';
import { isRecordedFile, makeStagedFolder, type StagedFolder, takeSpareFolder } from './staged-folder.ts';
import { createStagedTree, type StagedTree } from './staged-tree.ts';
import { cleanUp, removeTree, type Siblings, siblingsOf, swapIn } from './swap.ts';
import type { Workspace } from './workspace.ts';

/** An output being written out of sight: `commit` makes it the output, `discard` leaves the old one as it was. */
export interface Staging extends Output {
  /** Where other threads write their files. */
  workspace(): Workspace;
  /** What is known of the files of the previous output with these paths. */
  recorded(paths: Iterable<string>): ReadonlyMap<string, RecordedFile>;
  /**
   * Swaps the staged tree in whole.
   * @param onSettled gets what `parseFileTable` reads, before the tree becomes the output
   * @throws OUTPUT_FOREIGN_FILES, OUTPUT_CONFLICT, OUTPUT_LOCKED, OUTPUT_NOT_REPLACEABLE
   */
  commit(onSettled: (fileTable: Uint8Array) => void): Promise<void>;
  /** Removes what was staged. Safe to call twice. */
  discard(): Promise<void>;
}

export interface StagingOptions extends Pick<LockOptions, 'waitMs' | 'onWait' | 'signal'> {
  /** Files of the user in the output; absent: `.git` alone. */
  readonly kept?: KeptFiles;
}

/** What is known of earlier outputs; all of it may be lost at any time. */
export interface OutputHistory {
  /** The files of the output as the run that wrote it left them; `null`: nothing is known. */
  readonly last: LastOutput | null;
  /** Absolute path of a folder: the tree that the last run replaced, which the next one is staged in. */
  readonly spare: string;
  /** That tree as the run that wrote it left it; `null`: it is not known, and not used. */
  readonly spareFiles: LastOutput | null;
}

/**
 * Locks the output folder, cleans up after a killed run and opens a staging folder beside it.
 * @param out absolute path of the output folder
 * @param readHistory called once the output is in place; without it, no file is kept unread
 * @throws OUTPUT_LOCKED, OUTPUT_NOT_OURS, OUTPUT_UNWRITABLE
 */
export async function openStaging(
  out: string,
  readHistory: () => OutputHistory | null = () => null,
  { kept = createKeptFiles([]), ...waiting }: StagingOptions = {},
): Promise<Staging> {
  const places = siblingsOf(followLink(out));
  const lock = await lockOutput(places, waiting);
  try {
    await cleanUp(places);
    await refuseForeignFolder(places.out, kept);
    return createStaging(places, lock, readHistory(), kept);
  } catch (error) {
    lock.release();
    throw outputFault(error, out);
  }
}

async function lockOutput(
  places: Siblings,
  waiting: Pick<LockOptions, 'waitMs' | 'onWait' | 'signal'>,
): Promise<FolderLock> {
  try {
    makeFolder(places.parent);
    return await acquireLock(places.lock, { ...waiting, code: 'OUTPUT_LOCKED', folder: places.out });
  } catch (error) {
    throw outputFault(error, places.out);
  }
}

/**
 * Whether the output is still the tree that the last run wrote, and not a copy of it. The spare tree shares files with
 * that one; beside a copy they would only give every file of the output another inode.
 */
function isAsLeft(out: string, last: LastOutput): boolean {
  const marker = last.find(outputMarker);
  return marker !== null && isRecordedFile(join(out, outputMarker), marker);
}

function createStaging(
  places: Siblings,
  lock: FolderLock,
  history: OutputHistory | null,
  kept: KeptFiles,
): Staging {
  const previous = existsSync(places.out) ? places.out : null;
  let isOpen = true;
  const last = previous === null ? null : (history?.last ?? null);
  const mayUseSpare = last !== null && history?.spareFiles != null;
  const folder = once(
    () =>
      (mayUseSpare && isCaseSensitive(history.spare) && isAsLeft(places.out, last)
        ? takeSpareFolder(places, history.spare)
        : null) ?? makeStagedFolder(places),
  );
  const openFolder = (): StagedFolder => {
    if (!isOpen) throw new Error('the staging was discarded');
    return folder();
  };
  const tree = createStagedTree(openFolder, places.out, previous, () => last);
  return {
    write: async (path, content, sha256) => tree.write(path, content, sha256),
    open: async (path) => tree.open(path),
    keep: tree.keep,
    keepDerived: tree.keepDerived,
    has: tree.has,
    paths: tree.paths,
    keepAll: async (paths) => tree.keepAll(paths),
    hasPrevious: tree.hasPrevious,
    adopt: tree.adopt,
    files: tree.files,
    workspace: () => ({ folder: folder().path, isUsed: folder().isUsed, out: places.out, previous }),
    recorded(paths) {
      const known = new Map<string, RecordedFile>();
      for (const path of paths) {
        const file = last?.find(path) ?? null;
        if (file !== null) known.set(path, file);
      }
      return known;
    },
    readStaged: (path) => createReadStream(join(folder().path, path)),
    async readPrevious(path) {
      const file = join(places.out, path);
      return (await unlessMissing(stat(file)))?.isFile() ? readFile(file) : null;
    },
    async openPrevious(path) {
      const file = join(places.out, path);
      const stats = await unlessMissing(stat(file));
      return stats?.isFile() ? createReadStream(file, { highWaterMark: blockBytes }) : null;
    },
    async commit(onSettled) {
      const files = tree.files();
      if (previous !== null) refuseForeignFiles(previous, tree.paths(), kept, last);
      onSettled(settle(tree, folder(), history?.spareFiles ?? null, places.out, kept));
      // Where little is the same, the old tree would only take room.
      const isWorthIt = history !== null && last !== null && 2 * tree.kept() >= files.length;
      lock.assertHeld();
      await swapIn(folder().path, places, isWorthIt ? history.spare : null);
      isOpen = false;
      // The output is in place: a tree that cannot be removed only takes room.
      if (history !== null && !isWorthIt && existsSync(history.spare)) {
        await removeTree(history.spare).catch(() => {});
      }
      lock.release();
    },
    async discard() {
      if (!isOpen) return;
      isOpen = false;
      tree.abandon();
      if (folder.isMade()) await removeTree(setAside(folder().path));
      lock.release();
    },
  };
}

function settle(
  tree: StagedTree,
  folder: StagedFolder,
  spareFiles: LastOutput | null,
  out: string,
  kept: KeptFiles,
): Uint8Array {
  try {
    takeOverKept(out, folder.path, tree.files(), kept);
    return settleTree(folder.path, tree.table, folder.isUsed ? spareFiles : null, kept.has);
  } catch (error) {
    throw outputFault(error, out);
  }
}

/** Gives a folder another name, so that threads that still run write nothing more into it. @returns the name */
function setAside(folder: string): string {
  const aside = `${folder}-discarded`;
  renameSync(folder, aside);
  return aside;
}

/** Where `a` and `A` are one file, what is left in a used tree cannot be told from what belongs there. */
function isCaseSensitive(path: string): boolean {
  const folder = dirname(path);
  return !existsSync(join(dirname(folder), basename(folder).toUpperCase()));
}

/** Large, since each block waits for a thread. */
const blockBytes = 256 * 1024;

async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Only a folder that Lectern wrote (or an empty one) is ever replaced. */
async function refuseForeignFolder(out: string, kept: KeptFiles): Promise<void> {
  if (!(await pathExists(out))) return;
  const names = (await readdir(out)).filter((name) => !kept.has(name));
  if (names.length === 0 || (await pathExists(join(out, outputMarker)))) return;
  throw new LecternError('OUTPUT_NOT_OURS', `${out} holds files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one yourself',
    exitCode: 2,
  });
}
