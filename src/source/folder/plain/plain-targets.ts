import { posix } from 'node:path';
import { decodePercent, folderAddress } from '../../../core/addresses.ts';
import { getOrMake } from '../../../core/group-by.ts';
import { pageFile } from '../../../core/hidden-names.ts';
import { escapeHtml } from '../../../core/html.ts';
import { isSameLanguage } from '../../../core/language.ts';
import type { FolderSettings } from '../folder-read.ts';
import { isLocale } from '../locales.ts';
import { headingId } from '../markdown/find-title.ts';
import { readMarkdown } from '../markdown/read-markdown.ts';
import { players } from '../markdown/wiki-links.ts';
import { type ReferenceTarget, type ReportReference, resolveReferences } from '../references.ts';
import type { ScannedFiles } from '../safe-files.ts';
import type { PlainArticle } from './find-articles.ts';
import type { Page } from './load-pages.ts';
import { textField } from './page-fields.ts';
import { type PlainSettings, parsePagePath, splitOrder } from './page-path.ts';

/** Targets of the references in pages. */
export interface PlainTargets {
  /** @param path decoded, without query and fragment, not empty */
  find(page: Page, path: string): ReferenceTarget;
  /**
   * Finds what a wiki link names: a file by its path or by its name, or a page by its title. Of several, the one beside the page, else the one that has
   * most of the folders around it in common with the page, such as that of its language.
   * @returns the path from the top folder, with a slash before it; several: no other one is nearer; none: there is no such file
   */
  findByName(page: Page, name: string): readonly string[];
  /** Is the same as long as every reference has the same target. */
  readonly description: unknown;
  /** Whether nothing exists above the top folder, and wiki links are those of a vault. */
  readonly isVault: boolean;
}

/**
 * Finds every page by its file and by the URLs that a site generator would give it, and every file.
 * @param isVault whether nothing exists above the top folder, so that a path that would leave it goes on there
 */
