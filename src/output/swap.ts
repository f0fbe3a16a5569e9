import { chmodSync, existsSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
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

/**
 * Removes a folder with its content; a link to a folder is removed, not followed. Calls one after the other take half the processor time of
 * several at a time, which other threads make and which wait for each other, and of `fs.rm`, which checks every file. Falls back to fs-extra.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    if (lstatSync(folder).isDirectory()) removeFolder(folder);
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

function removeFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeFolder(path);
    else unlinkSync(path);
  }
  rmdirSync(folder);
}
