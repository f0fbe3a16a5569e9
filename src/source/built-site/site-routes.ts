import { decodePercent, encodeUrlPath, folderOrigin, parseUrl, siteHost } from '../../core/addresses.ts';
import { once, oncePerKey } from '../../core/concurrency.ts';
import { countEach } from '../../core/group-by.ts';
import type { SitePage } from './read-page.ts';

/** The pages of a site by their URLs. */
export interface SiteRoutes {
  /**
   * The path of a page as the site has it, decoded, without the first slash: `guide/`, `guide`, `guide.html`. By its canonical URL or the sitemap; else as
   * texts and navigations link to it; else as they link to most pages.
   */
  pathOf(page: SitePage): string;
  /** The page that a URL in a page leads to, in spite of redirects; `null` if it leads to no page of the folder. */
  pageAt(from: SitePage, url: string): SitePage | null;
  /** Where a URL in a page leads. */
  locate(from: SitePage, url: string): UrlTarget;
}

type UrlTarget =
  | { readonly kind: 'page'; readonly page: SitePage; readonly hash: string; readonly url: string | null }
  /**
   * A path inside the site, `/`-separated and decoded, with query and fragment, and whether it is a file of the folder. `url` is its URL; `null` if the
   * host is not known.
   */
  | {
      readonly kind: 'inside';
      readonly path: string;
      readonly isFile: boolean;
      readonly rest: string;
      readonly url: string | null;
    }
  /** Another site, or another part of the same one. `null`: it is a path whose host is not known. */
  | { readonly kind: 'outside'; readonly url: string | null };

/** Key under which all forms of a page's URL are the same: `guide`, `guide/`, `guide.html`, `guide/index.html`. */
export function routeKey(path: string): string {
  return path
    .replace(/^\/+/, '')
    .replace(/(?:^|\/)index\.html?$/i, '')
    .replace(/\.html?$/i, '')
    .replace(/\/+$/, '');
}

/** Files that a server finds at the URL of their folder. */
const indexFile = /(?:^|\/)index\.html?$/i;

/** The forms that the URL of a file can have, the one of a plain server first. */
function formsOf(file: string): readonly string[] {
  if (indexFile.test(file)) {
    const folder = file.replace(indexFile, '');
    return folder === '' ? [''] : [`${folder}/`, folder, file];
  }
  return [file, file.replace(/\.html?$/i, ''), `${file.replace(/\.html?$/i, '')}/`];
}

/**
 * @param siteUrl URL of the site; `null`: that of its canonical URLs
 * @param files all files of the folder
 */
export function createRoutes(
  pages: readonly SitePage[],
  siteUrl: string | null,
  sitemaps: readonly string[],
  files: { has(path: string): boolean },
): SiteRoutes {
  const byFile = new Map(pages.map((page) => [page.file, page]));
  const byKey = new Map<string, SitePage>();
  for (const page of pages) {
    const key = routeKey(page.file);
    const other = byKey.get(key);
    // Of two files for one URL, the one that is a page.
    if (other === undefined || (other.skip !== null && page.skip === null)) byKey.set(key, page);
  }
  const configured = siteUrl === null ? null : parseUrl(siteUrl);
  const canonicals = pages.flatMap(({ canonical }) =>
    canonical === null ? [] : (parseUrl(canonical) ?? []),
  );
  const host = commonest(canonicals.map(siteHost));
  const { base, isConfigured } = findBase(pages, files, configured);
  const origin = isConfigured
    ? (configured?.origin ?? null)
    : commonest(canonicals.filter((url) => siteHost(url) === host).map((url) => url.origin));
  const hosts = new Set([
    siteHost(new URL(folderOrigin)),
    host,
    configured === null ? null : siteHost(configured),
  ]);
  const inside = (url: URL): string | null => {
    const path = decodePercent(url.pathname);
    return `${path}/`.startsWith(`${base}/`) ? path.slice(base.length).replace(/^\/+/, '') : null;
  };
  const urlOf = (page: SitePage): string => {
    const own = `${folderOrigin}${base}/${encodeUrlPath(page.file)}`;
    return page.base === null ? own : (parseUrl(page.base, own)?.href ?? own);
  };
  const pathAt = (url: URL | null): string | null =>
    url !== null && hosts.has(siteHost(url)) ? inside(url) : null;
  const pathIn = (from: SitePage, raw: string): string | null => pathAt(parseUrl(raw, urlOf(from)));
  const listed = new Set(sitemaps.flatMap((loc) => pathAt(parseUrl(loc)) ?? []));
  const uses = countUses(pages, pathIn);
  /** The position, among the forms of a page, of the one that most links to it have; `null` if no link leads to it. */
  const linkedForm = (page: SitePage): number | null => {
    const counts = formsOf(page.file).map((form) => uses.get(form) ?? 0);
    const most = Math.max(...counts);
    return most === 0 ? null : counts.indexOf(most);
  };
  const [usualOfIndexes, usualOfOthers] = [true, false].map((isIndex) =>
    once(() => {
      const alike = pages.filter(({ file }) => indexFile.test(file) === isIndex && file !== 'index.html');
      return commonest(alike.flatMap((page) => linkedForm(page) ?? []));
    }),
  ) as [() => number | null, () => number | null];
  const usualForm = ({ file }: SitePage) => (indexFile.test(file) ? usualOfIndexes : usualOfOthers)();

  const follow = (page: SitePage | undefined, hops = 0): SitePage | null => {
    if (page === undefined) return null;
    if (page.skip !== 'redirect' || page.target === null || hops === 5) return page;
    const path = pathIn(page, page.target);
    return path === null ? page : (follow(byKey.get(routeKey(path)), hops + 1) ?? page);
  };

  return {
    pathOf: oncePerKey((page) => {
      const forms = formsOf(page.file);
      const canonical = page.canonical === null ? null : pathIn(page, page.canonical);
      return (
        forms.find((form) => form === canonical) ??
        forms.find((form) => listed.has(form)) ??
        forms[linkedForm(page) ?? usualForm(page) ?? 0] ??
        // The page at the top has one form.
        (forms[0] as string)
      );
    }),
    pageAt(from, url) {
      const path = pathIn(from, url);
      return path === null ? null : (byFile.get(path) ?? byKey.get(routeKey(path)) ?? null);
    },
    locate(from, raw) {
      const url = parseUrl(raw, urlOf(from));
      if (url === null) return { kind: 'outside', url: raw };
      if (!hosts.has(siteHost(url))) return { kind: 'outside', url: url.href };
      const path = inside(url);
      if (path === null) {
        const rest = url.pathname + url.search + url.hash;
        return { kind: 'outside', url: origin === null ? null : origin + rest };
      }
      const page = follow(byFile.get(path) ?? (files.has(path) ? undefined : byKey.get(routeKey(path))));
      const rest = url.search + url.hash;
      const address = origin === null ? null : origin + url.pathname + rest;
      if (page !== null) return { kind: 'page', page, hash: url.hash, url: address };
      return { kind: 'inside', path, isFile: files.has(path), rest, url: address };
    },
  };
}

