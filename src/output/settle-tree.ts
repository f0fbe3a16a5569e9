import { rmdirSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { describeAndStamp, type FolderStamp } from './folder-stamp.ts';
import { statsOf } from './stats-of.ts';
import type { WrittenFiles } from './written-files.ts';

/** A staged tree as it is swapped in. */
export interface SettledTree {
  /** What `describeFolder` says of it by size and time. */
  readonly description: string | null;
  readonly stamp: FolderStamp | null;
  /** Time of change of every file, in milliseconds, in the order of the files; `NaN`: it is not as it was written. */
  readonly times: Float64Array;
  /** Number of every file on its disk. */
  readonly inodes: Float64Array;
}

/**
 * Looks at every file of a staged tree; one that others grew in before is left with its files and nothing else.
 * @param files sorted by path
 * @param leftovers what an earlier tree may have left in this one; files are among them. `null`: there was none
 * @param isKept whether a path is one of the user's, which stays and is not looked at
 * @throws OUTPUT_CONFLICT when one of the files had to make way for another
 */
export function settleTree(
  folder: string,
  files: WrittenFiles,
  leftovers: Iterable<string> | null,
  isKept: (path: string) => boolean,
): SettledTree {
  if (leftovers === null) return look(folder, files, isKept);
  const remove = (paths: Iterable<string>): void => {
    for (const path of paths) if (files.indexOf(path) < 0) removeFile(folder, path);
  };
  remove(leftovers);
  let settled = look(folder, files, isKept);
  if (settled.strangers.length > 0) {
    // Somebody put files into a folder that is nobody else's business: they are not published.
    remove(settled.strangers);
    settled = look(folder, files, isKept);
  }
  const lost = settled.times.findIndex(Number.isNaN);
  if (lost >= 0) throw conflict(files.at(lost)?.path ?? '');
  return settled;
}

function look(folder: string, files: WrittenFiles, isKept: (path: string) => boolean) {
  const times = new Float64Array(files.length).fill(Number.NaN);
  const inodes = new Float64Array(files.length);
  const strangers: string[] = [];
  const onStats = (path: string, { size, mtimeMs, ino }: Stats): void => {
    const index = files.indexOf(path);
    if (index < 0) strangers.push(path);
    else if (files.at(index)?.bytes === size) {
      times[index] = mtimeMs;
      inodes[index] = ino;
    }
  };
  const described = describeAndStamp(folder, onStats, isKept);
  return { ...described, times, inodes, strangers };
}

function conflict(path: string): LecternError {
  return new LecternError('OUTPUT_CONFLICT', `${path} is wanted as a file and as a folder`, {
    hint: 'choose URL patterns that keep pages apart, or rename one of them',
  });
}

/** Removes a file and the folders that are empty without it. */
function removeFile(root: string, path: string): void {
  const stats = statsOf(join(root, path));
  if (stats === null || stats.isDirectory()) return;
  rmSync(join(root, path));
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) rmdirSync(join(root, folder));
  } catch {
    // It holds something, or is gone already.
  }
}
