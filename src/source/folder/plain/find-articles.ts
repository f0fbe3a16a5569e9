import { languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { isArticleId } from '../../normalise/article.ts';
import { deriveId } from '../folder-read.ts';
import type { Page } from './load-pages.ts';
import { textField } from './page-fields.ts';

/** The pages of an article, with its id. */
export interface PlainArticle {
  readonly id: string;
  /** The default language first. */
  readonly pages: readonly Page[];
  /** An index page without text only describes its folder. */
  readonly isEmpty: boolean;
}

/** The articles of a folder. */
interface FoundArticles {
  readonly articles: readonly PlainArticle[];
  /** A file of each article that is not published because of its id, by key. */
  readonly refused: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Decides which pages are an article, with which id. */
export function findArticles(
  byKey: ReadonlyMap<string, readonly Page[]>,
  defaultLanguage: string,
): FoundArticles {
  const articles = [...byKey].map(([key, pages]) => describeArticle(key, pages));
  return skipWrongIds(joinLanguages(articles, defaultLanguage));
}

/**
 * Joins articles with the same id that have no language in common. So a page that was renamed keeps its id (`article_id`) although its
 * translations still have the old file name.
 */
function joinLanguages(articles: readonly PlainArticle[], defaultLanguage: string): readonly PlainArticle[] {
  const languageOf = ({ language }: Page): string => languageKey(language);
  const byId = new Map<string, PlainArticle[]>();
  for (const article of articles) {
    const same = byId.get(article.id) ?? [];
    const other = same.findIndex(({ pages }) => {
      const languages = new Set(pages.map(languageOf));
      return article.pages.every((page) => !languages.has(languageOf(page)));
    });
    const joined = same[other];
    if (joined === undefined) same.push(article);
    else {
      const isDefault = (page: Page): number => Number(languageOf(page) === languageKey(defaultLanguage));
      const pages = [...joined.pages, ...article.pages].sort((a, b) => isDefault(b) - isDefault(a));
      same[other] = { id: article.id, pages, isEmpty: joined.isEmpty && article.isEmpty };
    }
    byId.set(article.id, same);
  }
  return [...byId.values()].flat();
}

function describeArticle(key: string, pages: readonly Page[]): PlainArticle {
  const given = pages.flatMap(({ data }) => textField(data, 'article_id') ?? []);
  return {
    id: given[0] ?? deriveId('article', key),
    pages,
    isEmpty: pages.every(({ isIndex, isBlank }) => isIndex && isBlank),
  };
}

/** Skips articles whose `article_id` is invalid or that of an earlier article, and translations with another one than their page. */
function skipWrongIds(all: readonly PlainArticle[]): FoundArticles {
  const problems: Problem[] = [];
  const refused = new Map<string, string>();
  const paths = new Map<string, string>();
  const skip = (path: string, why: string): void => {
    problems.push(problem('FILE_SKIPPED', `${path}: ${why}`, { file: path }));
  };
  const articles = all.flatMap((article): PlainArticle[] => {
    const { id } = article;
    const { path, key } = article.pages[0] as Page;
    if (!isArticleId(id)) {
      skip(path, `article_id ${JSON.stringify(id)} is not ten letters or digits`);
      refused.set(key, path);
      return [];
    }
    const other = paths.get(id);
    if (other !== undefined) {
      skip(path, `${other} has the same id ${id}; give one of them another article_id`);
      refused.set(key, path);
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
