import { hash } from 'node:crypto';
import { LecternError, messageOf } from '../../../core/errors.ts';
import { languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import {
  deriveId,
  type FolderArticle,
  type FolderRead,
  type FolderSettings,
  type PagePlace,
  refuseInvalidFiles,
} from '../folder-read.ts';
import { isLocale, keyOfLocale } from '../locales.ts';
import { hashProjectConfig, type ProjectConfig } from '../project/config.ts';
import { type Navigation, readNavigation } from '../project/navigation.ts';
import type { PlainProject } from '../project/project-pages.ts';
import { createSitePaths, type PagePaths, type SitePaths } from '../project/site-paths.ts';
import type { RenderMarkdown } from '../render-markdown.ts';
import type { ScannedFiles } from '../safe-files.ts';
import type { PlainArticle } from './find-articles.ts';
import { findArticles } from './find-articles.ts';
import { loadPages, type Page, type PageCache, pageFile, stemOf } from './load-pages.ts';
import { splitSuffix } from './page-path.ts';
import type { PageVisibility } from './page-visibility.ts';
import { readParents } from './parent-navigation.ts';
import { makeCategories } from './plain-categories.ts';
import { arrange, type NavigationPlace } from './plain-navigation.ts';
import { createPlainTargets } from './plain-targets.ts';
import { renderArticle } from './render-article.ts';

/**
 * Reads a folder of pages in the layout of site generators; docs/sources.md lists the supported fields and names.
 * @throws FOLDER_INVALID, FOLDER_UNREADABLE
 */
export function readPlain(
  given: FolderSettings,
  project: PlainProject,
  scanned: ScannedFiles,
  cache: PageCache,
  render: RenderMarkdown,
): FolderRead {
  refuseInvalidFiles(
    project.mistakes,
    'correct the configuration, or choose the folder of the pages as the source; nothing was read from the folder',
  );
  const settings = { ...given, suffixes: findSuffixes(given, project, scanned) };
  const { config } = project;
  const configHash = config === null ? '' : hashProjectConfig(config);
  const pageFiles = new Map([...scanned.stamps].map(([path, stamp]) => [path, `${stamp} ${configHash}`]));
  const { byKey, missing, unknownFolders, problems } = loadPages(
    settings,
    project,
    { ...scanned, stamps: pageFiles },
    cache,
  );
  const { articles, refused, problems: ofIds } = findArticles({ byKey, unknownFolders }, project, settings);
  const { pathOf } = project.pages;
  const site = createSitePaths(
    config,
    settings.defaultLanguage,
    pathOf === null ? null : ({ path, data }) => pathOf(path, data),
  );
  const { paths, problems: ofRedirects } = findPaths(articles, site, config);
  const published = articles.filter(({ isEmpty }) => !isEmpty).flatMap(({ pages }) => pages);
  const taken = new Set(published.map((page) => pathKey(paths.get(page)?.path ?? '')));
  // An index without text is no page: its category is at its path.
  const emptyIndexes = new Map(
    articles.flatMap(({ isEmpty, pages: [first] }) =>
      isEmpty && first !== undefined ? [[first.folder, paths.get(first)] as const] : [],
    ),
  );
  const stamps = new Map([...scanned.stamps].filter(([path]) => project.hiddenAs(path) === null));
  const shown = { ...scanned, stamps };
  const forest = makeCategories(articles, project, shown, settings, (folder) => {
    const { path = site.folderPath(folder), aliases = [] } = emptyIndexes.get(folder) ?? {};
    return { path: taken.has(pathKey(path)) ? `category/${path}` : path, aliases };
  });
  const { navigation, problems: ofNavigation } =
    (config?.generator === 'jekyll' ? readParents(articles, config.file, settings.root) : null) ??
    readPlainNavigation(config, project, shown);
  const arranged = navigation && arrange(navigation, articles, forest, paths, settings);
  const categoryIds = new Set((arranged ?? forest).records.map((record) => record.category_id));
  const categoryOf = (folder: string): string | null => {
    const id = forest.idOf(folder);
    return categoryIds.has(id) ? id : null;
  };
  const targets = createPlainTargets(articles, categoryOf, project, paths, shown, settings);
  const layoutHash = hash(
    'sha256',
    JSON.stringify([
      settings.defaultLanguage,
      [...settings.suffixes],
      project.assets,
      project.markup.math ?? [],
      configHash,
      targets.description,
    ]),
  );
  const read = articles
    .filter(({ isEmpty }) => !isEmpty)
    .map((article): FolderArticle => {
      const { id, pages, visibility } = article;
      const [first] = pages as [Page, ...Page[]];
      const shown = pages.filter((page) => visibility.get(page)?.reason === 'public');
      const place = arranged?.placeOf(article) ?? null;
      // Of a navigation that is partly code, other pages may be a part, too.
      const isListed = isShownInLists(first) && (place !== null || navigation?.isComplete !== true);
      const categoryId =
        arranged === null ? forest.idOf(forest.folderOf(first)) : place === null ? null : place.categoryId;
      // The only page of a folder is one of the pages of the folder above.
      const isIntroduction = first.isIndex && forest.folderOf(first) === first.folder;
      const order = place?.order ?? null;
      const state = pages.map((page) => [page.contentHash, visibility.get(page), paths.get(page)]);
      return {
        id,
        path: first.path,
        files: new Map(pages.map((page) => [page.language ?? settings.defaultLanguage, page.path])),
        excluded: shown.length > 0 ? null : hiddenReason(visibility.get(first)),
        fingerprint: hash(
          'sha256',
          JSON.stringify([
            ...[layoutHash, categoryId, isListed, order, isIntroduction],
            ...[[...(place?.titles ?? [])], state],
          ]),
        ).slice(0, 32),
        places: placesOf(shown, paths, site, place, settings),
        hiddenPaths: hiddenPathsOf(pages, visibility, paths),
        isListed,
        problems: [
          ...pages.flatMap((page) => describeUnknown(id, page, shown.length > 0, visibility, settings)),
          ...shown.flatMap((page) => describeMarkup(id, page, settings)),
        ],
        render: () =>
          renderArticle(article, shown, { categoryId, order, isIntroduction }, targets, render, settings),
      };
    });
  const ids = new Set(articles.map(({ id }) => id));
  for (const [key, { path, reason }] of [...missing, ...refused]) {
    const id = deriveId('article', key);
    // A renamed page keeps the id of its old path.
    if ((byKey.has(key) && !refused.has(key)) || ids.has(id)) continue;
    ids.add(id);
    read.push(missingArticle(id, path, reason));
  }
  return {
    articles: read.sort((a, b) => (a.id < b.id ? -1 : 1)),
    pages: [...byKey.values(), ...missing.values()].flat().map(({ path }) => path),
    categories: (arranged ?? forest).records,
    problems: [
      ...problems,
      ...ofIds,
      ...ofRedirects,
      ...forest.problems,
      ...ofNavigation,
      ...(arranged?.problems ?? []),
    ],
  };
}

/** Themes of Jekyll keep a page out of lists with a field. */
function isShownInLists({ data }: Page): boolean {
  return data.nav_exclude !== true;
}

/** The navigation of a project. One that cannot be read is reported, and folders are the sections. */
function readPlainNavigation(
  config: ProjectConfig | null,
  { trees }: PlainProject,
  { stamps }: ScannedFiles,
): { readonly navigation: Navigation | null; readonly problems: readonly Problem[] } {
  const [tree] = trees;
  if (config === null || tree === undefined) return { navigation: null, problems: [] };
  const start = tree.folder === '' ? '' : `${tree.folder}/`;
  const byFolder = new Map<string, Set<string>>();
  for (const path of stamps.keys()) {
    if (!path.startsWith(start) || !pageFile.test(path)) continue;
    const parts = path.slice(start.length).split('/');
    parts.forEach((name, at) => {
      const folder = parts.slice(0, at).join('/');
      byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(name));
    });
  }
  const isIndex = (name: string): boolean => /^(?:index|readme)\./i.test(name);
  const files = (folder: string): readonly string[] =>
    [...(byFolder.get(folder) ?? [])].sort(
      (a, b) => Number(isIndex(b)) - Number(isIndex(a)) || (a < b ? -1 : 1),
    );
  try {
    return { navigation: readNavigation(config, tree.folder, files), problems: [] };
  } catch (error) {
    if (error instanceof LecternError) throw error;
    return {
      navigation: null,
      problems: [problem('NAVIGATION_UNREAD', messageOf(error), { file: config.file })],
    };
  }
}

