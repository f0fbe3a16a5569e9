import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { makeFolder, readStartOrNull } from '../core/file-system.ts';
import { isCacheFile } from '../core/sqlite/cache-file.ts';
import { isWithin } from '../core/user-folder.ts';
import { followLink, namesIn, statsOf } from './file-operations.ts';
import { acquireLock, type FolderLock, type LockOptions } from './lock.ts';

/** A file that marks caches for backup programs (bford.info/cachedir); its text names Lectern. */
const tagFile = 'CACHEDIR.TAG';
/** Content of that file. */
export const cacheTag =
  'Signature: 8a477f597d28d172789f06886806bc55\n# This is a cache of Lectern. It may be deleted.\n';

const lockName = 'lock';

/** The snapshot: it identifies a cache without a tag. */
const snapshotName = 'snapshot.db';

/**
 * Locks a cache folder, so that builds of several outputs that share it run one after another.
 * @param cache absolute path; the folder is created if missing
 * @param out absolute path of the output folder
 * @returns `null` if this run cannot write to the cache
 * @throws CACHE_UNUSABLE (exit 2), LOCKED
 */
export async function lockCache(
  cache: string,
  out: string,
  waiting: Pick<LockOptions, 'onWait' | 'signal'>,
): Promise<FolderLock | null> {
  const folder = followLink(cache);
  refuseInside(folder, followLink(out));
  refuseForeign(folder);
  const { onWait, signal } = waiting;
  try {
    makeFolder(folder);
    const lock = await acquireLock(join(folder, lockName), { folder, onWait, signal });
    writeTag(join(folder, tagFile));
    return lock;
  } catch (error) {
    if (error instanceof LecternError) throw error;
    return null;
  }
}

/** Rewrites a damaged tag: if the snapshot were damaged, too, the cache would look like a foreign folder. */
function writeTag(path: string): void {
  if (hasTag(path)) return;
  try {
    rmSync(path, { force: true, recursive: true });
    writeFileSync(path, cacheTag, { flag: 'wx' });
  } catch {
    // Possibly a full disk. The cache can still be used as before.
    rmSync(path, { force: true });
  }
}

/** Refuses a cache inside the output: it would be deleted or published. */
function refuseInside(cache: string, out: string): void {
  if (!isWithin(out, cache)) return;
  throw new LecternError('CACHE_UNUSABLE', `the cache ${cache} is inside the output folder ${out}`, {
    hint: `choose another output folder, or a cache outside of it, e.g. --cache ${join(dirname(out), '.lectern')}`,
    exitCode: 2,
  });
}

/** Ignores hidden and empty files. A run that is killed, or whose disk is full, before the cache has a tag leaves empty ones. */
function refuseForeign(cache: string): void {
  const names = namesIn(cache).filter(
    (name) => !/^(?:\..*|lost\+found)$/.test(name) && name !== lockName && !isEmptyFile(join(cache, name)),
  );
  if (names.length === 0) return;
  if (hasTag(join(cache, tagFile)) || isCacheFile(join(cache, snapshotName))) return;
  throw new LecternError('CACHE_UNUSABLE', `${cache} contains files and is not a cache of Lectern`, {
    hint: 'choose another folder with the setting cache, or empty this one',
    exitCode: 2,
  });
}

/** A folder has the size 0, too, on Windows and some file systems. */
function isEmptyFile(path: string): boolean {
  const stats = statsOf(path);
  return stats?.isFile() === true && stats.size === 0;
}

function hasTag(file: string): boolean {
  return readStartOrNull(file, cacheTag.length)?.toString('latin1') === cacheTag;
}
