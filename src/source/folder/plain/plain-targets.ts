import { posix } from 'node:path';
import { folderAddress } from '../../../core/addresses.ts';
import { isLocale } from '../locales.ts';
import { headingId } from '../markup/heading-id.ts';
import type { PlainProject } from '../project/project-pages.ts';
import type { PagePaths } from '../project/site-paths.ts';
import { type ReferenceTarget, type ReportReference, resolveReferences } from '../references.ts';
import type { RenderMarkdown } from '../render-markdown.ts';
import type { ScannedFiles } from '../safe-files.ts';
import type { PlainArticle } from './find-articles.ts';
import type { Page } from './load-pages.ts';
import { textField } from './page-fields.ts';
import { type PlainSettings, parsePagePath, splitOrder } from './page-path.ts';

/** Targets of the references in pages. */
interface PlainTargets {
  /**
   * @param path decoded, without query and fragment, not empty
   * @param isRef from `ref` of Hugo, which then searches from the top folder, and for the only page with that name on the whole site
   */
  find(page: Page, path: string, isRef: boolean): ReferenceTarget;
  /** Hash that is the same as long as every reference has the same target. */
  readonly description: unknown;
}

/** Finds every page by its file and by the URLs that a site generator would give it, and every file. */
export function createPlainTargets(
  articles: readonly PlainArticle[],
  categoryOf: (folder: string) => string | null,
  { assets }: PlainProject,
  sitePaths: ReadonlyMap<Page, PagePaths>,
  { stamps, links }: ScannedFiles,
  settings: PlainSettings,
): PlainTargets {
  const byKey = new Map<string, string>();
  const routes = new Map<string, string>();
  const byName = new Map<string, NamedPage[]>();
  for (const { id, pages, isEmpty, visibility } of articles) {
    const [first] = pages as [Page, ...Page[]];
    const category = categoryOf(first.folder);
    const target = !isEmpty ? `/article/${id}` : category === null ? null : `/category/${category}`;
    if (target === null) continue;
    byKey.set(first.key, target);
    const name = nameOf(first);
    const isPublic = pages.some((page) => visibility.get(page)?.reason === 'public');
    byName.set(name, [...(byName.get(name) ?? []), { path: first.path, href: target, isPublic }]);
    for (const page of pages)
      for (const route of routesOf(page, sitePaths.get(page)))
        if (!routes.has(route)) routes.set(route, target);
  }
  for (const folder of new Set(articles.flatMap(({ pages }) => (pages[0] as Page).folder))) {
    const id = categoryOf(folder);
    if (id !== null && !routes.has(routeOf(folder))) routes.set(routeOf(folder), `/category/${id}`);
  }

  function findFile(page: Page, path: string): ReferenceTarget | null {
    const isAbsolute = path.startsWith('/');
    const bases = isAbsolute
      ? [page.tree, ...assets]
      : [posix.dirname(page.path), posix.join(page.tree, page.folder)];
    const candidates = bases.map((base) => posix.normalize(posix.join(base, path)).replace(/^\//, ''));
    const file = candidates.find((candidate) => stamps.has(candidate));
    if (file !== undefined && !/\.(?:md|mdx|markdown)$/i.test(file))
      return { kind: 'file', address: folderAddress(file) };
    if (candidates.some((one) => links.some((link) => one === link || one.startsWith(`${link}/`))))
      return { kind: 'link' };
    return !isAbsolute && candidates.every((candidate) => /^\.\.(?:\/|$)/.test(candidate))
      ? { kind: 'outside' }
      : null;
  }

  function findPage(page: Page, path: string): string | undefined {
    const isFile = /\.(?:md|mdx|markdown|html?)$/i.test(path);
    const inTree = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page.pathInTree), path);
    if (isFile) {
      const { key } = parsePagePath(posix.normalize(inTree), settings, page.language);
      const bases = [key, inLanguageFolder(inTree, settings)];
      for (const base of bases) if (byKey.has(base)) return byKey.get(base);
    }
    const [ownRoute = ''] = routesOf(page, sitePaths.get(page));
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

  function findByName(path: string): ReferenceTarget {
    const file = /\.(?:mdx?|markdown|html?)$/i.test(path) ? path : `${path}.md`;
    const { name } = parsePagePath(file, settings, null);
    const found = byName.get(name.toLowerCase()) ?? [];
    const shown = found.filter(({ isPublic }) => isPublic);
    const [page, ...more] = shown.length > 0 ? shown : found;
    if (page === undefined) return { kind: 'none' };
    if (more.length === 0) return { kind: 'page', href: page.href };
    return { kind: 'ambiguous', candidates: [page, ...more].map((one) => one.path) };
  }

  return {
    find(page, path, isRef) {
      const isFromTop = isRef && !/^[./]/.test(path);
      const href = findPage(page, path) ?? (isFromTop ? findPage(page, `/${path}`) : undefined);
      if (href !== undefined) return { kind: 'page', href };
      const file = findFile(page, path);
      return file ?? (isFromTop && !path.includes('/') ? findByName(path) : { kind: 'none' });
    },
    description: [[...routes], [...byKey], [...byName], [...stamps.keys()], links],
  };
}

/** A page that `ref` of Hugo finds by its name alone. */
interface NamedPage {
  readonly path: string;
  readonly href: string;
  readonly isPublic: boolean;
}

/** The name of a page for `ref`; for an index page, the name of its folder. */
function nameOf({ name, folder, isIndex }: Page): string {
  return (isIndex ? posix.basename(folder) : name).toLowerCase();
}

/** Path of a file in the folder of a language, for a reference from a page in another folder. */
function inLanguageFolder(path: string, settings: PlainSettings): string {
  return parsePagePath(posix.normalize(path), settings, null).key;
}

/** The paths of a page on the site of a generator, without slashes at both ends; the path of its file comes first. */
function routesOf({ data, folder, name, isIndex }: Page, paths: PagePaths | undefined): readonly string[] {
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
  if (paths !== undefined)
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
export function renderPage(
  page: Page,
  targets: PlainTargets,
  render: RenderMarkdown,
  report: ReportReference,
): string {
  const html = page.isHtml ? page.text : renderText(page, render, report);
  return resolveReferences(html, page.path, (path) => targets.find(page, path, page.refs.has(path)), report);
}

function renderText({ text, path }: Page, render: RenderMarkdown, report: ReportReference): string {
  const html = render(text, () => report('MARKDOWN_LITERAL', `the Markdown of ${path} is published as text`));
  return html.replace(headingWithId, '<h$1 id="$3">$2</h$1>');
}

const headingWithId = new RegExp(`<h([1-6])>((?:(?!</h\\1>)[\\s\\S])*?)\\s*${headingId.source}</h\\1>`, 'g');