export function createPlainTargets(
  articles: readonly PlainArticle[],
  categoryOf: (folder: string) => string | null,
  { stamps, links }: ScannedFiles,
  settings: PlainSettings,
  isVault: boolean,
): PlainTargets {
  const topFolders = new Set([...stamps.keys()].flatMap((path) => /^[^/]+(?=\/)/.exec(path) ?? []));
  const byKey = new Map<string, string>();
  const routes = new Map<string, string>();
  /** Public languages of pages by path of the file, for links to a language. */
  const byFile = new Map<
    string,
    { readonly page: Page; readonly href: string; readonly isPublic: boolean }
  >();
  const byName = new Map<string, string[]>();
  const titleIds = new Map<string, readonly string[]>();
  const addName = (name: string, path: string) => getOrMake(byName, nameKey(name), () => []).push(path);
  for (const path of stamps.keys()) {
    addName(posix.basename(path), path);
    if (pageFile.test(path)) addName(posix.basename(path).replace(pageFile, ''), path);
  }
  for (const { id, pages, isEmpty } of articles) {
    const [first] = pages as [Page, ...Page[]];
    const category = categoryOf(first.folder);
    const target = !isEmpty ? `/article/${id}` : category === null ? null : `/category/${category}`;
    if (target === null) continue;
    byKey.set(first.key, target);
    if (!isEmpty)
      titleIds.set(
        target,
        pages.flatMap((page) => page.titleIds),
      );
    for (const page of pages) {
      const isPublic = !isEmpty && page.visibility.reason === 'public';
      byFile.set(page.path, { page, href: target, isPublic });
      for (const title of [page.title, ...[page.data.aliases].flat()])
        if (typeof title === 'string' && !byName.has(nameKey(title))) addName(title, page.path);
    }
    for (const page of pages)
      for (const route of routesOf(page)) if (!routes.has(route)) routes.set(route, target);
  }
  for (const folder of new Set(articles.flatMap(({ pages }) => (pages[0] as Page).folder))) {
    const id = categoryOf(folder);
    if (id !== null && !routes.has(routeOf(folder))) routes.set(routeOf(folder), `/category/${id}`);
  }

  function findFile(page: Page, path: string): ReferenceTarget | null {
    const isAbsolute = path.startsWith('/');
    // Generators publish a folder such as static/ or public/ at the root of the site.
    const bases = isAbsolute ? ['', ...topFolders] : [posix.dirname(page.path), page.folder];
    const candidates = bases.map((base) => posix.normalize(posix.join(base, path)).replace(/^\//, ''));
    const [file, ...others] = candidates.filter((candidate) => stamps.has(candidate));
    if (isAbsolute && file !== candidates[0] && others.length > 0) return null;
    const isMarkdown = file !== undefined && /\.(?:md|markdown)$/i.test(file);
    if (isMarkdown && !byFile.has(file)) return { kind: 'unread' };
    if (file !== undefined && !isMarkdown) return { kind: 'file', address: folderAddress(file) };
    if (candidates.some((one) => links.some((link) => one === link || one.startsWith(`${link}/`))))
      return { kind: 'link' };
    return !isAbsolute && candidates.every((candidate) => /^\.\.(?:\/|$)/.test(candidate))
      ? { kind: 'outside' }
      : null;
  }

  function findPage(page: Page, path: string): string | undefined {
    const file = posix.normalize(
      path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page.path), path),
    );
    if (pageFile.test(path)) {
      const named = byFile.get(file);
      if (named?.isPublic && isOtherLanguage(page, named.page))
        return `${named.href}?lang=${named.page.language}`;
      const found = byKey.get(parsePagePath(file, settings).key);
      if (found !== undefined) return found;
    }
    const [ownRoute = ''] = routesOf(page);
    const bases = path.startsWith('/')
      ? ['']
      : [`${ownRoute}/`, `${posix.dirname(ownRoute)}/`, `${page.folder}/`];
    for (const base of bases) {
      const route = routeOf(posix.join('/', base, path).replace(/\.html?$/i, ''));
      const [first = '', ...rest] = route.split('/');
      const forms = [route, ...(isLocale(first, settings) || first === 'docs' ? [rest.join('/')] : [])];
      const [second = '', ...others] = rest;
      if (isLocale(first, settings) && second === 'docs') forms.push(others.join('/'));
      for (const form of forms) if (routes.has(form)) return routes.get(form);
    }
    return undefined;
  }

  /** Whether a link to a file names a language: that of its name, or another one of the page itself. */
  function isOtherLanguage(from: Page, to: Page): boolean {
    const isOther = !isSameLanguage(from.language, to.language);
    return isOther && (to.pathLanguage !== null || from.key === to.key);
  }

  function findPath(page: Page, path: string): ReferenceTarget | null {
    const href = findPage(page, path);
    if (href !== undefined) return { kind: 'page', href, titleIds: titleIds.get(href.replace(/\?.*/, '')) };
    return findFile(page, path);
  }

  function find(page: Page, written: string): ReferenceTarget {
    const folder = posix.dirname(page.path);
    const leaves = isVault && /^\.\.(?:\/|$)/.test(posix.join(folder, written));
    const path = leaves ? posix.join('/', folder, written) : written;
    // On GitHub, a path begins at the top of the repository, where this folder is mostly `docs`.
    const found =
      findPath(page, path) ?? (path.startsWith('/docs/') ? findPath(page, path.slice('/docs'.length)) : null);
    if (found !== null) return found;
    // Vaults can write links in Markdown, too, and then also by the name of a file alone.
    const [named, ...others] = isCommonName(path) ? [] : findByName(page, path);
    return named === undefined || others.length > 0 ? { kind: 'none' } : find(page, named);
  }

  function findByName(page: Page, name: string): readonly string[] {
    const folder = posix.dirname(page.path);
    const path = name.replace(/^\//, '');
    const wanted = [path, `${path}.md`].flatMap((one) => [posix.normalize(one), posix.join(folder, one)]);
    const exact = wanted.find((one) => stamps.has(one));
    if (exact !== undefined) return [`/${exact}`];
    const end = `/${nameKey(path)}`;
    const found = (byName.get(nameKey(posix.basename(path))) ?? []).filter(
      (one) => !path.includes('/') || `/${nameKey(one.replace(pageFile, ''))}`.endsWith(end),
    );
    const beside = found.filter((one) => posix.dirname(one) === folder);
    return [...new Set(beside.length > 0 ? beside : nearestOf(found, folder))].map((one) => `/${one}`);
  }

  return {
    find,
    findByName,
    isVault,
    description: [[...routes], [...byKey], [...byName], [...titleIds], [...stamps.keys()], links],
  };
}

/** Whether files of this name are in many folders, or a path begins at the top folder, which is no name. */
function isCommonName(path: string): boolean {
  return path.startsWith('/') || /(?:^|\/)(?:index|readme)(?:\.\w+)?\/?$/i.test(path);
}

/** The paths that have most of their first folders in common with a folder. */
function nearestOf(paths: readonly string[], folder: string): readonly string[] {
  const own = folder.split('/');
  const depths = paths.map((path) => {
    const parts = path.split('/');
    const end = own.findIndex((part, at) => part !== parts[at]);
    return end === -1 ? own.length : end;
  });
  const most = Math.max(...depths);
  return paths.filter((_, at) => depths[at] === most);
}

/** Names in wiki links ignore case. */
function nameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** The paths at which other pages may link to a page, without slashes at both ends; the path of its file comes first. */
function routesOf({ data, folder, name, isIndex, paths }: Page): readonly string[] {
  const own = isIndex ? folder : posix.join(folder, name);
  const routes = [
    own,
    own
      .split('/')
      .map((part) => splitOrder(part).rest)
      .join('/'),
  ];
  for (const given of [textField(data, 'slug'), textField(data, 'url', 'permalink')]) {
    if (given === null) continue;
    if (!given.startsWith('/')) routes.push(posix.join(folder, given));
    routes.push(given.replace(/\.html?$/i, ''));
  }
  // Other pages may still link to its former paths.
  routes.push(...[paths.path, ...paths.aliases].map((one) => one.replace(/\.html?$/i, '')));
  return [...new Set(routes.map(routeOf))];
}

function routeOf(path: string): string {
  return path
    .toLowerCase()
    .replace(/^\/+|\/+$/g, '')
    .replace(/(?:^|\/)(?:index|readme)$/, '');
}

/** Renders the body of a page to HTML, with links and images resolved to articles and to files of the folder. */
export async function renderPage(
  page: Page,
  targets: PlainTargets,
  settings: Pick<FolderSettings, 'math' | 'markdown'>,
  report: ReportReference,
): Promise<string> {
  const html = page.isHtml ? page.readText() : await renderText(page, targets, settings, report);
  const find = (path: string): ReferenceTarget => targets.find(page, path);
  return resolveReferences(html, page.path, find, report, page.titleIds, targets.isVault);
}

async function renderText(
  page: Page,
  targets: PlainTargets,
  { math, markdown }: Pick<FolderSettings, 'math' | 'markdown'>,
  report: ReportReference,
): Promise<string> {
  const text = readMarkdown(page.readText(), {
    hasMath: math,
    isVault: targets.isVault,
    findByName: (name) => targets.findByName(page, name),
    report: (code, message) =>
      report(code, code === 'MARKUP_UNKNOWN' ? message : `${message} in ${page.path}`),
  });
  const html = await markdown(text, () =>
    report('TEXT_TOO_COMPLEX', `the Markdown of ${page.path} is published as text`),
  );
  const played = html
    .replace(imageOfFile, showFile)
    .replace(imageWithSize, '$1 width="$2" height="$3" />')
    .replaceAll(' height="" />', ' />');
  const sized = targets.isVault ? played.replace(imageWithWidth, '$1$2"$4 width="$3" />') : played;
  return sized.replace(headingWithId, '<h$1 id="$3">$2</h$1>');
}

const imageOfFile = /<img src="([^"?#]*)([^"]*)" alt="([^"]*)"(?: title="[^"]*")? \/>/g;

/** A video, sound or PDF in the place of an image, as vaults and GitLab show it. */
function showFile(whole: string, file: string, rest: string, alt: string): string {
  const [player] = Object.entries(players).find(([, files]) => files.test(file)) ?? [];
  if (player !== undefined)
    return `<${player} src="${file}${rest}"${alt === '' ? '' : ` title="${alt}"`}></${player}>`;
  return /\.pdf$/i.test(file)
    ? `<a href="${file}${rest}">${alt || escapeHtml(decodePercent(posix.basename(file)))}</a>`
    : whole;
}

/** An image whose alternative text ends with its size in pixels, as vaults write it in Markdown: `![A bike|300](bike.png)`. */
const imageWithWidth = /(<img src="[^"]*" alt=")(?:([^"]*)\|)?(\d{1,4})(?:x\d{1,4})?"( title="[^"]*")? \/>/g;

/** An image whose title is its size, as `readMarkdown` writes it. */
const imageWithSize = /(<img src="[^"]*" alt="[^"]*") title="=([\d%]*)x([\d%]*)" \/>/gi;

const headingWithId = new RegExp(`<h([1-6])>((?:(?!</h\\1>)[\\s\\S])*?)\\s*${headingId.source}</h\\1>`, 'g');
