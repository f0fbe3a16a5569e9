import { posix } from 'node:path';
import { countEach } from '../../core/group-by.ts';
import { pageFile } from '../../core/hidden-names.ts';
import type { FolderRead } from './folder-read.ts';

/** Formats in which people write documentation. */
const documentFile = /\.(?:mdx?|mdoc|markdown|mkdn?|rst|a(?:scii)?doc|textile|org|ipynb|html?)$/i;

/**
 * Counts the files that look like pages and that were not read, by a pattern of their paths: `_posts/**` for a folder whose name begins
 * with `_`, `*.rst` for a format, `_*` for files whose name begins so. A file with a problem counts as read.
 * @param paths of all files, relative to the folder
 * @param formats that the source reads
 */
export function countUnread(
  paths: Iterable<string>,
  { pages, problems }: Pick<FolderRead, 'pages' | 'problems'>,
  formats: RegExp = pageFile,
): Readonly<Record<string, number>> {
  const known = new Set([...pages, ...problems.flatMap(({ file }) => file ?? [])]);
  const unread = [...paths].filter((path) => !known.has(path) && documentFile.test(path));
  const counts = countEach(unread.map((path) => patternOf(path, formats)));
  return Object.fromEntries([...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)));
}

function patternOf(path: string, formats: RegExp): string {
  const [folder] = /^(?:[^/]+\/)*?_[^/]*\//.exec(path) ?? [];
  if (folder !== undefined) return `${folder}**`;
  if (posix.basename(path).startsWith('_')) return '_*';
  return formats.test(path) ? posix.join(posix.dirname(path), '*') : `*${posix.extname(path).toLowerCase()}`;
}
