import { createReadStream, existsSync, renameSync, unlinkSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { once } from '../foundation/concurrency.ts';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/file-system.ts';
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
import { createStagedTree, type StagedTree } from './staged-tree.ts';
import { cleanUp, removeTree, type Siblings, siblingsOf, swapIn } from './swap.ts';

/** An output being written out of sight: `commit` makes it the output, `discard` leaves the old one as it was. */
export interface Staging extends Output {
  /** Where other threads write their files. */
  workspace(): Workspace;
  /** Records of the files of the previous output with these paths. */
  recorded(paths: Iterable<string>): ReadonlyMap<string, RecordedFile>;
  /**
   * Swaps the staged tree in whole.
   * @param onFinalized gets what `parseFileTable` reads, before the tree becomes the output
   * @throws OUTPUT_FOREIGN_FILES, OUTPUT_CONFLICT, OUTPUT_LOCKED, OUTPUT_NOT_REPLACEABLE
   */
  commit(onFinalized: (fileTable: Uint8Array) => void): Promise<void>;
  /** Removes what was staged. Safe to call twice. */
  discard(): Promise<void>;
}

interface StagingOptions extends Pick<LockOptions, 'waitMs' | 'onWait' | 'signal'> {
  /** Files of the user in the output; absent: `.git` alone. */
  readonly kept?: KeptFiles;
  /** Path of the file that marks an output of this kind as written by Lectern; absent: that of a site. */
  readonly marker?: string;
}

/** Records of earlier outputs; they may be lost at any time. */
export interface OutputHistory {
  /** The files of the output as the run that wrote it left them; `null`: nothing is known. */
  readonly last: LastOutput | null;
  /** Absolute path of a folder: the tree that the last run replaced, which the next one is staged in. */
  readonly base: string;
  /** That tree as the run that wrote it left it; `null`: it is not known, and not used. */
  readonly baseFiles: LastOutput | null;
}

/**
 * Locks the output folder, cleans up after a killed run and opens a staging folder beside it.
 * @param out absolute path of the output folder
 * @param readHistory called after the swap; without it, every file is compared byte by byte
 * @throws OUTPUT_LOCKED, OUTPUT_NOT_OURS, OUTPUT_UNWRITABLE
 */
export async function openStaging(
  out: string,
  readHistory: () => OutputHistory | null = () => null,
  { kept = createKeptFiles([]), marker = outputMarker, ...waiting }: StagingOptions = {},
): Promise<Staging> {
  const siblings = siblingsOf(followLink(out));
  const lock = await lockOutput(siblings, waiting);
  try {
    await cleanUp(siblings);
    await refuseForeignFolder(siblings.out, kept, marker);
    return createStaging(siblings, lock, readHistory(), kept);
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
 * Whether the output is still the tree that the last run wrote, and not a copy of it. The staging base shares files with
 * that one; beside a copy they would only give every file of the output another inode.
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
  const tree = createStagedTree(openFolder, siblings.out, previous, () => last);
  return {
    write: async (path, content, sha256) => tree.write(path, content, sha256),
    open: async (path) => tree.open(path),
    reuse: tree.reuse,
    reuseDerived: tree.reuseDerived,
    has: tree.has,
    paths: tree.paths,
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
      const files = tree.files();
      if (previous !== null) refuseForeignFiles(previous, tree.paths(), kept, last);
      /** Files of the previous output that are not in this one, too. */
      const replaced: string[] = [];
      const noteReplaced = (path: string, inode: number): void => {
        const file = last?.find(path);
        if (file != null && file.inode !== inode && path !== outputMarker) replaced.push(path);
      };
      const earlier = folder().isUsed ? (history?.baseFiles ?? null) : null;
      onFinalized(finalize(tree, folder().path, earlier, siblings.out, kept, noteReplaced));
      // Where little is the same, the old tree would only take room.
      const isWorthIt = history !== null && last !== null && 2 * tree.reused() >= files.length;
      lock.assertHeld();
      await swapIn(folder().path, siblings, isWorthIt ? history.base : null);
      isOpen = false;
      // The swap is done: what cannot be removed only takes disk space.
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

function finalize(
  tree: StagedTree,
  folder: string,
  earlier: LastOutput | null,
  out: string,
  kept: KeptFiles,
  onNewFile: (path: string, inode: number) => void,
): Uint8Array {
  try {
    takeOverKept(out, folder, tree.files(), kept);
    return finalizeTree(folder, tree.table, earlier, kept.has, onNewFile);
  } catch (error) {
    throw outputFault(error, out);
  }
}

/**
 * Removes files of the staging base that the next build would have to replace: without them it holds nothing but other
 * names of published files. The marker stays, by which its record is found.
 */
function removeFiles(base: string, paths: readonly string[]): void {
  for (const path of paths) {
    try {
      unlinkSync(join(base, path));
    } catch {
      // The base is on another disk, or somebody changed it: it is checked file by file when it is used.
    }
  }
}

/** Gives a folder another name, so that threads that still run write nothing more into it. @returns the name */
function setAside(folder: string): string {
  const aside = `${folder}-discarded`;
  renameSync(folder, aside);
  return aside;
}

/** Where `a` and `A` are one file, leftovers in a reused tree cannot be distinguished from its files. */
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
async function refuseForeignFolder(out: string, kept: KeptFiles, marker: string): Promise<void> {
  if (!existsSync(out)) return;
  const names = (await readdir(out)).filter((name) => !kept.has(name));
  if (names.length === 0 || existsSync(join(out, marker))) return;
  throw new LecternError('OUTPUT_NOT_OURS', `${out} contains files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one',
    exitCode: 2,
  });
}

/** Where an output is staged. Plain data: other threads write their files there themselves. */
export interface Workspace {
  /** Absolute path of the staging folder. */
  readonly folder: string;
  /** An earlier output was staged there, and has left files. */
  readonly isUsed: boolean;
  /** Absolute path of the output. */
  readonly out: string;
  /** The same where there is an output to be replaced; else `null`. */
  readonly previous: string | null;
}

/** Files written from one thread. */
export interface WorkspaceOutput {
  /** @param sha256 of the content, hex, where the caller has it already */
  write(path: string, content: string | Uint8Array, sha256?: string): Promise<WrittenFile>;
  open(path: string): Promise<OutputFile>;
  /** Publishes a file that is written elsewhere: see `StagedTree.link`. */
  link(from: string, file: WrittenFile): boolean;
  /** The written files, with compressed copies, and the number of reused files. */
  finish(): { readonly files: readonly WrittenFile[]; readonly reusedFiles: number };
}

/** @param previousFiles what is known of the previous output's files with the paths to be written */
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
