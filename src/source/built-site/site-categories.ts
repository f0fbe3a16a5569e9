import { getOrMake } from '../../core/group-by.ts';
import { upperFirst } from '../../core/shorten.ts';
import { hyphenate } from '../../core/slug.ts';
import { deriveId, type FolderRecord, withoutDates } from '../folder/folder-read.ts';
import type { PlacedPage, SiteArticle } from './group-pages.ts';
import type { SitePage } from './read-page.ts';
import { routeKey, type SiteRoutes } from './site-routes.ts';

/** Where articles are listed. */
interface SiteCategories {
  readonly records: readonly FolderRecord[];
  categoryOf(article: SiteArticle): string | null;
  /** Whether an article introduces its category. */
  isIntroduction(article: SiteArticle): boolean;
}

/** A category of a page, from the top one to its own. */
interface Step {
  /** Its path, or its title below its parent. */
  readonly key: string;
  /** `null`: it only has the name of its folder. */
  readonly title: string | null;
  /** Whether the key is a path of the site. */
  readonly isPath: boolean;
}

interface SiteSection {
  readonly parent: string | null;
  readonly isPath: boolean;
  readonly titles: Map<string, string>;
}

/**
 * Makes categories of the titles in the navigation, else of breadcrumbs, else of folders, whose titles are those of the pages that introduce them.
 * @param all every page of the site, one of which has each navigation
 * @param order positions of articles in the navigation
 */
export function findCategories(
  articles: readonly SiteArticle[],
  all: readonly SitePage[],
  routes: SiteRoutes,
  order: ReadonlyMap<string, number>,
  defaultLanguage: string,
): SiteCategories {
  const sections = new Map<string, SiteSection>();
  const own = new Map<SiteArticle, string | null>();
  const introductions = new Map<string, SiteArticle>();
  for (const article of articles) {
    const [first] = article.pages;
    if (first !== undefined) introductions.set(first.key, article);
  }
  const common = commonFolder(
    articles.flatMap(({ pages: [first] }) => (first === undefined || first.key === '' ? [] : first.key)),
  );
  const groups = readGroups(articles, all, routes, common);
  /** What the site itself says of a page; `null` if it says nothing. */
  const trailOf = (placed: PlacedPage): readonly Step[] | null =>
    groups.get(placed) ?? (placed.key === '' ? [] : breadcrumbsOf(placed, routes));
  const isNamed = ({ pages: [first] }: SiteArticle): boolean =>
    first !== undefined && (trailOf(first) ?? []).length > 0;
  // A folder that has a name is where its name is, also for pages that are only in the folder.
  for (const article of [...articles.filter(isNamed), ...articles.filter((one) => !isNamed(one))]) {
    const [first] = article.pages;
    if (first === undefined) continue;
    const trail = trailOf(first) ?? foldersOf(first.key, common);
    let parent: string | null = null;
    for (const { key, title, isPath } of trail) {
      const section = getOrMake(sections, key, () => ({ parent, isPath, titles: new Map() }));
      if (title !== null && !section.titles.has(first.language)) section.titles.set(first.language, title);
      parent = key;
    }
    own.set(article, parent);
    for (const other of article.pages.slice(1)) {
      const translated = trailOf(other);
      if (translated?.length !== trail.length) continue;
      trail.forEach(({ key }, at) => {
        const { title = null } = translated[at] ?? {};
        const titles = sections.get(key)?.titles;
        if (title !== null && titles !== undefined && !titles.has(other.language))
          titles.set(other.language, title);
      });
    }
  }
  for (const [key, article] of introductions) if (sections.has(key)) own.set(article, key);
  for (const [key, { titles }] of sections) {
    for (const { page, language } of introductions.get(key)?.pages ?? []) {
      if (page.title !== null && !titles.has(language)) titles.set(language, page.title);
    }
  }
  const first = firstPositions(own, sections, order);
  const idOf = (key: string): string => deriveId('category', key);
  const records = [...sections].map(
    ([key, { parent, isPath, titles }]): FolderRecord => ({
      category_id: idOf(key),
      parent_category_id: parent === null ? null : idOf(parent),
      sort_order: first.get(key) ?? null,
      title: titles.get(defaultLanguage) ?? nameOf(key),
      ...(introductions.has(key) || !isPath ? {} : { path: `${key}/` }),
      multilingual: [...titles]
        .filter(([language]) => language !== defaultLanguage)
        .map(([language, title]) => ({ language_code: language, title, is_live: true })),
    }),
  );
  return {
    records,
    categoryOf(article) {
      const key = own.get(article);
      return key === undefined || key === null ? null : idOf(key);
    },
    isIntroduction: (article) => {
      const [first] = article.pages;
      return first !== undefined && own.get(article) === first.key;
    },
  };
}

