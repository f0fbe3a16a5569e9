import { mkdirSync } from 'node:fs';

/**
 * Creates folders below `root`, which exists; their paths are relative to it, `/`-separated. Most pages have their own folder in an
 * existing one, which takes one system call here and several with `recursive`. Only folders that are requested repeatedly are cached.
 */
export function createFolderMaker(root: string): (folder: string) => void {
  const known = new Set(['']);
  let last = '';
  const makeParent = (folder: string): void => {
    if (known.has(folder)) return;
    makeParent(parentOf(folder));
    makeNew(`${root}/${folder}`);
    known.add(folder);
  };
  return (folder) => {
    if (folder === last || known.has(folder)) return;
    makeParent(parentOf(folder));
    if (!makeNew(`${root}/${folder}`)) known.add(folder);
    last = folder;
  };
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
}

/** Creates a folder. Returns whether it did not exist before. */
function makeNew(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
