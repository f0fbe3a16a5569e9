import { chmodSync, existsSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type KeptFiles, removeKept } from './foreign-files.ts';
import { outputMarker, type PreviousOutput, scanFolder } from './previous-output.ts';

/**
 * A replaced output in which the next one is staged, so that an edit links only what changed: hard links to files of the current output,
 * and nothing else.
 */
export interface Spare {
  /** Whether the current output's file is at this path already; it then stays there. */
  keeps(path: string): boolean;
  /** Removes what is in the way of a new file at this path. */
  makeRoom(path: string): void;
  /** Removes every file that was neither kept nor replaced. */
  clear(): void;
}

/**
 * Turns a replaced output into a spare.
 * @param folder absolute path
 * @param isShared whether the new output has the same file at a path, as a hard link
 */
export async function makeSpare(
  folder: string,
  replaced: Pick<PreviousOutput, 'found'>,
  isShared: (path: string) => boolean,
  kept: KeptFiles,
): Promise<void> {
  for (const path of replaced.found().keys()) if (!isShared(path)) removeFile(folder, path);
  await removeKept(folder, kept);
  chmodSync(folder, 0o700);
}

/** Whether a disk can have a spare of an output. One that ignores case would keep the case of its folders. */
export function isSpareUsable({ folder, published }: PreviousOutput): boolean {
  const marker = join(folder, outputMarker);
  return published !== null && existsSync(marker) && !existsSync(join(folder, outputMarker.toUpperCase()));
}

/**
 * Opens a spare, and removes every file that is not the same as in the output: it may have been edited, restored or filled by others.
 * @param folder absolute path
 */
export function openSpare(folder: string, output: Pick<PreviousOutput, 'found'>): Spare {
  const shared = new Set<string>();
  for (const [path, file] of scanFolder(folder, () => false)) {
    const { inode, bytes, mtimeMs } = output.found().get(path) ?? {};
    // Some disks have larger inode numbers than a number can hold.
    if (inode === file.inode && bytes === file.bytes && mtimeMs === file.mtimeMs) shared.add(path);
    else removeFile(folder, path);
  }
  const remove = (path: string): void => {
    shared.delete(path);
    removeFile(folder, path);
  };
  return {
    keeps: (path) => shared.delete(path),
    makeRoom(path) {
      if (shared.has(path)) return remove(path);
      // A file where a folder is needed, or the other way round.
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
        if (shared.has(path.slice(0, at))) return remove(path.slice(0, at));
      }
      if (!lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.isDirectory()) return;
      for (const below of [...shared]) if (below.startsWith(`${path}/`)) remove(below);
      if (existsSync(`${folder}/${path}`)) removeEmpty(`${folder}/${path}`);
    },
    clear() {
      for (const path of [...shared]) remove(path);
    },
  };
}

/** Removes a folder and the folders in it, if there is no file in them. */
function removeEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(`${folder}/${entry.name}`);
  }
  tryToRemove(folder);
}

/** @returns whether the folder was empty */
function tryToRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Removes a file, and the folders below `root` that are empty without it. */
function removeFile(root: string, path: string): void {
  unlinkSync(`${root}/${path}`);
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (!tryToRemove(`${root}/${folder}`)) return;
  }
}
