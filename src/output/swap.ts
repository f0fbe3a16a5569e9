import {
  chmodSync,
  existsSync,
  lstatSync,
  type NoParamCallback,
  readdirSync,
  renameSync,
  rmdir,
  unlink,
  unlinkSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LecternError, messageOf } from '../core/errors.ts';
import { followLink } from './file-operations.ts';
import { acquireLock } from './lock.ts';

/**
 * Makes a staged folder the output. Two synchronous renames directly after each other: a run killed between them leaves the complete
 * previous output in `previous`, and the next run restores it.
 * @throws OUTPUT_UNWRITABLE if the folder cannot be renamed (a mount point, missing permissions)
 */
export async function swapIn(staged: string, siblings: Siblings): Promise<void> {
  // mkdtemp creates folders that only their owner can access; a web server may run as another user.
  chmodSync(staged, 0o755);
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
  if (hadOutput) await removeTree(siblings.previous);
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
    const options = { folder: siblings.out, waitMs: 0 } as const;
    const lock = await acquireLock(siblings.lock, options);
    await cleanUp(siblings).finally(lock.release);
  } catch {
    return;
  }
}

/** Cleans up after a killed run: restores the previous output and removes staging folders. The caller holds the lock. */
export async function cleanUp(siblings: Siblings): Promise<void> {
  if (existsSync(siblings.previous)) {
    if (existsSync(siblings.out)) await removeTree(siblings.previous);
    else await (await loadFsExtra()).move(siblings.previous, siblings.out);
  }
  for (const name of await readdir(siblings.parent)) {
    if (name.startsWith(siblings.stagingPrefix)) await removeTree(join(siblings.parent, name));
  }
}

/** Number of sibling folders that are removed at the same time. */
const foldersAtOnce = 32;

/**
 * Removes a folder with its content; a link to a folder is removed, not followed. Makes several calls at a time, because a disk makes each
 * one wait, and omits the extra checks that `fs.rm` makes for every file. Falls back to `fs.rm`.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    if (lstatSync(folder).isDirectory()) await removeFolder(folder);
    else unlinkSync(folder);
  } catch {
    await (await loadFsExtra()).remove(folder);
  }
}

/** Loaded only if needed: otherwise every render thread would load it, which takes 30 ms. */
function loadFsExtra() {
  // fs-extra moves and removes folders also where a rename or a removal is refused, such as across disks.
  return import('fs-extra/esm');
}

async function removeFolder(folder: string): Promise<void> {
  const folders: string[] = [];
  const files: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    (entry.isDirectory() ? folders : files).push(`${folder}/${entry.name}`);
  }
  await forAll(files, unlink);
  for (let at = 0; at < folders.length; at += foldersAtOnce) {
    await Promise.all(folders.slice(at, at + foldersAtOnce).map(removeFolder));
  }
  await forAll([folder], rmdir);
}

/** One promise for many calls. */
function forAll(paths: readonly string[], act: (path: string, done: NoParamCallback) => void): Promise<void> {
  if (paths.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let left = paths.length;
    const done: NoParamCallback = (error) => {
      left -= 1;
      if (error !== null) reject(error);
      else if (left === 0) resolve();
    };
    for (const path of paths) act(path, done);
  });
}
