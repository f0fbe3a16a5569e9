import { createHash } from 'node:crypto';
import {
  type Dirent,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** What of a file tells whether it is still the same: the content, or the cheaper size and time. */
export type DescribeBy = 'content' | 'size and time';

/** Who wants to know what was seen on the way; paths are from the folder on, `/`-separated, its own is empty. */
export interface FolderWatcher {
  /** Leaves a file or folder out. */
  isIgnored?(path: string): boolean;
  /** By size and time alone. */
  onStats?(path: string, stats: Stats): void;
  /** Told of a folder before its files are looked at. */
  onFolder?(path: string): void;
  /** @param lines name and description of every file of the folder told last, as {@link fileLine} writes them */
  onFiles?(names: readonly string[], lines: string): void;
}

/**
 * One hash over a folder's files with their paths: two equal hashes mean that nothing was added, removed or changed.
 * Links are followed; one that leads nowhere (an editor's lock file) or back to a folder around it is described by its
 * target. `null` when the folder does not exist.
 */
export function describeFolder(folder: string, by: DescribeBy, watcher: FolderWatcher = {}): string | null {
  const digest = createHash('sha256');
  // One long line per folder: hashing file by file would take longer than looking at the files.
  const visit = (path: string, entries: readonly Dirent[], linkFolders: readonly string[]): void => {
    watcher.onFolder?.(path);
    let lines = '';
    const names: string[] = [];
    const below: (readonly [path: string, linkFolders: readonly string[]])[] = [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (watcher.isIgnored?.(inside)) continue;
      const link = entry.isSymbolicLink() ? followEntry(join(folder, inside), linkFolders) : null;
      if (entry.isDirectory() || link?.kind === 'folder') {
        below.push([inside, link?.linkFolders ?? linkFolders]);
        continue;
      }
      names.push(entry.name);
      const isOther = link?.kind === 'nowhere' || link?.kind === 'circle';
      const description = isOther ? describeLink(join(folder, inside)) : describeFile(inside);
      lines += fileLine(entry.name, description);
    }
    digest.update(`${path}\n${lines}`);
    watcher.onFiles?.(names, lines);
    for (const [next, links] of below) visit(next, readEntries(join(folder, next)) ?? [], links);
  };
  const describeFile = (path: string): string => {
    const file = join(folder, path);
    if (by === 'content') return createHash('sha256').update(readFileSync(file)).digest('hex');
    const stats = statSync(file);
    watcher.onStats?.(path, stats);
    return sizeAndTime(stats);
  };
  const entries = readEntries(folder);
  if (entries === null) return null;
  visit('', entries, []);
  return digest.digest('hex');
}

/** `null` when the folder does not exist. */
function readEntries(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

interface FollowedLink {
  readonly kind: 'file' | 'folder' | 'nowhere' | 'circle';
  /** Real paths of the folders whose links lead here. */
  readonly linkFolders: readonly string[];
}

function followEntry(path: string, before: readonly string[]): FollowedLink {
  try {
    const target = realpathSync(path);
    if (!statSync(target).isDirectory()) return { kind: 'file', linkFolders: before };
    const linkFolders = [...before, realpathSync(dirname(path))];
    const isCircle = linkFolders.some((folder) => `${folder}${sep}`.startsWith(`${target}${sep}`));
    return { kind: isCircle ? 'circle' : 'folder', linkFolders };
  } catch {
    return { kind: 'nowhere', linkFolders: before };
  }
}

function describeLink(path: string): string {
  return `link to ${readlinkSync(path)}`;
}

/** One line of what is hashed. */
export function fileLine(name: string, description: string): string {
  return `${name}\t${description}\n`;
}

/** What tells cheaply whether a file is still the same. */
export function sizeAndTime({ size, mtimeMs }: Stats): string {
  return `${size}\t${mtimeMs}`;
}
