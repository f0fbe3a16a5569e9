import { chmodSync, renameSync } from 'node:fs';
import { LecternError } from '../foundation/errors.ts';
import { pathExists } from './files.ts';
import { removeTree } from './remove-tree.ts';
import type { Siblings } from './siblings.ts';

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
