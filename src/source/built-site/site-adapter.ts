import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { folderAddress } from '../../core/addresses.ts';
import { LecternError } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { isSameLanguage, languageKey } from '../../core/language.ts';
import type { LanguageTag } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { type AdapterReading, type SourceAdapter, siteIdentity } from '../adapter.ts';
import { readFileArticles } from '../folder/file-articles.ts';
import { type FolderArticle, type FolderPlace, type FolderRecord, notPublic } from '../folder/folder-read.ts';
import { listSite } from '../folder/list-folder.ts';
import { countUnread } from '../folder/unread-files.ts';
import { readForest } from '../normalise/category.ts';
import { groupPages, type PlacedPage, type SiteArticle } from './group-pages.ts';
import { orderByNavigation } from './order-pages.ts';
import { dateOf, type SelectorSettings, type SitePage } from './read-page.ts';
import { parseBodyAgain, readSite } from './read-site.ts';
import { isSelector } from './select.ts';
import { findCategories } from './site-categories.ts';
import { createRoutes, type SiteRoutes } from './site-routes.ts';
import { fillUrls, type LooseUrl } from './write-html.ts';

/** A site that another program built. */
export interface SiteLocation extends FolderPlace, SelectorSettings {
  /** URL at which the site is or will be; `null` if it is not configured. */
  readonly siteUrl: string | null;
  readonly defaultLanguage: LanguageTag;
  /** Endings of linked files that a build copies. Links to other files keep the URL that they have on the site. */
  readonly attachments: ReadonlySet<string>;
}

/**
 * The adapter of a site that any generator built (docs/sources.md): it reads the HTML. Reading throws PATH_UNUSABLE.
 * @throws CONFIG_INVALID (exit 2) if a selector is none
 */
export function createSiteAdapter(location: SiteLocation): SourceAdapter {
  refuseSelectors(location);
  let categories: readonly FolderRecord[] = [];
  return {
    identity: siteIdentity(location),
    async readArticles(reading) {
      const startMs = (reading.settings.ports?.now ?? Date.now)();
      const read = readPages(location, reading, startMs);
      categories = read.categories;
      return readFileArticles(read, location, reading, startMs, true);
    },
    readCategories: async () => readForest(categories, location.defaultLanguage),
    close: async () => {},
  };
}

function refuseSelectors(settings: SelectorSettings): void {
  for (const name of ['content', 'ignore'] as const) {
    const value = settings[name];
    if (value === null || isSelector(value)) continue;
    throw new LecternError(
      'CONFIG_INVALID',
      `source.${name}: ${JSON.stringify(value)} is not a selector of CSS`,
      { hint: 'write a selector such as main, #content or .feedback' },
    );
  }
}

