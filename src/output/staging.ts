import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LecternError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { move, pathExists } from './files.ts';
import { outputMarker, readLastOutput } from './last-output.ts';
import { acquireLock } from './lock.ts';
import type { Output } from './output.ts';
import { outputFault } from './output-fault.ts';
import { removeTree } from './remove-tree.ts';
import { createScratchFile, type ScratchFile } from './scratch-file.ts';
import { type Siblings, siblingsOf } from './siblings.ts';
import { createStagedTree } from './staged-tree.ts';
import { swapIn } from './swap.ts';

/** An output being written out of sight: `commit` makes it the output, `discard` leaves the old one as it was. */
export interface Staging extends Output {
  /** Beside the staged tree, for what need not stay in memory; closed by `commit` and `discard`. */
  readonly scratch: ScratchFile;
  /** Reads back what was staged (written and closed), in blocks. */
  readStaged(path: string): AsyncIterable<Uint8Array>;
  /** Swaps the staged tree in whole. */
  commit(): Promise<void>;
  /** Removes what was staged. Safe to call twice. */
  discard(): Promise<void>;
}

/**
 * Locks the output folder, cleans up after a killed run and opens a staging folder beside it.
 * @param out absolute path of the output folder
 * @param record what the last run remembered of its output (`rememberOutput`); without it, no file is kept unread
 * @throws OUTPUT_LOCKED, OUTPUT_NOT_OURS, OUTPUT_UNWRITABLE
 */
export async function openStaging(out: string, record?: string): Promise<Staging> {
  const places = siblingsOf(out);
  const unlock = lockOutput(places);
  try {
    await cleanUp(places);
    await refuseForeignFolder(out);
    const folder = await mkdtemp(join(places.parent, places.stagingPrefix));
    return createStaging(places, folder, unlock, record);
  } catch (error) {
    unlock();
    throw outputFault(error, out);
  }
}

function lockOutput(places: Siblings): () => void {
  try {
    makeFolder(places.parent);
    return acquireLock(places.lock);
  } catch (error) {
    throw outputFault(error, places.out);
  }
}

function createStaging(
  places: Siblings,
  folder: string,
  unlock: () => void,
  record: string | undefined,
): Staging {
  const readLast = () => (record === undefined ? null : readLastOutput(record, places.out));
  const tree = createStagedTree(folder, places.out, readLast);
  const scratch = createScratchFile(places);
  let isOpen = true;
  return {
    write: async (path, content, sha256) => tree.write(path, content, sha256),
    open: async (path) => tree.open(path),
    keep: tree.keep,
    keepDerived: tree.keepDerived,
    files: tree.files,
    readStaged: (path) => createReadStream(join(folder, path)),
    scratch,
    async readPrevious(path) {
      try {
        return await readFile(join(places.out, path));
      } catch (error) {
        if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
        throw error;
      }
    },
    async commit() {
      scratch.close();
      await swapIn(folder, places);
      isOpen = false;
      unlock();
    },
    async discard() {
      if (!isOpen) return;
      isOpen = false;
      scratch.close();
      tree.abandon();
      await removeTree(folder);
      unlock();
    },
  };
}

/** Ends what a killed run left: puts a waiting output back, removes its staging folders. The lock is held. */
async function cleanUp(places: Siblings): Promise<void> {
  if (await pathExists(places.previous)) {
    if (await pathExists(places.out)) await removeTree(places.previous);
    else await move(places.previous, places.out);
  }
  for (const name of await readdir(places.parent)) {
    if (name.startsWith(places.stagingPrefix)) await removeTree(join(places.parent, name));
  }
}

/** Only a folder that Lectern wrote (or an empty one) is ever replaced. */
async function refuseForeignFolder(out: string): Promise<void> {
  if (!(await pathExists(out))) return;
  const names = await readdir(out);
  if (names.length === 0 || (await pathExists(join(out, outputMarker)))) return;
  throw new LecternError('OUTPUT_NOT_OURS', `${out} holds files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one yourself',
    exitCode: 2,
  });
}
