import { createReadStream, existsSync, renameSync, unlinkSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { once } from '../foundation/concurrency.ts';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/file-system.ts';
import { createSpillFile, type SpillFile, storeBlocks } from '../foundation/spill-file.ts';
import { type Compression, withCompressedCopies } from './compressed-copies.ts';
import { followLink, outputFault } from './file-operations.ts';
import { finalizeTree } from './finalize-tree.ts';
import { createKeptFiles, type KeptFiles, refuseForeignFiles, takeOverKept } from './foreign-files.ts';
import { type LastOutput, outputMarker, type RecordedFile } from './last-output.ts';
import { acquireLock, type FolderLock, type LockOptions } from './lock.ts';
import type { Output, OutputFile, WrittenFile } from './output.ts';
import {
  isRecordedFile,
  makeStagedFolder,
  type StagedFolder,
  stagedFolderAt,
  takeStagingBase,
} from './staged-folder.ts';
import { createStagedTree } from './staged-tree.ts';
import { cleanUp, removeTree, type Siblings, siblingsOf, swapIn } from './swap.ts';

/** An output that is written to a staging folder: `commit` makes it the output, `discard` leaves the previous one unchanged. */
export interface Staging extends Output {
  /** Where other threads write their files. */
  workspace(): Workspace;
  /** Records of the previous output's files at these paths. */
  recorded(paths: Iterable<string>): ReadonlyMap<string, RecordedFile>;
  /**
   * Replaces the output with the staged tree.
   * @param onFinalized called before the swap with the input of `parseFileTable`, in blocks that are each valid until the next one
   * @throws OUTPUT_FOREIGN_FILES, OUTPUT_CONFLICT, OUTPUT_LOCKED, OUTPUT_NOT_REPLACEABLE
   */
  commit(onFinalized: (fileTable: Iterable<Uint8Array>) => void): Promise<void>;
  /** Removes the staged files. Safe to call twice. */
  discard(): Promise<void>;
}

interface StagingOptions extends Pick<LockOptions, 'waitMs' | 'onWait' | 'signal'> {
  /** Files of the user in the output; absent: only `.git`. */
  readonly kept?: KeptFiles;
  /** Path of the file that marks an output of this kind as written by Lectern; absent: that of a site. */
  readonly marker?: string;
  /** Keeps the table of files; absent: memory. */
  readonly spill?: SpillFile;
}

/** Records of earlier outputs; they may be deleted at any time. */
export interface OutputHistory {
  /** The files of the output as the run that wrote it left them; `null` if unknown. */
  readonly last: LastOutput | null;
  /** Absolute path of the staging base: the output that the last run replaced, in which the next one is staged. */
  readonly base: string;
  /** The files of the staging base as the run that wrote it left them; `null`: unknown, so the base is not used. */
  readonly baseFiles: LastOutput | null;
}

/**
 * Locks the output folder, cleans up after a killed run and opens a staging folder next to it.
 * @param out absolute path of the output folder
 * @param readHistory called after the clean-up; without it, every file is compared byte by byte
 * @throws OUTPUT_LOCKED, OUTPUT_NOT_OURS, OUTPUT_UNWRITABLE
 */
export async function openStaging(
  out: string,
  readHistory: () => OutputHistory | null = () => null,
  { kept = createKeptFiles([]), marker = outputMarker, spill, ...waiting }: StagingOptions = {},
): Promise<Staging> {
  const siblings = siblingsOf(followLink(out));
  const lock = await lockOutput(siblings, waiting);
  try {
    await cleanUp(siblings);
    await refuseForeignFolder(siblings.out, kept, marker);
    return createStaging(siblings, lock, readHistory(), kept, spill ?? createSpillFile(null));
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
    return await acquireLock(siblings.lock, { ...waiting, code: 'OUTPUT_LOCKED', folder: siblings.out });
  } catch (error) {
    throw outputFault(error, siblings.out);
  }
}

/**
 * Whether the output is still the tree that the last run wrote, and not a copy of it. The staging base shares files with the original tree;
 * next to a copy, it would only give every file of the output another inode.
 */
function isAsLeft(out: string, last: LastOutput): boolean {
  const marker = last.find(outputMarker);
  return marker !== null && isRecordedFile(join(out, outputMarker), marker);
}

function createStaging(
  siblings: Siblings,
  lock: FolderLock,
  history: OutputHistory | null,
  kept: KeptFiles,
  spill: SpillFile,
): Staging {
  const previous = existsSync(siblings.out) ? siblings.out : null;
  let isOpen = true;
  const last = previous === null ? null : (history?.last ?? null);
  const mayUseBase = last !== null && history?.baseFiles != null;
  const folder = once(
    () =>
      (mayUseBase && isCaseSensitive(history.base) && isAsLeft(siblings.out, last)
        ? takeStagingBase(siblings, history.base)
        : null) ?? makeStagedFolder(siblings),
  );
  const openFolder = (): StagedFolder => {
    if (!isOpen) throw new Error('the staging was discarded');
    return folder();
  };
  const tree = createStagedTree(openFolder, siblings.out, previous, () => last, spill);
  return {
    write: async (path, content, sha256) => tree.write(path, content, sha256),
    open: async (path) => tree.open(path),
    reuse: tree.reuse,
    reuseDerived: tree.reuseDerived,
    has: tree.has,
    reuseAll: async (paths) => tree.reuseAll(paths),
    hasPrevious: tree.hasPrevious,
    adopt: tree.adopt,
    files: tree.files,
    workspace: () => ({ folder: folder().path, isUsed: folder().isUsed, out: siblings.out, previous }),
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
      const file = join(siblings.out, path);
      return (await unlessMissing(stat(file)))?.isFile() ? readFile(file) : null;
    },
    async openPrevious(path) {
      const file = join(siblings.out, path);
      const stats = await unlessMissing(stat(file));
      return stats?.isFile() ? createReadStream(file, { highWaterMark: blockBytes }) : null;
    },
    async commit(onFinalized) {
      const { table } = tree;
      if (previous !== null) refuseForeignFiles(previous, table.paths(), kept, last);
      // If little is unchanged, the old tree would only waste disk space.
      const isWorthIt = history !== null && last !== null && 2 * tree.reused() >= table.size;
      /** Files of the previous output that the new one does not share. */
      const replaced: string[] = [];
      const noteReplaced = (path: string, inode: number): void => {
        const file = isWorthIt ? last.find(path) : null;
        if (file !== null && file.inode !== inode && path !== outputMarker) replaced.push(path);
      };
      const earlier = folder().isUsed ? (history?.baseFiles ?? null) : null;
      const fileTable = guarded(siblings.out, () => {
        takeOverKept(siblings.out, folder().path, table.paths(), kept);
        return storeBlocks(spill, finalizeTree(folder().path, table, earlier, kept.has, noteReplaced));
      });
      onFinalized(fileTable);
      lock.assertHeld();
      await swapIn(folder().path, siblings, isWorthIt ? history.base : null);
      isOpen = false;
      // The swap is done: files that cannot be removed only waste disk space.
      if (isWorthIt) removeFiles(history.base, replaced);
      else if (history !== null && existsSync(history.base)) await removeTree(history.base).catch(() => {});
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

function guarded<T>(out: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw outputFault(error, out);
  }
}

/**
 * Removes files from the staging base that the next build would have to replace. The others are hard links to published files and need no
 * space. The marker stays, because it identifies the record of the base.
 */
function removeFiles(base: string, paths: readonly string[]): void {
  for (const path of paths) {
    try {
      unlinkSync(join(base, path));
    } catch {
      // The base is on another disk, or someone changed it. The next build checks it file by file.
    }
  }
}

/** Renames a folder, so that threads that still run cannot write to it. @returns the new name */
function setAside(folder: string): string {
  const aside = `${folder}-discarded`;
  renameSync(folder, aside);
  return aside;
}

/** If `a` and `A` are the same file, leftovers in a reused tree cannot be distinguished from its files. */
function isCaseSensitive(path: string): boolean {
  const folder = dirname(path);
  return !existsSync(join(dirname(folder), basename(folder).toUpperCase()));
}

/** Large, because each block waits for a thread. */
const blockBytes = 256 * 1024;

async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Only a folder that Lectern wrote, or an empty one, is ever replaced. */
async function refuseForeignFolder(out: string, kept: KeptFiles, marker: string): Promise<void> {
  if (!existsSync(out)) return;
  const names = (await readdir(out)).filter((name) => !kept.has(name));
  if (names.length === 0 || existsSync(join(out, marker))) return;
  throw new LecternError('OUTPUT_NOT_OURS', `${out} contains files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one',
    exitCode: 2,
  });
}

/** Where an output is staged. Plain data: other threads write files there directly. */
export interface Workspace {
  /** Absolute path of the staging folder. */
  readonly folder: string;
  /** Whether an earlier output was staged there and has left files. */
  readonly isUsed: boolean;
  /** Absolute path of the output. */
  readonly out: string;
  /** Absolute path of the output if there is one to replace; otherwise `null`. */
  readonly previous: string | null;
}

/** Output for the files that one thread writes. */
export interface WorkspaceOutput {
  /** @param sha256 of the content, hex, if the caller knows it */
  write(path: string, content: string | Uint8Array, sha256?: string): Promise<WrittenFile>;
  open(path: string): Promise<OutputFile>;
  /** Publishes an existing file: see `StagedTree.link`. */
  link(from: string, file: WrittenFile, canLink: boolean): boolean;
  /** The written files, with compressed copies, and the number of reused files. */
  finish(): { readonly files: readonly WrittenFile[]; readonly reusedFiles: number };
}

/** @param previousFiles records of the previous output's files at the paths to be written */
export function openWorkspace(
  { folder, isUsed, out, previous }: Workspace,
  previousFiles: ReadonlyMap<string, RecordedFile>,
  compress: readonly Compression[],
): WorkspaceOutput {
  const staged = stagedFolderAt(folder, isUsed);
  const known = { find: (path: string) => previousFiles.get(path) ?? null };
  const readKnown = () => known;
  const tree = createStagedTree(() => staged, out, previous, readKnown);
  const output = withCompressedCopies(
    {
      ...tree,
      write: async (path: string, content: string | Uint8Array, sha256?: string) =>
        tree.write(path, content, sha256),
      open: async (path: string) => tree.open(path),
      reuseAll: async (paths: readonly string[]) => tree.reuseAll(paths),
      readStaged: (path: string) => createReadStream(`${folder}/${path}`),
    },
    compress,
  );
  return {
    write: output.write,
    open: output.open,
    link: tree.link,
    finish: () => ({ files: [...tree.files()], reusedFiles: tree.reused() }),
  };
}