/** The position of the first article in each section or below it. */
function firstPositions(
  sectionOf: ReadonlyMap<SiteArticle, string | null>,
  sections: ReadonlyMap<string, SiteSection>,
  order: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const [{ id }, own] of sectionOf) {
    const position = order.get(id);
    if (position === undefined) continue;
    const passed = new Set<string>();
    for (let key = own; key !== null && !passed.has(key); key = sections.get(key)?.parent ?? null) {
      first.set(key, Math.min(first.get(key) ?? position, position));
      passed.add(key);
    }
  }
  return first;
}

/** The breadcrumbs of a page without the home page and the page itself; `null` if it has none. */
function breadcrumbsOf({ page, path }: PlacedPage, routes: SiteRoutes): readonly Step[] | null {
  const steps: Step[] = [];
  for (const { title, url } of page.breadcrumbs) {
    const target = url === null ? null : pathOfUrl(page, url, routes);
    const isHome = target !== null && /^(?:[a-z]{2,3}(?:-[a-z0-9]{2,8})*)?$/i.test(routeKey(target));
    const isSelf = target === path || (target === null && title === page.title);
    if (isHome || isSelf) continue;
    const parent = steps.at(-1)?.key ?? '';
    const isPath = target !== null;
    steps.push({ key: isPath ? routeKey(target) : `${parent} ${hyphenate(title)}`.trim(), title, isPath });
  }
  return page.breadcrumbs.length === 0 ? null : steps;
}

/** The path of a URL of the site; `null` if it leads elsewhere. */
function pathOfUrl(from: SitePage, url: string, routes: SiteRoutes): string | null {
  const found = routes.locate(from, url);
  return found.kind === 'page' ? routes.pathOf(found.page) : found.kind === 'inside' ? found.path : null;
}

/**
 * The titles in the navigations above each page. A category has the path of the page to which its title leads, else of the folder that has its
 * pages and no others of the navigation.
 */
function readGroups(
  articles: readonly SiteArticle[],
  all: readonly SitePage[],
  routes: SiteRoutes,
  common: string,
): ReadonlyMap<PlacedPage, readonly Step[]> {
  const placed = new Map(articles.flatMap(({ pages }) => pages.map((one) => [one.page, one] as const)));
  const found = new Map<PlacedPage, readonly Step[]>();
  for (const from of all) {
    const { urls, groups } = from.navigation ?? { urls: null, groups: [] };
    if (urls === null || groups.length === 0) continue;
    const at = (url: string): PlacedPage | undefined => placed.get(routes.pageAt(from, url) as SitePage);
    const pages = urls.map(at);
    const trails: Step[][] = urls.map(() => []);
    for (const { title, url, start, end } of groups) {
      const introduction = url === null ? undefined : at(url);
      // The sections of a page.
      if (pages.slice(start, end).every((page) => page === undefined || page === introduction)) continue;
      const target = url === null ? null : pathOfUrl(from, url, routes);
      const folder = introduction?.key ?? (target === null ? ownFolder(pages, start, end) : routeKey(target));
      const above = trails[start] ?? [];
      const isPath = folder !== '' && folder !== common && above.every(({ key }) => key !== folder);
      const parent = above.at(-1)?.key ?? '';
      const step: Step = {
        key: isPath ? folder : `${parent} ${hyphenate(title) || title}`.trim(),
        ...{ title, isPath },
      };
      for (const trail of trails.slice(start, end)) trail.push(step);
    }
    pages.forEach((page, index) => {
      const trail = trails[index] ?? [];
      if (page !== undefined && trail.length > (found.get(page)?.length ?? 0)) found.set(page, trail);
    });
  }
  return found;
}

/** The folder of the pages in a part of a list, if none of the others is in it; else an empty text. */
function ownFolder(pages: readonly (PlacedPage | undefined)[], start: number, end: number): string {
  const isInside = (index: number): boolean => index >= start && index < end;
  const keys = pages.map((page) => page?.key ?? '');
  const folder = commonFolder(keys.filter((key, index) => key !== '' && isInside(index)));
  return keys.some((key, index) => !isInside(index) && key.startsWith(`${folder}/`)) ? '' : folder;
}

/** The folders of a page below the folder that contains all pages. */
function foldersOf(key: string, common: string): readonly Step[] {
  const steps: Step[] = [];
  for (
    let folder = withoutDates(folderOf(key));
    folder !== '' && folder !== common;
    folder = folderOf(folder)
  ) {
    steps.unshift({ key: folder, title: null, isPath: true });
  }
  return steps;
}

function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

/** The folder that contains all pages. */
function commonFolder(keys: readonly string[]): string {
  const [first = '', ...others] = keys;
  let common = folderOf(first);
  for (const key of others) {
    while (common !== '' && !key.startsWith(`${common}/`) && key !== common) common = folderOf(common);
  }
  return common;
}

function nameOf(key: string): string {
  const name = key.slice(Math.max(key.lastIndexOf('/'), key.lastIndexOf(' ')) + 1);
  return upperFirst(name.replace(/[-_]+/g, ' ').trim());
}
