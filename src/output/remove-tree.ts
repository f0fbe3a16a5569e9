import { lstatSync, type NoParamCallback, readdirSync, rmdir, unlink } from 'node:fs';
import { remove } from './files.ts';

/** Folders beside each other that are removed at the same time. */
const foldersAtOnce = 32;

/**
 * Removes a folder with all it holds; a link to a folder is removed, not followed. Some calls at a time, since a disk
 * makes each wait; without what `fs.rm` does for every file besides, which is asked where this does not work.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    if (lstatSync(folder).isDirectory()) await removeFolder(folder);
    else await remove(folder);
  } catch {
    await remove(folder);
  }
}

async function removeFolder(folder: string): Promise<void> {
  const folders: string[] = [];
  const files: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    (entry.isDirectory() ? folders : files).push(`${folder}/${entry.name}`);
  }
  await forAll(files, unlink);
  for (let at = 0; at < folders.length; at += foldersAtOnce) {
    await Promise.all(folders.slice(at, at + foldersAtOnce).map(removeFolder));
  }
  await forAll([folder], rmdir);
}

/** One promise for many calls. */
function forAll(paths: readonly string[], act: (path: string, done: NoParamCallback) => void): Promise<void> {
  if (paths.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let left = paths.length;
    const done: NoParamCallback = (error) => {
      left -= 1;
      if (error !== null) reject(error);
      else if (left === 0) resolve();
    };
    for (const path of paths) act(path, done);
  });
}
