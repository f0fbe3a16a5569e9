import { languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { deriveId, type FolderSettings } from '../folder-read.ts';
import type { PlainProject } from '../project/project-pages.ts';
import type { LoadedPages, Page } from './load-pages.ts';
import { textField } from './page-fields.ts';
import { ancestors } from './page-path.ts';
import {
  type Cascade,
  type PageVisibility,
  readCascadedVisibility,
  readCascades,
} from './page-visibility.ts';

/** A page with its id and whether it is public. */
export interface PlainArticle {
  readonly id: string;
  /** The default language first. */
  readonly pages: readonly Page[];
  readonly visibility: ReadonlyMap<Page, PageVisibility>;
  /** An index page without text only describes its folder. */
  readonly isEmpty: boolean;
}

/** The articles of a folder. */
interface FoundArticles {
  readonly articles: readonly PlainArticle[];
  /** Articles that are not published because of their id, by key. */
  readonly refused: ReadonlyMap<string, { readonly path: string; readonly reason: 'invalid' }>;
  readonly problems: readonly Problem[];
}

/** Decides which pages are an article, with which id, and whether each is public. */
export function findArticles(
  { byKey, unknownFolders }: Pick<LoadedPages, 'byKey' | 'unknownFolders'>,
  { pages: { cascade }, disabled }: PlainProject,
  settings: FolderSettings,
): FoundArticles {
  const cascades = findCascades(byKey, unknownFolders, cascade, settings.defaultLanguage);
  const articles = [...byKey].map(([key, pages]) =>
    describeArticle(key, pages, cascades, disabled, settings),
  );
  return skipWrongIds(joinLanguages(articles, settings));
}

/**
 * Joins articles with the same id that have no language in common. So a page that was renamed keeps its id (`article_id`) although its
 * translations still have the old file name.
 */
function joinLanguages(
  articles: readonly PlainArticle[],
  { defaultLanguage }: FolderSettings,
): readonly PlainArticle[] {
  const languageOf = ({ language }: Page): string => languageKey(language ?? defaultLanguage);
  const byId = new Map<string, PlainArticle[]>();
  for (const article of articles) {
    const same = byId.get(article.id) ?? [];
    const other = same.findIndex(({ pages }) => {
      const languages = new Set(pages.map(languageOf));
      return article.pages.every((page) => !languages.has(languageOf(page)));
    });
    const joined = same[other];
    if (joined === undefined) same.push(article);
    else
      same[other] = joinPages(joined, article, (page) => languageOf(page) === languageKey(defaultLanguage));
    byId.set(article.id, same);
  }
  return [...byId.values()].flat();
}

function joinPages(one: PlainArticle, other: PlainArticle, isDefault: (page: Page) => boolean): PlainArticle {
  return {
    id: one.id,
    pages: [...one.pages, ...other.pages].sort((a, b) => Number(isDefault(b)) - Number(isDefault(a))),
    visibility: new Map([...one.visibility, ...other.visibility]),
    isEmpty: one.isEmpty && other.isEmpty,
  };
}

function describeArticle(
  key: string,
  pages: readonly Page[],
  cascades: ReadonlyMap<string, readonly FolderCascade[]>,
  disabled: PlainProject['disabled'],
  { defaultLanguage, nowMs }: FolderSettings,
): PlainArticle {
  const given = pages.flatMap(({ data }) => textField(data, 'article_id') ?? []);
  return {
    id: given[0] ?? deriveId('article', key),
    pages,
    visibility: new Map(
      pages.map((page) => {
        if (page.language !== null && disabled.has(languageKey(page.language))) {
          return [page, { reason: 'other-language', field: null }] as const;
        }
        if (page.hiddenAs !== null) return [page, { reason: page.hiddenAs, field: null }] as const;
        const language = page.language ?? defaultLanguage;
        // Those in the language of the page come first.
        const rank = (one: FolderCascade): number => (one.language === language ? 0 : 1);
        const given = ancestors(page.folder).flatMap((folder) =>
          (cascades.get(folder) ?? []).toSorted((a, b) => rank(a) - rank(b)),
        );
        return [page, readCascadedVisibility({ ...page, language }, given, nowMs)] as const;
      }),
    ),
    isEmpty: pages.every(
      ({ isIndex, text, unknown }) =>
        isIndex && text.replace(linkDefinition, '').trim() === '' && unknown.length === 0,
    ),
  };
}

/** A line `[name]: address`, which shows nothing. A generator may append them to every page. */
const linkDefinition = /^ {0,3}\[[^\]\n]+\]:[^\n]*$/gm;

interface FolderCascade extends Cascade {
  /** Language of the file that has it; `null` if it is for all languages. */
  readonly language: string | null;
}

/** What folders give the pages below, and the configuration gives all, by folder. An `_index` in one language counts for all. */
function findCascades(
  byKey: ReadonlyMap<string, readonly Page[]>,
  unknownFolders: ReadonlySet<string>,
  ofSite: readonly unknown[],
  defaultLanguage: string,
): ReadonlyMap<string, readonly FolderCascade[]> {
  const cascades = new Map<string, FolderCascade[]>();
  const add = (folder: string, found: readonly Cascade[], language: string | null): void => {
    const all = [...(cascades.get(folder) ?? []), ...found.map((one) => ({ ...one, language }))];
    if (found.length > 0) cascades.set(folder, all);
  };
  for (const page of [...byKey.values()].flat())
    if (page.isIndex) add(page.folder, readCascades(page.data.cascade), page.language ?? defaultLanguage);
  for (const folder of unknownFolders) add(folder, [{ fields: {}, matches: null }], null);
  add('', readCascades([...ofSite]), null);
  return cascades;
}

/** Skips articles whose `article_id` is invalid or that of an earlier article, and translations with another one than their page. */
function skipWrongIds(all: readonly PlainArticle[]): FoundArticles {
  const problems: Problem[] = [];
  const refused = new Map<string, { readonly path: string; readonly reason: 'invalid' }>();
  const paths = new Map<string, string>();
  const skip = (path: string, why: string): void => {
    problems.push(problem('FILE_SKIPPED', `${path}: ${why}`, { file: path }));
  };
  const articles = all.flatMap((article): PlainArticle[] => {
    const { id } = article;
    const { path, key } = article.pages[0] as Page;
    if (!/^[A-Za-z0-9]{10}$/.test(id)) {
      skip(path, `article_id ${JSON.stringify(id)} is not ten letters or digits`);
      refused.set(key, { path, reason: 'invalid' });
      return [];
    }
    const other = paths.get(id);
    if (other !== undefined) {
      skip(path, `${other} has the same id ${id}; give one of them another article_id`);
      refused.set(key, { path, reason: 'invalid' });
      return [];
    }
    paths.set(id, path);
    const pages = article.pages.filter((page) => {
      const given = textField(page.data, 'article_id');
      if (given === null || given === id) return true;
      skip(page.path, `its article_id is ${given}, that of ${path} is ${id}`);
      return false;
    });
    return [{ ...article, pages }];
  });
  return { articles, refused, problems };
}
