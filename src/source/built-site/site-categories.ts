import { hyphenate } from '../../core/slug.ts';
import { deriveId, type FolderRecord } from '../folder/folder-read.ts';
import type { PlacedPage, SiteArticle } from './group-pages.ts';
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
 * Makes categories of breadcrumbs, else of folders, whose titles are those of the pages that introduce them.
 * @param order positions of articles in the navigation
 */
export function findCategories(
  articles: readonly SiteArticle[],
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
  for (const article of articles) {
    const [first] = article.pages;
    if (first === undefined) continue;
    const trail = trailOf(first, routes) ?? foldersOf(first.key, common);
    let parent: string | null = null;
    for (const { key, title, isPath } of trail) {
      const section: SiteSection = sections.get(key) ?? { parent, isPath, titles: new Map() };
      sections.set(key, section);
      if (title !== null && !section.titles.has(first.language)) section.titles.set(first.language, title);
      parent = key;
    }
    own.set(article, parent);
    for (const other of article.pages.slice(1)) {
      const translated = trailOf(other, routes);
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
function trailOf({ page, path }: PlacedPage, routes: SiteRoutes): readonly Step[] | null {
  const steps: Step[] = [];
  for (const { title, url } of page.breadcrumbs) {
    const found = url === null ? null : routes.locate(page, url);
    const target =
      found?.kind === 'page' ? routes.pathOf(found.page) : found?.kind === 'inside' ? found.path : null;
    const isHome = target !== null && /^(?:[a-z]{2,3}(?:-[a-z0-9]{2,8})*)?$/i.test(routeKey(target));
    const isSelf = target === path || (target === null && title === page.title);
    if (isHome || isSelf) continue;
    const parent = steps.at(-1)?.key ?? '';
    const isPath = target !== null;
    steps.push({ key: isPath ? routeKey(target) : `${parent} ${hyphenate(title)}`.trim(), title, isPath });
  }
  return page.breadcrumbs.length === 0 ? null : steps;
}

/** The folders of a page below the folder that contains all pages. */
function foldersOf(key: string, common: string): readonly Step[] {
  const steps: Step[] = [];
  for (let folder = folderOf(key); folder !== '' && folder !== common; folder = folderOf(folder)) {
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
  const name = key
    .slice(Math.max(key.lastIndexOf('/'), key.lastIndexOf(' ')) + 1)
    .replace(/[-_]+/g, ' ')
    .trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}
