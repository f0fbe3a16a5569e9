import { lstatSync, type Stats } from 'node:fs';

/** What stands at a path, links not followed; `null`: nothing, or its folder is none. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
