import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LecternError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { pathExists } from './files.ts';
import { followLink } from './follow-link.ts';
import { type LastOutput, outputMarker, readLastOutput } from './last-output.ts';
import { acquireLock, type FolderLock, type LockOptions } from './lock.ts';
import { once } from './once.ts';
import type { Output } from './output.ts';
import { outputFault } from './output-fault.ts';
import { cleanUp } from './put-back.ts';
import { rememberOutput } from './remember-output.ts';
import { removeTree } from './remove-tree.ts';
import { createScratchFile, type ScratchFile } from './scratch-file.ts';
import { type SettledTree, settleTree } from './settle-tree.ts';
import { type Siblings, siblingsOf } from './siblings.ts';
import { makeStagedFolder, type StagedFolder, takeSpareFolder } from './staged-folder.ts';
import { createStagedTree } from './staged-tree.ts';
import { swapIn } from './swap.ts';
import type { WrittenFiles } from './written-files.ts';

/** An output being written out of sight: `commit` makes it the output, `discard` leaves the old one as it was. */
export interface Staging extends Output {
  /** Beside the staged tree, for what need not stay in memory; closed by `commit` and `discard`. */
  readonly scratch: ScratchFile;
  /** A file of the output that is replaced. @throws when there is none */
  readPreviousNow(path: string): Uint8Array;
  /** Reads back what was staged (written and closed), in blocks. */
  readStaged(path: string): AsyncIterable<Uint8Array>;
  /** Swaps the staged tree in whole, and remembers its files for the next run. */
  commit(): Promise<Pick<SettledTree, 'description' | 'stamp'>>;
  /** Removes what was staged. Safe to call twice. */
  discard(): Promise<void>;
}

/** Where runs remember the output, absolute; all of it may be lost at any time. */
export interface OutputMemory {
  /** A file: what the last run knew of its files when it ended (`rememberOutput`). */
  readonly record: string;
  /** A folder: the tree of the run before the last one, which the next one grows in. */
  readonly spare: string;
}

/**
 * Locks the output folder, cleans up after a killed run and opens a staging folder beside it.
 * @param out absolute path of the output folder
 * @param memory where runs remember; without it, no file is kept unread
 * @throws OUTPUT_LOCKED, OUTPUT_NOT_OURS, OUTPUT_UNWRITABLE
 */
export async function openStaging(
  out: string,
  memory: OutputMemory | null = null,
  waiting: Pick<LockOptions, 'waitMs' | 'onWait' | 'signal'> = {},
): Promise<Staging> {
  const places = siblingsOf(followLink(out));
  const lock = await lockOutput(places, waiting);
  try {
    await cleanUp(places);
    await refuseForeignFolder(places.out);
    return createStaging(places, lock, memory);
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

function createStaging(places: Siblings, lock: FolderLock, memory: OutputMemory | null): Staging {
  const previous = existsSync(places.out) ? places.out : null;
  let isOpen = true;
  const readLast = once(() => (memory === null ? null : readLastOutput(memory.record, places.out)));
  const folder = once(
    () =>
      (memory === null || previous === null || readLast() === null || !tellsCaseApart(memory.record)
        ? null
        : takeSpareFolder(places, memory.spare)) ?? makeStagedFolder(places),
  );
  const openFolder = (): StagedFolder => {
    if (!isOpen) throw new Error('the staging was discarded');
    return folder();
  };
  const tree = createStagedTree(openFolder, places.out, previous, readLast);
  const scratch = createScratchFile(places);
  return {
    write: async (path, content, sha256) => tree.write(path, content, sha256),
    open: async (path) => tree.open(path),
    keep: tree.keep,
    keepDerived: tree.keepDerived,
    has: tree.has,
    paths: tree.paths,
    keepAll: async (files) => tree.keepAll(files),
    hasPrevious: tree.hasPrevious,
    readPreviousNow: (path) => readFileSync(join(places.out, path)),
    files: tree.files,
    readStaged: (path) => createReadStream(join(folder().path, path)),
    scratch,
    readPrevious: (path) => unlessMissing(readFile(join(places.out, path))),
    async openPrevious(path) {
      const file = join(places.out, path);
      const stats = await unlessMissing(stat(file));
      return stats === null ? null : createReadStream(file, { highWaterMark: blockBytes });
    },
    async commit() {
      scratch.close();
      const files = tree.files();
      const last = readLast();
      const settled = settle(folder, files, last, places.out);
      // Where little is the same, the old tree would only take room.
      const isWorthIt = memory !== null && last !== null && 2 * tree.kept() >= files.length;
      lock.assertHeld();
      await swapIn(folder().path, places, isWorthIt ? memory.spare : null);
      isOpen = false;
      if (memory !== null) {
        // The output is in place: a tree that cannot be removed only takes room.
        if (!isWorthIt && existsSync(memory.spare)) await removeTree(memory.spare).catch(() => {});
        rememberOutput(memory.record, files, settled, isWorthIt ? gone(last, files) : []);
      }
      lock.release();
      return settled;
    },
    async discard() {
      if (!isOpen) return;
      isOpen = false;
      scratch.close();
      tree.abandon();
      if (folder.isMade()) await removeTree(folder().path);
      lock.release();
    },
  };
}

function settle(folder: () => StagedFolder, files: WrittenFiles, last: LastOutput | null, out: string) {
  try {
    return settleTree(folder().path, files, folder().isUsed ? (last?.paths() ?? []) : null);
  } catch (error) {
    throw outputFault(error, out);
  }
}

/** Where `a` and `A` are one file, what is left in a used tree cannot be told from what belongs there. */
function tellsCaseApart(file: string): boolean {
  return !existsSync(join(dirname(file), basename(file).toUpperCase()));
}

/** Paths of the replaced output that the new one has not. */
function* gone(last: LastOutput, files: WrittenFiles): Generator<string> {
  for (const path of last.paths()) if (files.indexOf(path) < 0) yield path;
}

/** Large, since each block waits for a thread. */
const blockBytes = 256 * 1024;

async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Only a folder that Lectern wrote (or an empty one) is ever replaced. */
async function refuseForeignFolder(out: string): Promise<void> {
  if (!(await pathExists(out))) return;
  const names = await readdir(out);
  if (names.length === 0 || (await pathExists(join(out, outputMarker)))) return;
  throw new LecternError('OUTPUT_NOT_OURS', `${out} holds files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one yourself',
    exitCode: 2,
  });
}
