import { existsSync, lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFolder, readWholeFile } from '../core/file-system.ts';
import { readRange, removeAside } from './aside.ts';
import { followLink, outputFault, statsOf } from './file-operations.ts';
import {
  isIgnoredFile,
  refuseForeignFiles,
  refuseForeignFolder,
  takeOverRepository,
} from './foreign-files.ts';
import { acquireLock, type FolderLock, type LockOptions } from './lock.ts';
import type { Output, PublishedFile } from './output.ts';
import {
  openPreviousOutput,
  outputMarker,
  type PreviousOutput,
  type PublishedFiles,
  type PublishedOutput,
} from './previous-output.ts';
import { createStagedTree, type StagedTree } from './staged-tree.ts';
import {
  cleanUp,
  refuseForeignOwner,
  removeReplaced,
  removeTree,
  type Siblings,
  siblingsOf,
  swapIn,
} from './swap.ts';

/** An output that is written to a staging folder: `commit` makes it the output, `discard` leaves the previous one unchanged. */
export interface Staging extends Output {
  /** Where other threads write their files. */
  workspace(): Workspace;
  /** The output that is replaced; `null` if there is none. */
  readonly previous: PreviousOutput | null;
  /** The files of the previous output at these paths that are as they were published (`PreviousOutput.find`), for another thread. */
  findUnchanged(paths: readonly string[]): PublishedFiles;
  /**
   * Replaces the output with the staged tree.
   * @param onReady called with all its files directly before the swap, when nothing but the swap can fail
   * @returns `PublishedOutput.finishedMs`
   * @throws OUTPUT_FOREIGN_FILES, OUTPUT_CONFLICT, LOCKED, OUTPUT_UNWRITABLE
   */
  commit(onReady?: (files: readonly PublishedFile[]) => void): Promise<number>;
  /** Removes the staged files. Safe to call twice. */
  discard(): Promise<void>;
}

interface StagingOptions extends Pick<LockOptions, 'waitMs' | 'onWait' | 'signal'> {
  /** Path of the file that marks an output of this kind as written by Lectern; absent: that of a site. */
  readonly marker?: string;
}

/**
 * Locks the output folder, cleans up after a killed run and opens a staging folder next to it.
 * @param out absolute path of the output folder
 * @param readPublished returns the output as the run that wrote it left it; `null` if unknown. Called after the clean-up
 * @throws LOCKED, OUTPUT_FOREIGN_FILES, OUTPUT_UNWRITABLE
 */
export async function openStaging(
  out: string,
  readPublished: () => PublishedOutput | null = () => null,
  { marker = outputMarker, ...waiting }: StagingOptions = {},
): Promise<Staging> {
  const siblings = siblingsOf(followLink(out));
  const lock = await lockOutput(siblings, waiting);
  try {
    await cleanUp(siblings);
    refuseForeignFolder(siblings.out, marker);
    const previous = existsSync(siblings.out)
      ? openPreviousOutput(siblings.out, readPublished(), isIgnoredFile)
      : null;
    return createStaging(siblings, lock, previous);
  } catch (error) {
    lock.release();
    throw outputFault(error, out);
  }
}

async function lockOutput(
  siblings: Siblings,
  waiting: Pick<LockOptions, 'waitMs' | 'onWait' | 'signal'>,
): Promise<FolderLock> {
  try {
    makeFolder(siblings.parent);
    return await acquireLock(siblings.lock, { ...waiting, folder: siblings.out });
  } catch (error) {
    throw outputFault(error, siblings.out);
  }
}

function createStaging(siblings: Siblings, lock: FolderLock, previous: PreviousOutput | null): Staging {
  let isOpen = true;
  let made: string | null = null;
  const folder = (): string => {
    if (!isOpen) throw new Error('the staging was discarded');
    made ??= mkdtempSync(join(siblings.parent, siblings.stagingPrefix));
    return made;
  };
  const tree = createStagedTree(folder, siblings.out, previous);
  return {
    write: async (path, content, sha256) => tree.write(path, content, sha256),
    open: async (path) => tree.open(path),
    has: tree.has,
    reuseAll: async (paths) => tree.reuseAll(paths),
    adopt: tree.adopt,
    files: tree.files,
    previous,
    workspace: () => ({ folder: folder(), out: siblings.out }),
    readRange: (range) => guarded(siblings.out, () => readRange(range)),
    findPrevious: (path) => (previous?.find(path) == null ? null : join(siblings.out, path)),
    findUnchanged: (paths) =>
      new Map(
        paths.flatMap((path) => {
          const file = previous?.find(path) ?? null;
          return file === null ? [] : [[path, file] as const];
        }),
      ),
    async readPrevious(path) {
      // A deployment may keep the content elsewhere, and have links in the output.
      const file = followLink(join(siblings.out, path));
      return statsOf(file)?.isFile() ? readWholeFile(file) : null;
    },
    async commit(onReady = () => {}) {
      const published = guarded(siblings.out, tree.publish);
      const paths = published.map(({ path }) => path);
      if (previous !== null) {
        refuseForeignOwner(siblings.out);
        refuseForeignFiles(previous, paths);
      }
      guarded(siblings.out, () => takeOverRepository(siblings.out, folder()));
      onReady(published);
      lock.assertHeld();
      guarded(siblings.out, () => removeAside(folder()));
      guarded(siblings.out, () => swapIn(folder(), siblings, paths));
      isOpen = false;
      try {
        removeReplaced(siblings, [...(previous?.published?.keys() ?? [])]);
        return await waitForDiskTime(siblings);
      } finally {
        lock.release();
      }
    },
    async discard() {
      if (!isOpen) return;
      isOpen = false;
      tree.abandon();
      if (made !== null) {
        // Threads that still run cannot write to a folder that has another name.
        renameSync(made, `${made}-discarded`);
        removeTree(`${made}-discarded`);
      }
      lock.release();
    },
  };
}

function guarded<T>(out: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw outputFault(error, out);
  }
}

/** Clocks of disks have ticks of up to 10 ms. Some disks only store seconds; a run does not wait for them. */
const maxTickMs = 20;

/**
 * Waits until the disk gives new files a later change time than those that were changed until now. Its clock may be another machine's.
 * @returns that time; 0 if no file can be written
 */
async function waitForDiskTime({ parent, stagingPrefix }: Siblings): Promise<number> {
  const file = join(parent, `${stagingPrefix}time`);
  const readTime = (): number => {
    rmSync(file, { force: true });
    writeFileSync(file, '');
    return lstatSync(file).ctimeMs;
  };
  try {
    const first = readTime();
    for (let waited = 0; waited < maxTickMs; waited += 1) {
      await setTimeout(1);
      const now = readTime();
      if (now > first) return now;
    }
    return first + 1;
  } catch {
    return 0;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Where an output is staged. Plain data: other threads write files there directly. */
export interface Workspace {
  /** Absolute path of the staging folder. */
  readonly folder: string;
  /** Absolute path of the output. */
  readonly out: string;
}

/** Output for the files that one thread writes. */
export type WorkspaceOutput = Pick<StagedTree, 'write' | 'files'>;

/** @param previousFiles unchanged files of the previous output at the paths to be written (`Staging.findUnchanged`) */
export function openWorkspace({ folder, out }: Workspace, previousFiles: PublishedFiles): WorkspaceOutput {
  return createStagedTree(() => folder, out, {
    folder: out,
    published: previousFiles,
    find: (path) => previousFiles.get(path) ?? null,
  });
}