/** How often texts and navigations link to each path. */
function countUses(
  pages: readonly SitePage[],
  pathIn: (from: SitePage, url: string) => string | null,
): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const page of pages) {
    const links = page.body.urls.flatMap(({ kind, url }) =>
      kind === 'link' && !url.startsWith('#') ? url : [],
    );
    for (const url of [...links, ...(page.navigation?.urls ?? [])]) {
      const path = pathIn(page, url);
      if (path !== null) uses.set(path, (uses.get(path) ?? 0) + 1);
    }
  }
  return uses;
}

/**
 * The path below which a site expects to be served, such as `/docs`. It is the path of the configured URL, unless the pages were made for another
 * one: by their links, which lead to files of the folder only below it, or, without a configured URL, by their canonical URLs first.
 */
function findBase(
  pages: readonly SitePage[],
  files: { has(path: string): boolean },
  configured: URL | null,
): { readonly base: string; readonly isConfigured: boolean } {
  const named = pages.flatMap((page) => {
    const url = page.canonical === null ? null : parseUrl(page.canonical);
    const path = url === null ? null : decodePercent(url.pathname).replace(/^\/+/, '');
    const form =
      path === null ? undefined : formsOf(page.file).find((one) => path === one || path.endsWith(`/${one}`));
    if (path === null || form === undefined) return [];
    return path.slice(0, path.length - form.length).replace(/\/+$/, '');
  });
  const own = configured === null ? null : decodePercent(configured.pathname).replace(/^\/+|\/+$/g, '');
  const linked = pages.flatMap(({ body, navigation }) =>
    [...body.urls, ...(navigation?.urls ?? []).map((url) => ({ url }))].flatMap(({ url }) => {
      const [, path = ''] = /^\/((?!\/)[^?#]*)/.exec(url) ?? [];
      return path === '' ? [] : (baseOf(decodePercent(path), files, own) ?? []);
    }),
  );
  const found = own === null ? (commonest(named) ?? commonest(linked)) : commonest(linked);
  const isConfigured = own !== null && (found ?? own) === own;
  const base = isConfigured ? own : (found ?? '');
  return { base: base === '' ? '' : `/${base}`, isConfigured };
}

/** The first folders of a path that have to be removed so that it is a file, `own` before others; `null` if it never is. */
function baseOf(path: string, files: { has(path: string): boolean }, own: string | null): string | null {
  const parts = path.split('/');
  const isFileBelow = (at: number): boolean => {
    const rest = parts.slice(at).join('/').replace(/\/+$/, '');
    return rest !== '' && [rest, `${rest}.html`, `${rest}/index.html`].some((form) => files.has(form));
  };
  if (own !== null && own !== '' && path.startsWith(`${own}/`) && isFileBelow(own.split('/').length))
    return own;
  const at = parts.findIndex((_part, index) => isFileBelow(index));
  return at === -1 ? null : parts.slice(0, at).join('/');
}

function commonest<T>(values: readonly T[]): T | null {
  return [...countEach(values)].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
