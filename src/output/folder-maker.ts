import { mkdirSync } from 'node:fs';

/**
 * Makes folders below `root`, which exists; they are named relative to it, `/`-separated. Most pages have a folder of their
 * own in one that is there: that is one call to the system, where `recursive` makes several, and only folders that are
 * asked for again are remembered.
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

/** Whether the folder was not there before. */
function makeNew(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
