import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../core/file-system.ts';
import { repository } from './foreign-files.ts';
import type { FoundFile } from './previous-output.ts';
import { removeTree, type Siblings } from './swap.ts';

/**
 * The spare: a second folder with hard links to all files of the output. The next staged output is made in it, so that only what changes
 * is linked or written, instead of thousands of folders and links. It is only used if every entry is checked to be the same file as in
 * the output, so it may be edited, deleted, or left by a killed run.
 */

/** The replaced output of a smaller site is removed: making its folders again takes a tenth of a second. */
const minFiles = 2_000;

/** What a swap did. */
interface Replaced {
  /** Paths of the replaced output. */
  readonly before: Iterable<string>;
  /** Paths of the output. */
  readonly now: readonly string[];
  /** Whether a file is the same in both. */
  readonly isShared: (path: string) => boolean;
}

/** Makes the replaced output the spare of the new one; removes it if that is not worth it, or the disk cannot do it. */
export async function keepSpare(siblings: Siblings, { before, now, isShared }: Replaced): Promise<void> {
  const { previous, out, spare } = siblings;
  const added = now.filter((path) => !isShared(path));
  if (now.length < minFiles || added.length > now.length / 2) return removeTree(previous);
  try {
    await removeTree(join(previous, repository));
    // What was withdrawn must not stay on the disk.
    removeFiles(
      previous,
      [...before].filter((path) => !isShared(path)),
    );
    for (const path of added) {
      makeFolder(dirname(join(previous, path)));
      linkSync(join(out, path), join(previous, path));
    }
    // It is not part of the user's repository.
    writeFileSync(join(previous, '.gitignore'), '*\n', { flag: 'wx' });
    renameSync(previous, spare);
  } catch {
    await removeTree(previous);
  }
}

/**
 * Removes everything from a folder that is not a link to a file of the output at the same path.
 * @param found files of the output
 * @returns the paths of what is left
 */
export function takeSpare(folder: string, found: ReadonlyMap<string, FoundFile>): Set<string> {
  const left = new Set<string>();
  /** Returns whether something is left in it. */
  const visit = (parent: string): boolean => {
    let isEmpty = true;
    for (const entry of readdirSync(`${folder}/${parent}`, { withFileTypes: true })) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
      if (entry.isDirectory()) {
        if (visit(path)) isEmpty = false;
        else rmdirSync(`${folder}/${path}`);
      } else if (isSameFile(`${folder}/${path}`, found.get(path))) {
        left.add(path);
        isEmpty = false;
      } else unlinkSync(`${folder}/${path}`);
    }
    return !isEmpty;
  };
  visit('');
  return left;
}

function isSameFile(path: string, found: FoundFile | undefined): boolean {
  if (found === undefined) return false;
  const { ino, size, mtimeMs, ctimeMs } = lstatSync(path);
  // Where numbers of files do not fit into a double, times and size decide as well.
  return (
    ino === found.inode && size === found.bytes && mtimeMs === found.mtimeMs && ctimeMs === found.changedMs
  );
}

/** Removes files below a folder, and the folders that are empty then. */
function removeFiles(folder: string, paths: readonly string[]): void {
  const parents = new Set<string>();
  for (const path of paths) {
    unlinkSync(`${folder}/${path}`);
    parents.add(dirname(path));
  }
  for (const parent of parents) removeEmptyFolders(folder, parent);
}

/** Removes a folder below another one, and its parents, as far as they are empty. */
export function removeEmptyFolders(folder: string, parent: string): void {
  if (parent === '.' || parent === '') return;
  try {
    rmdirSync(`${folder}/${parent}`);
  } catch {
    return;
  }
  removeEmptyFolders(folder, dirname(parent));
}
