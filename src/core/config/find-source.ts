import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseUrl } from '../addresses.ts';
import { countOf } from '../count-of.ts';
import { LecternError, orNull } from '../errors.ts';
import { isPublishedSite, resolveUserFolder } from '../user-folder.ts';
import type { UserConfig } from './schema.ts';

/**
 * Parses a source as people type it (`--source`, `LECTERN_SOURCE`, the word after `build`): `api`, `zendesk`, or a path. What a folder contains
 * says whether it is Markdown or a built site; `folder:DIR` and `site:DIR` say so where it does not.
 * @param base folder of relative paths
 * @throws USAGE for a URL
 */
export function parseSource(text: string, base: string): UserConfig['source'] {
  if (text === 'api' || text === 'zendesk') return { kind: text };
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  if (url !== null) {
    // Without a password or key that may be in it.
    const shown = url.origin + url.pathname;
    throw new LecternError('USAGE', `the source ${shown} is a URL, not a folder`, {
      hint: `for an API, pass --base-url ${shown}; for Zendesk Guide, also --source zendesk`,
    });
  }
  const [, kind, path = ''] = /^(folder|site):(.*)$/s.exec(text) ?? [];
  if (kind !== undefined) return { kind: kind as 'folder' | 'site', path };
  return { kind: isBuiltSite(resolveUserFolder(base, text)) ? 'site' : 'folder', path: text };
}

/** Entries of a folder that are looked at to tell what it contains. */
const maxEntries = 2_000;

/**
 * A built site has a home page, or pages and no Markdown. Beside an `index.html` that loads Markdown in the browser there are a README and other pages
 * in Markdown; a README alone is that of the repository.
 */
function isBuiltSite(folder: string): boolean {
  const { markdown, pages } = countFiles(folder);
  if (!existsSync(join(folder, 'index.html'))) return markdown === 0 && pages > 0;
  return markdown < 2 || !existsSync(join(folder, 'README.md'));
}

/** Counts the first entries, level by level. */
function countFiles(top: string): { readonly markdown: number; readonly pages: number } {
  const counts = { markdown: 0, pages: 0 };
  const waiting = [top];
  let seen = 0;
  for (let folder = waiting.shift(); folder !== undefined && seen < maxEntries; folder = waiting.shift()) {
    for (const entry of listEntries(folder)) {
      seen += 1;
      if (entry.isDirectory()) waiting.push(join(folder, entry.name));
      else if (/\.md$/i.test(entry.name)) counts.markdown += 1;
      else if (/\.html?$/i.test(entry.name)) counts.pages += 1;
    }
  }
  return counts;
}

/** The entries that can be part of a source; none if the folder cannot be read, which its reader then reports. */
function listEntries(folder: string): readonly Dirent[] {
  const entries = orNull(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
}

/** A folder that could be published. */
interface FoundSource {
  readonly path: string;
  /** What is in it: `12 Markdown files`, `a built site`. */
  readonly content: string;
}

/** Names of folders that hold other things than pages, although Markdown may be among them. */
const otherFolders = new Set(['src', 'lib', 'test', 'tests', 'vendor', 'coverage', 'public']);

/** The files that every project has, whatever else it is. */
const projectFile = /^(?:readme|changelog|contributing|license|licence|code_of_conduct|security)\b.*\.md$/i;

/**
 * The folders of Markdown and the built sites directly below a folder, by name; the usual name of documentation comes first. Last comes the folder
 * itself, if it has pages; it is the only one if it is what `lectern pull` writes.
 */
export function findSources(base: string): readonly FoundSource[] {
  const entries = listEntries(base);
  const own = { path: '.', content: countOf(countFiles(base).markdown, 'Markdown file') };
  const isFolder = (wanted: string): boolean =>
    entries.some((entry) => entry.isDirectory() && entry.name === wanted);
  if (isFolder('articles') && isFolder('categories')) return [own];
  const found: FoundSource[] = [];
  for (const entry of entries) {
    const { name: path } = entry;
    const folder = join(base, path);
    if (!entry.isDirectory() || otherFolders.has(path) || isPublishedSite(folder)) continue;
    const { markdown } = countFiles(folder);
    if (isBuiltSite(folder)) found.push({ path, content: 'a built site' });
    else if (markdown > 0) found.push({ path, content: countOf(markdown, 'Markdown file') });
  }
  const rank = ({ path }: FoundSource): string => `${path === 'docs' ? 0 : 1} ${path}`;
  const hasPages = entries.some(({ name }) => /\.md$/i.test(name) && !projectFile.test(name));
  return [...found.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)), ...(hasPages ? [own] : [])];
}
