import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing; `path` is absolute, `mode` that of each one made. Throws the error of
 * the file system. Not `mkdir(…, { recursive: true })`: where a file system says ENOENT though the folder above is there
 * (as `/proc` does), Node 20 tries for ever.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
