import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { move, pathExists } from './files.ts';
import { followLink } from './follow-link.ts';
import { acquireLock } from './lock.ts';
import { removeTree } from './remove-tree.ts';
import { type Siblings, siblingsOf } from './siblings.ts';

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
