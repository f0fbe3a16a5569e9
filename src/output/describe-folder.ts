import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * One hash over a folder's files with their paths and contents: two equal hashes mean that nothing was added, removed or changed.
 * Links are followed; one that leads nowhere (an editor's lock file) or back to a folder around it is described by its
 * target. `null` when the folder does not exist.
 */
export function describeFolder(folder: string): string | null {
  const digest = createHash('sha256');
  const visit = (path: string, entries: readonly Dirent[], linkFolders: readonly string[]): void => {
    digest.update(`${path}\n`);
    const below: (readonly [path: string, linkFolders: readonly string[]])[] = [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      const link = entry.isSymbolicLink() ? followEntry(join(folder, inside), linkFolders) : null;
      if (entry.isDirectory() || link?.kind === 'folder') {
        below.push([inside, link?.linkFolders ?? linkFolders]);
        continue;
      }
      const isOther = link?.kind === 'nowhere' || link?.kind === 'circle';
      const file = join(folder, inside);
      digest.update(`${entry.name}\t${isOther ? describeLink(file) : describeFile(file)}\n`);
    }
    for (const [next, links] of below) visit(next, readEntries(join(folder, next)) ?? [], links);
  };
  const entries = readEntries(folder);
  if (entries === null) return null;
  visit('', entries, []);
  return digest.digest('hex');
}

function describeFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
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
