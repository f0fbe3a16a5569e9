import {
  chmodSync,
  existsSync,
  lstatSync,
  type NoParamCallback,
  readdirSync,
  renameSync,
  rmdir,
  unlink,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { followLink } from './file-operations.ts';
import { move, pathExists, remove } from './files.ts';
import { acquireLock } from './lock.ts';

/**
 * Makes a staged folder the output. Two renames back to back, without a turn of the event loop between them; a run
 * killed exactly there leaves the whole old output in `previous`, and the next run puts it back.
 * @param spare where the replaced output goes; `null`: it is removed
 * @throws OUTPUT_NOT_REPLACEABLE when the folder cannot be renamed (a mount point, missing rights)
 */
export async function swapIn(staged: string, places: Siblings, spare: string | null): Promise<void> {
  // mkdtemp makes folders only their owner may enter; a web server is somebody else.
  chmodSync(staged, 0o755);
  const hadOutput = await pathExists(places.out);
  try {
    if (hadOutput) renameSync(places.out, places.previous);
  } catch (cause) {
    throw notReplaceable(places.out, cause);
  }
  try {
    renameSync(staged, places.out);
  } catch (cause) {
    if (hadOutput) renameSync(places.previous, places.out);
    throw notReplaceable(places.out, cause);
  }
  if (!hadOutput) return;
  if (spare === null || !(await putAside(places.previous, spare))) await removeTree(places.previous);
}

/** `false` where it cannot be moved there, such as to another disk. */
async function putAside(folder: string, spare: string): Promise<boolean> {
  try {
    if (await pathExists(spare)) await removeTree(spare);
    renameSync(folder, spare);
    return true;
  } catch {
    return false;
  }
}

function notReplaceable(out: string, cause: unknown): LecternError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LecternError('OUTPUT_NOT_REPLACEABLE', `${out} cannot be replaced: ${reason}`, {
    hint: 'use a folder that can be renamed (inside a mount point, not the mount point itself), with write access to its parent',
    cause,
  });
}

/** The working places beside an output folder: on the same file system, so that a rename is atomic. */
export interface Siblings {
  readonly out: string;
  readonly parent: string;
  /** Prefix of staging folders: `.dist.staging-`. */
  readonly stagingPrefix: string;
  /** Where the replaced output waits between the two renames of a swap. */
  readonly previous: string;
  /** Lock of the run that writes (`acquireLock`). */
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
 * Puts an output back that a run killed between the two renames of a swap left waiting, for commands that read outputs.
 * Where a run holds the lock, or nothing can be written, the output is left to the next build.
 * @param out absolute path of the output folder; it need not be one
 */
export async function putBack(out: string): Promise<void> {
  const places = siblingsOf(followLink(out));
  if (existsSync(places.out) || !existsSync(places.previous)) return;
  try {
    const options = { code: 'OUTPUT_LOCKED', folder: places.out, waitMs: 0 } as const;
    const lock = await acquireLock(places.lock, options);
    await cleanUp(places).finally(lock.release);
  } catch {
    return;
  }
}

/** Ends what a killed run left: puts a waiting output back, removes its staging folders. The lock is held. */
export async function cleanUp(places: Siblings): Promise<void> {
  if (await pathExists(places.previous)) {
    if (await pathExists(places.out)) await removeTree(places.previous);
    else await move(places.previous, places.out);
  }
  for (const name of await readdir(places.parent)) {
    if (name.startsWith(places.stagingPrefix)) await removeTree(join(places.parent, name));
  }
}

/** Folders beside each other that are removed at the same time. */
const foldersAtOnce = 32;

/**
 * Removes a folder with all it holds; a link to a folder is removed, not followed. Some calls at a time, since a disk
 * makes each wait; without what `fs.rm` does for every file besides, which is asked where this does not work.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    if (lstatSync(folder).isDirectory()) await removeFolder(folder);
    else await remove(folder);
  } catch {
    await remove(folder);
  }
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
