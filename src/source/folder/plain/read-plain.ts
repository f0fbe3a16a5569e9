import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pageFile } from '../../../core/hidden-names.ts';
import { englishName, isSameLanguage, languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import type { TextReference } from '../../snapshot/format.ts';
import type { OpenFileMemory } from '../../snapshot/snapshot-file.ts';
import {
  deriveId,
  type FolderArticle,
  type FolderRead,
  type FolderSettings,
  notPublic,
  type PagePlace,
} from '../folder-read.ts';
import { isLocale, keyOfLocale } from '../locales.ts';
import type { ScannedFiles } from '../safe-files.ts';
import { findArticles, type PlainArticle } from './find-articles.ts';
import { loadPages, type Page } from './load-pages.ts';
import { textField } from './page-fields.ts';
import { splitSuffix, stemOf } from './page-path.ts';
import { pathOfFolder } from './page-paths.ts';
import { nextVisibilityMs } from './page-visibility.ts';
import { makeCategories } from './plain-categories.ts';
import { createPlainTargets } from './plain-targets.ts';
import { renderArticle } from './render-article.ts';

/** Reads a folder of Markdown; docs/sources.md lists the supported fields and names. @throws PATH_UNUSABLE */
export function readPlain(
  given: FolderSettings,
  scanned: ScannedFiles,
  openFiles: OpenFileMemory,
): FolderRead {
  const settings = { ...given, suffixes: findSuffixes(given, scanned) };
  const { defaultLanguage } = settings;
  const isVault = existsSync(join(settings.root, '.obsidian'));
  const { byKey, unreadable, problems } = loadPages(
    settings,
    scanned,
    openFiles(`plain ${isVault}`, settings.nowMs),
    isVault,
  );
  const { articles, refused, problems: ofIds } = findArticles(byKey, defaultLanguage);
  const published = articles.filter(({ isEmpty }) => !isEmpty);
  // As the category would have it, whose path has the language before it in all but the default language.
  const takenBy = ({ paths, language }: Page): string => {
    const prefix = isSameLanguage(language, defaultLanguage) ? '' : `${language}/`.toLowerCase();
    const key = pathKey(paths.path);
    return key.startsWith(prefix) ? key.slice(prefix.length) : key;
  };
  const taken = new Set(published.flatMap(({ pages }) => pages.map(takenBy)));
  // An index without text is no page: its category is at its path.
  const emptyIndexes = new Map(
    articles.flatMap(({ isEmpty, pages: [first] }) =>
      isEmpty && first !== undefined ? [[first.folder, first.paths] as const] : [],
    ),
  );
  const forest = makeCategories(articles, defaultLanguage, (folder) => {
    const { path = pathOfFolder(folder), aliases = [] } = emptyIndexes.get(folder) ?? {};
    return { path: taken.has(pathKey(path)) ? `category/${path}` : path, aliases };
  });
  const targets = createPlainTargets(articles, forest.idOf, scanned, settings, isVault);
  const layout = hash('sha256', JSON.stringify(targets.description));
  const rules = [defaultLanguage, [...settings.suffixes], settings.math, isVault];
  const read = published.map((article): FolderArticle => {
    const { id, pages } = article;
    const [first] = pages as [Page, ...Page[]];
    const shown = pages.filter(({ visibility }) => visibility.reason === 'public');
    const categoryId = forest.idOf(forest.folderOf(first));
    // The only page of a folder is one of the pages of the folder above.
    const isIntroduction = first.isIndex && forest.folderOf(first) === first.folder;
    const state = pages.map((page) => [page.contentHash, page.visibility, page.paths]);
    return {
      id,
      path: first.path,
      files: new Map(pages.map(({ language, path }) => [language, path])),
      excluded: shown.length > 0 || first.visibility.reason === 'public' ? null : first.visibility.reason,
      fingerprint: hash('sha256', JSON.stringify([rules, categoryId, isIntroduction, state])).slice(0, 32),
      targets: { layout, find: (reference) => findIn(pages, reference, targets) },
      places: placesOf(shown),
      hiddenPaths: hiddenPathsOf(pages),
      isListed: first.data.nav_exclude !== true,
      problems: pages.flatMap((page) => describeUnknown(id, page)),
      render: () => renderArticle(article, shown, { categoryId, isIntroduction }, targets, settings),
    };
  });
  const ids = new Set(articles.map(({ id }) => id));
  for (const [key, path] of [...unreadable, ...refused]) {
    const id = deriveId('article', key);
    // A renamed page keeps the id of its old path.
    if ((byKey.has(key) && !refused.has(key)) || ids.has(id)) continue;
    ids.add(id);
    read.push(notPublic(id, path, 'invalid', [path]));
  }
  return {
    articles: read.sort((a, b) => (a.id < b.id ? -1 : 1)),
    pages: [...[...byKey.values()].flat().map(({ path }) => path), ...unreadable.values()],
    categories: forest.records,
    scheduleMs: [...byKey.values()]
      .flat()
      .reduce(
        (next, { data }) => Math.min(next, nextVisibilityMs(data, settings.nowMs)),
        Number.POSITIVE_INFINITY,
      ),
    problems: [...problems, ...ofIds, ...describeAssumed(published, settings)],
  };
}

function findIn(
  pages: readonly Page[],
  [file, path, isName]: TextReference,
  targets: ReturnType<typeof createPlainTargets>,
): unknown {
  const page = pages.find((one) => one.path === file);
  if (page === undefined) return null;
  return isName ? targets.findByName(page, path) : targets.find(page, path);
}

/** The part of a path that two spellings of it share. */
function pathKey(path: string): string {
  return path
    .replace(/(?:\/index)?\.html$/, '')
    .replace(/\/+$/, '')
    .toLowerCase();
}

/** Where each public language of an article is, by language. */
function placesOf(pages: readonly Page[]): ReadonlyMap<string, PagePlace> {
  return new Map(
    pages.map(({ language, path: file, paths: { path, isGiven, aliases } }) => [
      languageKey(language),
      { sourcePath: isGiven ? `/${path}` : path, aliases, file },
    ]),
  );
}

/** Paths of the pages that are not public: those that they would have, and those of their files. */
function hiddenPathsOf(pages: readonly Page[]): readonly string[] {
  return pages
    .filter(({ visibility }) => visibility.reason !== 'public')
    .flatMap(({ path, paths }) => [paths.path, ...paths.aliases, path]);
}

/**
 * The page suffixes that are languages, by {@link keyOfLocale}: the default language, languages of the settings, and suffixes of pages whose
 * original is in the same folder.
 */
function findSuffixes(settings: FolderSettings, { stamps }: ScannedFiles): ReadonlySet<string> {
  const { locales, defaultLanguage } = settings;
  const found = new Set([defaultLanguage, ...(locales ?? [])].map(keyOfLocale));
  const stems = new Set([...stamps.keys()].flatMap((path) => (pageFile.test(path) ? stemOf(path) : [])));
  for (const stem of stems) {
    const { base, suffix } = splitSuffix(stem);
    const isTranslation = [base, `${base}.${defaultLanguage}`].some((other) => stems.has(other));
    if (suffix !== '' && isTranslation && isLocale(suffix, settings)) found.add(keyOfLocale(suffix));
  }
  return found;
}

function describeUnknown(articleId: string, { path, language, visibility }: Page): readonly Problem[] {
  const { reason, field, why = `${field} is not valid` } = visibility;
  if (reason !== 'visibility-unknown') return [];
  return [problem('VISIBILITY_UNKNOWN', `${path}: ${why}`, { articleId, language, file: path })];
}

/**
 * Names the folders that are taken for languages by their names alone, which may be those of departments: `hr`, `it`. Both have a home page. If the
 * default language has a folder, too, the others are languages.
 */
function describeAssumed(
  articles: readonly PlainArticle[],
  { locales, defaultLanguage }: FolderSettings,
): readonly Problem[] {
  if (locales !== null) return [];
  const isDefault = (language: string): boolean => isSameLanguage(language, defaultLanguage);
  const known = new Set<string>();
  const found = new Map<string, Page>();
  for (const { pages } of articles) {
    const isTranslated = pages.some(({ language }) => isDefault(language));
    for (const page of pages) {
      const { pathLanguage, isIndex, folder, data } = page;
      if (pathLanguage === null || (isIndex && folder === '')) continue;
      if (isDefault(pathLanguage)) return [];
      if (isTranslated || textField(data, 'lang', 'language') !== null) known.add(pathLanguage);
      else found.set(pathLanguage, found.get(pathLanguage) ?? page);
    }
  }
  const original = englishName(defaultLanguage);
  return [...found].flatMap(([tag, { path, language }]) => {
    if (known.has(tag)) return [];
    const message = `the folder ${path.split('/')[0]} is taken for pages in ${englishName(language)}, although none of them is a translation of a page in ${original}`;
    return problem('LANGUAGE_ASSUMED', message, { language, file: path });
  });
}
