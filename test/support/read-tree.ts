import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file below a folder by its relative `/`-separated path, sorted. */
export async function readTree(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = new Map<string, Buffer>();
  for (const path of paths) {
    files.set(path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path));
  }
  return files;
}
