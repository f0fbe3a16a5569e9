import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../core/file-system.ts';
import { followLink, outputFault } from './file-operations.ts';
import { refuseForeignFolder } from './foreign-files.ts';
import { acquireLock, type LockOptions } from './lock.ts';
import { cleanUp, removeTree, type Siblings, siblingsOf, swapIn } from './swap.ts';

/** Creates an empty folder next to the output. @returns its absolute path */
export function makeStagingFolder({ parent, stagingPrefix }: Siblings): string {
  return mkdtempSync(join(parent, stagingPrefix));
}

/**
 * Replaces a folder atomically: `write` fills a staging folder next to it, which is then swapped in. If it fails or is killed, the folder
 * is unchanged.
 * @param out absolute path; it need not exist
 * @param marker a file that the folder contains if Lectern wrote it: no other folder with files is replaced
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
    refuseForeignFolder(siblings.out, marker);
    const staged = makeStagingFolder(siblings);
    try {
      const result = await write(staged);
      lock.assertHeld();
      await swapIn(staged, siblings);
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
