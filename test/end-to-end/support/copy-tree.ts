import { copyFileSync, type Dirent, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Makes a folder a copy of another, or of some of its entries, including empty folders. Equal files are not copied again, which is much
 * faster than `cpSync` if little differs.
 */
export function copyTree(from: string, to: string, wants = (_path: string) => true): void {
  const wanted = new Map([...listEntries(from)].filter(([path]) => wants(path)));
  mkdirSync(to, { recursive: true });
  for (const [path, kind] of listEntries(to)) {
    if (wanted.get(path) !== kind) rmSync(join(to, path), { recursive: true, force: true });
  }
  const present = listEntries(to);
  for (const [path, kind] of wanted) {
    const [source, copy] = [join(from, path), join(to, path)];
    if (kind === 'folder') mkdirSync(copy, { recursive: true });
    else if (!present.has(path)) copyFileSync(source, copy);
    else if (!readFileSync(source).equals(readFileSync(copy))) {
      // The copy may be a hard link.
      rmSync(copy);
      copyFileSync(source, copy);
    }
  }
}

/** Paths of all files in a folder, sorted; empty if it does not exist. */
export function listFiles(folder: string): readonly string[] {
  return [...listEntries(folder)].flatMap(([path, kind]) => (kind === 'file' ? [path] : []));
}

/** Every path below a folder; folders before their content. */
export function listEntries(folder: string): ReadonlyMap<string, 'file' | 'folder'> {
  let entries: readonly Dirent[] = [];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const kinds = entries.map((entry): [string, 'file' | 'folder'] => [
    relative(folder, join(entry.parentPath, entry.name)),
    entry.isDirectory() ? 'folder' : 'file',
  ]);
  return new Map(kinds.sort(([a], [b]) => (a < b ? -1 : 1)));
}
