import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** What of a file tells whether it is still the same: the content, or the cheaper size and time. */
export type DescribeBy = 'content' | 'size and time';

/**
 * One hash over a folder's files with their paths: two equal hashes mean that nothing was added, removed or changed.
 * `null` when the folder does not exist.
 * @param onStats told what was seen of every file, by its path from the folder, `/`-separated; not by content
 */
export function describeFolder(
  folder: string,
  by: DescribeBy,
  onStats?: (path: string, stats: Stats) => void,
): string | null {
  const digest = createHash('sha256');
  // One long line per folder: hashing file by file would take longer than looking at the files.
  const visit = (path: string): void => {
    const entries = readdirSync(join(folder, path), { withFileTypes: true });
    let lines = `${path}\n`;
    const below: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) below.push(inside);
      else lines += `${entry.name}\t${describeFile(inside)}\n`;
    }
    digest.update(lines);
    for (const next of below) visit(next);
  };
  const describeFile = (path: string): string => {
    const file = join(folder, path);
    if (by === 'content') return createHash('sha256').update(readFileSync(file)).digest('hex');
    const stats = statSync(file);
    onStats?.(path, stats);
    return `${stats.size}\t${stats.mtimeMs}`;
  };
  try {
    visit('');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return digest.digest('hex');
}
