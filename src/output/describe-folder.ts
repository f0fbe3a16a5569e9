import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** What of a file tells whether it is still the same: the content, or the cheaper size and time. */
export type DescribeBy = 'content' | 'size and time';

/** Who wants to know what was seen on the way; paths are from the folder on, `/`-separated, its own is empty. */
export interface FolderWatcher {
  /** By size and time alone. */
  onStats?(path: string, stats: Stats): void;
  /** Told of a folder before its files are looked at. */
  onFolder?(path: string): void;
  /** @param lines name and description of every file of the folder told last, as {@link fileLine} writes them */
  onFiles?(names: readonly string[], lines: string): void;
}

/**
 * One hash over a folder's files with their paths: two equal hashes mean that nothing was added, removed or changed.
 * `null` when the folder does not exist.
 */
export function describeFolder(folder: string, by: DescribeBy, watcher: FolderWatcher = {}): string | null {
  const digest = createHash('sha256');
  // One long line per folder: hashing file by file would take longer than looking at the files.
  const visit = (path: string): void => {
    watcher.onFolder?.(path);
    const entries = readdirSync(join(folder, path), { withFileTypes: true });
    let lines = '';
    const names: string[] = [];
    const below: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) below.push(inside);
      else {
        names.push(entry.name);
        lines += fileLine(entry.name, describeFile(inside));
      }
    }
    digest.update(`${path}\n${lines}`);
    watcher.onFiles?.(names, lines);
    for (const next of below) visit(next);
  };
  const describeFile = (path: string): string => {
    const file = join(folder, path);
    if (by === 'content') return createHash('sha256').update(readFileSync(file)).digest('hex');
    const stats = statSync(file);
    watcher.onStats?.(path, stats);
    return sizeAndTime(stats);
  };
  try {
    visit('');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return digest.digest('hex');
}

/** One line of what is hashed. */
export function fileLine(name: string, description: string): string {
  return `${name}\t${description}\n`;
}

/** What tells cheaply whether a file is still the same. */
export function sizeAndTime({ size, mtimeMs }: Stats): string {
  return `${size}\t${mtimeMs}`;
}
