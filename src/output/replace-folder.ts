import { readdirSync } from 'node:fs';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { followLink, outputFault } from './file-operations.ts';
import { acquireLock, type LockOptions } from './lock.ts';
import { makeStagedFolder } from './staged-folder.ts';
import { cleanUp, removeTree, siblingsOf, swapIn } from './swap.ts';

/**
 * Replaces a folder whole: `write` fills a staging folder beside it, which is then swapped in. When it fails, or is killed, the
 * folder is unchanged.
 * @param out absolute path; it need not exist
 * @param marker a file that the folder has if Lectern wrote it: no other folder with files is replaced
 * @throws OUTPUT_NOT_OURS (exit 2), OUTPUT_LOCKED, OUTPUT_UNWRITABLE, OUTPUT_NOT_REPLACEABLE, and what `write` throws
 */
export async function replaceFolder<T>(
  out: string,
  marker: string,
  waiting: Pick<LockOptions, 'onWait' | 'signal'>,
  write: (folder: string) => Promise<T>,
): Promise<T> {
  const siblings = siblingsOf(followLink(out));
  makeFolder(siblings.parent);
  const lock = await acquireLock(siblings.lock, { ...waiting, code: 'OUTPUT_LOCKED', folder: out });
  try {
    await cleanUp(siblings);
    refuseForeign(siblings.out, marker);
    const staged = makeStagedFolder(siblings).path;
    try {
      const result = await write(staged);
      lock.assertHeld();
      await swapIn(staged, siblings, null);
      return result;
    } catch (error) {
      await removeTree(staged);
      throw error;
    }
  } catch (error) {
    throw outputFault(error, out);
  } finally {
    lock.release();
  }
}

function refuseForeign(out: string, marker: string): void {
  const names = namesIn(out);
  if (names.length === 0 || names.includes(marker)) return;
  throw new LecternError('OUTPUT_NOT_OURS', `${out} contains files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one',
    exitCode: 2,
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
