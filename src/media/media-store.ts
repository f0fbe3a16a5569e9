import { hash, randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renameOver } from '../foundation/atomic-write.ts';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/make-folder.ts';

/** Stores files in the cache folder by the hash of their content. */
export interface MediaStore {
  /** Takes a file; the same bytes are kept once. Gives their SHA-256, hex. @throws CACHE_UNWRITABLE */
  put(bytes: Uint8Array): Promise<string>;
  /** Whether the file is there and undamaged; its content is checked once per run. */
  has(sha256: string): Promise<boolean>;
  read(sha256: string): Promise<Uint8Array>;
  /** Deletes every other file. */
  keepOnly(wanted: ReadonlySet<string>): Promise<void>;
}

/** @param folder made when the first file comes */
export function createMediaStore(folder: string): MediaStore {
  const sound = new Set<string>();
  const has = async (sha256: string): Promise<boolean> => {
    if (sound.has(sha256)) return true;
    const bytes = await readFile(join(folder, sha256)).catch(() => null);
    const isSound = bytes !== null && hash('sha256', bytes) === sha256;
    if (isSound) sound.add(sha256);
    return isSound;
  };
  return {
    has,
    async put(bytes) {
      const sha256 = hash('sha256', bytes);
      if (await has(sha256)) return sha256;
      // Written aside and moved, so that a killed run leaves no half file under a hash.
      const aside = join(folder, `${sha256}.${randomUUID()}`);
      try {
        makeFolder(folder);
        await writeFile(aside, bytes);
        renameOver(aside, join(folder, sha256));
        sound.add(sha256);
      } catch (error) {
        await rm(aside, { force: true }).catch(() => {});
        throw storeFault(error, folder);
      }
      return sha256;
    },
    read: (sha256) => readFile(join(folder, sha256)),
    async keepOnly(wanted) {
      const names = await readdir(folder).catch(() => []);
      const unwanted = names.filter((name) => !wanted.has(name));
      // What cannot be deleted takes room and does no harm.
      await Promise.all(
        unwanted.map((name) => rm(join(folder, name), { recursive: true, force: true }).catch(() => {})),
      );
    },
  };
}

/** What the user sees; anything that is no file-system error stays a bug. */
function storeFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined) return error;
  return new LecternError('CACHE_UNWRITABLE', `an image or file cannot be written to ${folder} (${code})`, {
    hint: 'free some disk space, or set --cache to a writable folder',
    cause: error,
  });
}