/** The part of a path that two spellings of it share. */
function pathKey(path: string): string {
  return path
    .replace(/[?#].*$/, '')
    .replace(/^\/+|(?:\/index)?\.html$/g, '')
    .replace(/\/+$/, '')
    .toLowerCase();
}

/** The paths of all pages on the site of their generator. What the configuration redirects to a page is one of its aliases. */
function findPaths(
  articles: readonly PlainArticle[],
  site: SitePaths,
  config: ProjectConfig | null,
): { readonly paths: ReadonlyMap<Page, PagePaths>; readonly problems: readonly Problem[] } {
  const paths = new Map<Page, { readonly path: string; readonly aliases: string[] }>();
  const byPath = new Map<string, Page>();
  for (const page of articles.flatMap(({ pages }) => pages)) {
    const place = { ...page, language: page.pathLanguage };
    const path = site.pathOf(place);
    paths.set(page, { path, aliases: [...site.aliasesOf(place)] });
    if (!byPath.has(pathKey(path))) byPath.set(pathKey(path), page);
  }
  const problems: Problem[] = [];
  for (const { from, to } of site.redirects) {
    const page = byPath.get(pathKey(to));
    if (page !== undefined) paths.get(page)?.aliases.push(from);
    else {
      const message = `${config?.file} redirects ${from} to ${to}, which is no page of the folder`;
      problems.push(problem('REDIRECT_UNREAD', message, { file: config?.file ?? null }));
    }
  }
  return { paths, problems };
}

/** Where each public language of an article is, by language. */
function placesOf(
  pages: readonly Page[],
  paths: ReadonlyMap<Page, PagePaths>,
  site: SitePaths,
  place: NavigationPlace | null,
  { defaultLanguage }: FolderSettings,
): ReadonlyMap<string, PagePlace> {
  const keyOf = ({ language }: Page): string => languageKey(language ?? defaultLanguage);
  const translated = new Set(pages.map(keyOf));
  return new Map(
    pages.map((page) => {
      const { path = null, aliases = [] } = paths.get(page) ?? {};
      const language = keyOf(page);
      const isOriginal = path !== null && language === languageKey(defaultLanguage);
      return [
        language,
        {
          sourcePath: path,
          aliases,
          fallbacks: isOriginal ? site.fallbacksOf(path, translated) : [],
          file: page.path,
          listTitle: place?.titles.get(language) ?? null,
        },
      ];
    }),
  );
}

/** Paths of the pages that are not public: those that their site has, and those of their files. */
function hiddenPathsOf(
  pages: readonly Page[],
  visibility: PlainArticle['visibility'],
  paths: ReadonlyMap<Page, PagePaths>,
): readonly string[] {
  return pages
    .filter((page) => visibility.get(page)?.reason !== 'public')
    .flatMap((page) => {
      const { path = '', aliases = [] } = paths.get(page) ?? {};
      return [path, ...aliases, page.path];
    });
}

/** An article without a page that can be published. */
function missingArticle(id: string, path: string, reason: 'no-source' | 'invalid'): FolderArticle {
  const render = () => ({ record: {}, problems: [] });
  return {
    id,
    path,
    files: new Map(),
    excluded: reason,
    fingerprint: reason,
    places: new Map(),
    hiddenPaths: [path],
    isListed: true,
    problems: [],
    render,
  };
}

/**
 * The page suffixes that are languages, by {@link keyOfLocale}: the default language, languages of the settings or else of the project, and
 * suffixes of pages whose original is in the same folder.
 */
function findSuffixes(
  settings: FolderSettings,
  { languages }: PlainProject,
  { stamps }: ScannedFiles,
): ReadonlySet<string> {
  const { locales, defaultLanguage } = settings;
  const found = new Set([defaultLanguage, ...(locales ?? languages)].map(keyOfLocale));
  const stems = new Set([...stamps.keys()].flatMap((path) => (pageFile.test(path) ? stemOf(path) : [])));
  for (const stem of stems) {
    const { base, suffix } = splitSuffix(stem);
    const isTranslation = [base, `${base}.${defaultLanguage}`].some((other) => stems.has(other));
    if (suffix !== '' && isTranslation && isLocale(suffix, settings)) found.add(keyOfLocale(suffix));
  }
  return found;
}

function hiddenReason(visibility: PageVisibility | undefined) {
  const reason = visibility?.reason ?? 'visibility-unknown';
  return reason === 'public' ? null : reason;
}

function describeUnknown(
  articleId: string,
  page: Page,
  isPublicElsewhere: boolean,
  visibility: PlainArticle['visibility'],
  { defaultLanguage }: FolderSettings,
): readonly Problem[] {
  const found = visibility.get(page);
  if (found?.reason !== 'visibility-unknown') return [];
  const language = page.language ?? defaultLanguage;
  const code = isPublicElsewhere ? 'TRANSLATION_VISIBILITY_UNKNOWN' : 'VISIBILITY_UNKNOWN';
  return [
    problem(code, `${page.path}: ${found.why ?? `${found.field} is not valid`}`, {
      articleId,
      language,
      file: page.path,
    }),
  ];
}

/** Reports the first syntax of a page that nobody could resolve. */
function describeMarkup(
  articleId: string,
  { path, language, unknown }: Page,
  { defaultLanguage }: FolderSettings,
): readonly Problem[] {
  const [first, ...more] = unknown;
  if (first === undefined) return [];
  const line = first.line === null ? '' : `, line ${first.line},`;
  const others = more.length === 0 ? '' : `, nor are ${more.length} others in this file`;
  const message = `${first.what} in ${path}${line} is not published${others}`;
  const place = { file: path, line: first.line };
  return [problem('MARKUP_UNKNOWN', message, { articleId, language: language ?? defaultLanguage, ...place })];
}
