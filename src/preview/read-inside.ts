import { readFile } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';

/** Reads a file of a folder; `null` for what is no file, and for every path that leads out of the folder. */
export async function readInside(folder: string, path: string): Promise<Buffer | null> {
  const file = normalize(join(folder, path));
  if (!file.startsWith(folder + sep) || path.includes('\0')) return null;
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw error;
  }
}
