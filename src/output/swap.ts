import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LecternError, messageOf } from '../core/errors.ts';
import { foldersOf, followLink } from './file-operations.ts';
import { acquireLock } from './lock.ts';

/**
 * Makes a staged folder the output. Two synchronous renames directly after each other: a run killed between them leaves the complete
 * previous output in `previous`, and the next run restores it. `removeReplaced` removes it after the swap.
 * @param files paths of all staged files
 * @throws OUTPUT_UNWRITABLE if the folder cannot be renamed (a mount point, missing permissions)
 */
export function swapIn(staged: string, siblings: Siblings, files: readonly string[]): void {
  // A web server may run as another user, and a group may share the output: mkdtemp and a umask such as 077 would refuse them.
  const own = modeOfFolders(staged);
  const mode = 0o755 | own;
  for (const folder of own === mode ? [''] : foldersOf(files)) chmodSync(join(staged, folder), mode);
  if (own !== mode) for (const path of files) letRead(join(staged, path), mode & 0o664);
  const hadOutput = existsSync(siblings.out);
  try {
    if (hadOutput) renameSync(siblings.out, siblings.previous);
  } catch (cause) {
    throw notReplaceable(siblings.out, cause);
  }
  try {
    renameSync(staged, siblings.out);
  } catch (cause) {
    if (hadOutput) renameSync(siblings.previous, siblings.out);
    throw notReplaceable(siblings.out, cause);
  }
}

/** Changes nothing where that is refused: the file may be a link to one of another user, or on a disk that stores no modes. */
function letRead(file: string, mode: number): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** The mode that a folder gets in another one by the umask, with the bit that keeps its group, and for no other users more than to read. */
function modeOfFolders(folder: string): number {
  const probe = join(folder, '.lectern-mode');
  mkdirSync(probe);
  const { mode } = lstatSync(probe);
  rmdirSync(probe);
  return mode & 0o2775;
}

/**
 * Refuses an output that a swap could replace, but whose files it could not remove then.
 * @throws OUTPUT_UNWRITABLE
 */
export function refuseForeignOwner(out: string): void {
  try {
    accessSync(out, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new LecternError('OUTPUT_UNWRITABLE', `the files in ${out} cannot be replaced (${code})`, {
      hint: 'another user may own them, such as root of a container that built them: change their owner with chown, or remove them; the previous output is unchanged',
      cause,
    });
  }
}

/**
 * Removes the output that was replaced, if there was one.
 * @param files paths of its files, if known; none of its folders is a link
 * @throws OUTPUT_UNWRITABLE
 */
export function removeReplaced({ previous }: Siblings, files?: readonly string[]): void {
  if (!existsSync(previous)) return;
  try {
    removeTree(previous, files);
  } catch (cause) {
    throw new LecternError('OUTPUT_UNWRITABLE', `${previous} cannot be removed: ${messageOf(cause)}`, {
      hint: 'the output is in place, and this folder has the files that it replaced: remove it, as the user who owns them',
      cause,
    });
  }
}

function notReplaceable(out: string, cause: unknown): LecternError {
  const reason = messageOf(cause);
  return new LecternError('OUTPUT_UNWRITABLE', `${out} cannot be replaced: ${reason}`, {
    hint: 'use a folder that can be renamed (inside a mount point, not the mount point itself) and a writable parent folder',
    cause,
  });
}

/** The paths next to an output folder that a run uses: on the same file system, so that renames are atomic. */
export interface Siblings {
  readonly out: string;
  readonly parent: string;
  /** Prefix of staging folders: `.dist.staging-`. */
  readonly stagingPrefix: string;
  /** Path of the replaced output between the two renames of a swap. */
  readonly previous: string;
  /** Lock of a run that writes (`acquireLock`). */
  readonly lock: string;
}

/** @param out absolute path of the output folder */
export function siblingsOf(out: string): Siblings {
  const parent = dirname(out);
  const name = basename(out);
  return {
    out,
    parent,
    stagingPrefix: `.${name}.staging-`,
    previous: join(parent, `.${name}.previous`),
    lock: join(parent, `.${name}.lock`),
  };
}

/**
 * Restores an output if a run was killed between the two renames of a swap, for commands that read outputs. Does nothing if a run holds the
 * lock or nothing can be written: the next build restores it.
 * @param out absolute path of the output folder; it need not be one
 */
export async function putBack(out: string): Promise<void> {
  const siblings = siblingsOf(followLink(out));
  if (existsSync(siblings.out) || !existsSync(siblings.previous)) return;
  try {
    const lock = await acquireLock(siblings.lock, { folder: siblings.out, waitMs: 0 });
    await cleanUp(siblings).finally(lock.release);
  } catch {
    return;
  }
}

/** Cleans up after a killed run: restores the previous output and removes staging folders. The caller holds the lock. */
export async function cleanUp(siblings: Siblings): Promise<void> {
  if (existsSync(siblings.previous)) {
    if (existsSync(siblings.out)) removeReplaced(siblings);
    // Loaded only if needed: otherwise every render thread would load it, which takes 30 ms.
    // fs-extra moves folders also where a rename is refused, such as across disks.
    else await (await import('fs-extra/esm')).move(siblings.previous, siblings.out);
  }
  for (const name of await readdir(siblings.parent)) {
    if (name.startsWith(siblings.stagingPrefix)) removeTree(join(siblings.parent, name));
  }
}

/**
 * Removes a folder with its content; a link to a folder is removed, not followed. Calls one after the other take half the processor time of
 * several at a time, which other threads make and which wait for each other.
 * @param files paths of its files, if known: then its folders are not listed, unless something else is in one
 */
export function removeTree(folder: string, files: readonly string[] = []): void {
  try {
    for (const path of files) unlinkSync(`${folder}/${path}`);
    for (const inner of [...foldersOf(files)].reverse()) rmdirSync(join(folder, inner));
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}