/** Reads the pages of a site as articles of a folder, which are rendered in the same way. */
function readPages(location: SiteLocation, { openFiles, settings }: AdapterReading, startMs: number) {
  const { root, siteUrl, defaultLanguage, content, ignore } = location;
  const { files, etag } = listSite(location);
  const memory = openFiles(JSON.stringify(['site', settings.generator, content, ignore]), startMs);
  const site = readSite(root, files, location, memory);
  const pages = site.pages.map(({ page }) => page);
  const routes = createRoutes(pages, siteUrl, [...site.sitemap.keys()], files.stamps);
  const groups = groupPages(pages, routes, defaultLanguage);
  const places = placesOf(groups.articles);
  const order = orderByNavigation(pages, routes, (page) => places.get(page)?.id);
  const sections = findCategories(groups.articles, pages, routes, order, defaultLanguage);
  const fingerprints = new Map(site.pages.map(({ page, fingerprint }) => [page, fingerprint]));
  const dates = sitemapDates(site.sitemap, pages, routes);
  const resolve = (page: SitePage, loose: LooseUrl, onBroken?: () => void): string =>
    resolveUrl(routes, places, location.attachments, page, loose, onBroken);
  const bodyOf: BodyOf = (page) => {
    const { html } = page.body;
    const body = html === null ? parseBodyAgain(root, page.file, location) : page.body;
    return fillUrls({ html: body.html ?? '', urls: body.urls }, (loose) => resolve(page, loose));
  };
  const skipped = groups.skipped.map(({ id, page, reason }): FolderArticle => {
    const why = problem('MAIN_TEXT_UNKNOWN', `${page.file} is not published: ${page.why}`, {
      articleId: id,
      file: page.file,
    });
    return { ...notPublic(id, page.file, reason), problems: reason === 'no-content' ? [why] : [] };
  });
  const articles = groups.articles.map((article): FolderArticle => {
    const { id, file } = article;
    if (article.pages.length === 0) return notPublic(id, file, 'noindex');
    const place = {
      categoryId: sections.categoryOf(article),
      position: sections.isIntroduction(article) ? -1 : (order.get(id) ?? null),
    };
    const recordOf = (bodyOf: BodyOf) => makeRecord(article, place, dates, defaultLanguage, bodyOf);
    const problems: Problem[] = [];
    const targets = article.pages.map(({ page, language }) => {
      const broken = new Set<string>();
      const urls = page.body.urls.map((loose) => resolve(page, loose, () => broken.add(loose.url.trim())));
      for (const url of broken) {
        const message = `the link ${JSON.stringify(url.slice(0, 200))} in ${page.file} leads to no page and no file of the site`;
        problems.push(problem('LINK_BROKEN', message, { articleId: id, language, file: page.file }));
      }
      return urls;
    });
    const fingerprint = JSON.stringify([
      article.pages.map(({ page }) => fingerprints.get(page)),
      recordOf(() => null),
      targets,
      article.pages.map(({ path, language }) => [path, language]),
    ]);
    return {
      ...notPublic(id, file, null),
      files: new Map(article.pages.map(({ language, page }) => [language, page.file])),
      fingerprint: hash('sha256', fingerprint).slice(0, 32),
      places: sitePlaces(article),
      problems,
      render: async () => ({ record: recordOf(bodyOf), problems: [] }),
    };
  });
  return {
    articles: [...skipped, ...articles].sort((a, b) => (a.id < b.id ? -1 : 1)),
    problems: [...site.problems, ...describeSite(groups, content)],
    scheduleMs: Number.POSITIVE_INFINITY,
    unread: countUnreadOfSite(files.stamps.keys(), pages),
    etag,
    categories: sections.records,
  };
}

/** Counts files in other formats of documents. The Markdown copy that is beside a page is the same page. */
function countUnreadOfSite(
  paths: Iterable<string>,
  pages: readonly SitePage[],
): Readonly<Record<string, number>> {
  const known = pages.flatMap(({ file }) => [file, `${file}.md`, file.replace(/\.html?$/i, '.md')]);
  return countUnread(paths, { pages: known, problems: [] }, /\.html?$/i);
}

/** The article of a page, and the languages in which it is published. */
interface PagePlaceInArticle {
  readonly id: string;
  readonly language: LanguageTag;
  readonly languages: ReadonlySet<LanguageTag>;
}

function placesOf(articles: readonly SiteArticle[]): ReadonlyMap<SitePage, PagePlaceInArticle> {
  const places = new Map<SitePage, PagePlaceInArticle>();
  for (const { id, pages, copies } of articles) {
    const languages = new Set(pages.map(({ language }) => language));
    for (const { page, language } of pages) places.set(page, { id, language, languages });
    const [first] = pages;
    if (first !== undefined)
      for (const copy of copies) places.set(copy, { id, language: first.language, languages });
  }
  return places;
}

/**
 * The URL of a body for the later stages: an article by its id, a file of the site by its path, or the URL itself.
 * @param onBroken called if it is a link to a path of the site where nothing is
 */
function resolveUrl(
  routes: SiteRoutes,
  places: ReadonlyMap<SitePage, PagePlaceInArticle>,
  copied: ReadonlySet<string>,
  page: SitePage,
  { kind, url }: LooseUrl,
  onBroken: () => void = () => {},
): string {
  const trimmed = url.trim();
  if (trimmed === '' || trimmed.startsWith('#') || /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(trimmed))
    return trimmed;
  const found = routes.locate(page, trimmed);
  if (found.kind === 'outside') return found.url ?? trimmed;
  const place = found.kind === 'page' ? places.get(found.page) : undefined;
  if (found.kind === 'page' && place !== undefined) {
    const own = places.get(page)?.language;
    // A link to another language of a page that is also in this one, such as "read the original".
    const isOther = own !== undefined && own !== place.language && place.languages.has(own);
    return `/article/${place.id}${isOther ? `?lang=${place.language}` : ''}${found.hash}`;
  }
  const path = found.kind === 'page' ? routes.pathOf(found.page) : found.path;
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (kind === 'link' && !copied.has(extension)) {
    const isBroken = found.kind === 'inside' && !found.isFile;
    if (isBroken) onBroken();
    // Without a URL, the content stage keeps the text of the link alone.
    if (isBroken || found.url !== null) return found.url ?? '';
  }
  // The media stage, or the feed of the same site, replaces it.
  return folderAddress(path) + (found.kind === 'page' ? found.hash : found.rest);
}

/** The text of a page; `null` if only the rest of its record is wanted. */
type BodyOf = (page: SitePage) => string | null;

/** The record of an article, as the API has it. */
function makeRecord(
  { id, pages, hidden }: SiteArticle,
  { categoryId, position }: { readonly categoryId: string | null; readonly position: number | null },
  dates: ReadonlyMap<SitePage, string>,
  defaultLanguage: LanguageTag,
  bodyOf: BodyOf,
): FolderRecord {
  const [first] = pages as readonly [PlacedPage];
  const updatedAt = (page: SitePage): string | null => page.updatedAt ?? dates.get(page) ?? null;
  const textsOf = ({ page, path }: PlacedPage) => ({
    title: page.title,
    slug: posix.basename(path).replace(/\.html?$/i, '') || null,
    description: page.description,
    body: bodyOf(page),
    updated_at: updatedAt(page),
  });
  const own = pages.find(({ language }) => isSameLanguage(language, defaultLanguage));
  return {
    article_id: id,
    category_id: categoryId,
    tags: first.page.tags,
    is_published: true,
    is_private: false,
    created_at: first.page.createdAt,
    sort_order: position,
    title: null,
    body: null,
    ...(own === undefined ? { updated_at: updatedAt(first.page) } : textsOf(own)),
    multilingual: [
      ...pages
        .filter((one) => one !== own)
        .map((one) => ({ language_code: one.language, is_live: true, ...textsOf(one) })),
      ...hidden.map(({ language, page }) => ({ language_code: language, is_live: false, title: page.file })),
    ],
  };
}

/** Where the pages of an article are on their site. */
function sitePlaces({ pages, copies }: SiteArticle): FolderArticle['places'] {
  return new Map(
    pages.map(({ language, path, page }, index) => {
      const aliases = index === 0 ? copies.map(({ file }) => file) : [];
      return [languageKey(language), { sourcePath: `/${path}`, aliases, file: page.file }];
    }),
  );
}

/** When pages were edited last, as the sitemaps say. */
function sitemapDates(
  sitemap: ReadonlyMap<string, string | null>,
  pages: readonly SitePage[],
  routes: SiteRoutes,
): ReadonlyMap<SitePage, string> {
  const dates = new Map<SitePage, string>();
  const [anyPage] = pages;
  if (anyPage === undefined) return dates;
  for (const [loc, lastmod] of sitemap) {
    const date = dateOf(lastmod);
    const page = date === null ? null : routes.pageAt(anyPage, loc);
    if (date !== null && page !== null) dates.set(page, date);
  }
  return dates;
}

/** Problems of the whole site. @param content `source.content` */
function describeSite(
  { equal, articles, wrongCanonicals }: ReturnType<typeof groupPages>,
  content: string | null,
): readonly Problem[] {
  const pages = articles.flatMap(({ pages }) => pages);
  const guessed = pages.filter(({ page }) => page.foundBy === 'guess');
  const [guess] = guessed;
  const problems: Problem[] = [];
  const report = (code: Problem['code'], message: string, page?: SitePage): void => {
    problems.push(problem(code, message, { file: page?.file ?? null }));
  };
  if (content !== null && !pages.some(({ page }) => page.foundBy === 'setting'))
    report(
      'MAIN_TEXT_UNKNOWN',
      `source.content: no page has ${content}, so the main text was found without it`,
    );
  if (guess !== undefined) {
    const others = guessed.length === 1 ? '' : ` and ${guessed.length - 1} more pages`;
    const message = `${guess.page.file}${others}: the main text was found by what is no navigation`;
    report('MAIN_TEXT_UNKNOWN', message, guess.page);
  }
  const removed = groupBy(
    pages.flatMap(({ page }) => page.removed.map((what) => ({ page, what }))),
    ({ what }) => what,
  );
  for (const [what, [first, ...others]] of removed) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    report('ELEMENT_DROPPED', `${first?.page.file}${more}: ${what} is not published`, first?.page);
  }
  for (const { page, count } of wrongCanonicals) {
    const message = `${count} pages with other titles name ${page.file} as their canonical URL`;
    report('CANONICAL_WRONG', message, page);
  }
  for (const { page, other } of equal) {
    const message = `${page.file} is not published: ${other.file} has the same URL and language`;
    report('CANONICAL_WRONG', message, page);
  }
  return problems;
}
