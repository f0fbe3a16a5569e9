import type { Article, ArticleTranslation, LanguageTag } from '../../core/model.ts';

/** URL and path of one page; `path` is relative to the output folder and always ends in a file name. */
export interface PageAddress {
  /** e.g. `en/article/4fq8d7s2ka-reset/index.html`, never percent-encoded. */
  readonly path: string;
  /** Root-relative, percent-encoded, with the site's base path, e.g. `/docs/en/article/4fq8d7s2ka-reset/`. */
  readonly href: string;
  /** Absolute if the site URL is known, else the same as `href`. */
  readonly url: string;
}

/** One article in one language into which it is translated. */
export interface ArticlePage extends PageAddress, ArticleTranslation {
  readonly articleId: string;
  readonly listTitle: string;
}

/**
 * One category in one language. The page exists if the language has an article in the category or below, or if the category itself is
 * translated.
 */
export interface CategoryPage extends PageAddress {
  readonly language: LanguageTag;
  readonly title: string;
  /** Language of title and description. It differs from `language` if the category is not translated; then it has no hreflang. */
  readonly titleLanguage: LanguageTag;
  readonly description: string | null;
}

export interface HomePage extends PageAddress {
  readonly language: LanguageTag;
  /** The article that is this page, because it was the home page of its own site; `null`: the page lists categories and articles. */
  readonly articleId: string | null;
}

/** An article with its pages instead of its translations. */
export interface PlannedArticle extends Omit<Article, 'translations'> {
  /** The original language: the default language if the article has it, else the first one by tag. */
  readonly sourceLanguage: LanguageTag;
  /** That in the original language comes first: the others use its heading ids. */
  readonly pages: ReadonlyMap<LanguageTag, ArticlePage>;
}

/** A category as one language shows it. Only categories with an article that has a page in any language. */
export interface CategoryNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly icon: string | null;
  /** The page in this language, or in the first language that has one (see its `language`). */
  readonly page: CategoryPage;
  readonly children: readonly CategoryNode[];
  /** Ids of direct articles with a page in this language, in display order. */
  readonly articleIds: readonly string[];
  /** Ids of direct articles without a page in this language (navigation links to the source-language page). */
  readonly untranslatedIds: readonly string[];
  /** Number of articles that its lists have, here and below, also of those without a page in this language. */
  readonly articleCount: number;
}

/** One language of the site. */
export interface PlannedLanguage {
  readonly tag: LanguageTag;
  readonly dir: 'ltr' | 'rtl';
  /** Name of the language in the language itself, e.g. `Deutsch`. */
  readonly name: string;
  /** Name of the help centre in this language. */
  readonly siteTitle: string;
  readonly home: HomePage;
  /** Top-level categories in display order. */
  readonly categories: readonly CategoryNode[];
  /** All category nodes of this language by id. */
  readonly categoryById: ReadonlyMap<string, CategoryNode>;
  /** Articles without a category that have a page in this language, in display order. */
  readonly unassignedIds: readonly string[];
  /** Articles without a category that have no page in this language, in display order. */
  readonly untranslatedUnassignedIds: readonly string[];
  /** All articles with a page in this language, sorted by id. */
  readonly articleIds: readonly string[];
  /** Those that readers open most, at most `popularCount`, most viewed first; empty without statistics. */
  readonly popularIds: readonly string[];
}

/** All paths, URLs and relations of the site and the feed, decided before anything is written. */
export interface Plan {
  /** Absolute, no trailing slash, or `null` if not configured. */
  readonly siteUrl: string | null;
  /** `''` or `/docs`. */
  readonly basePath: string;
  /** Title of the site in the default language. */
  readonly siteTitle: string;
  readonly defaultLanguage: LanguageTag;
  /** Default language first, then in configured order, else sorted by tag. */
  readonly languages: readonly PlannedLanguage[];
  readonly languageByTag: ReadonlyMap<LanguageTag, PlannedLanguage>;
  /** Sorted by id. */
  readonly articles: ReadonlyMap<string, PlannedArticle>;
  /** Category pages by category id and language. */
  readonly categoryPages: ReadonlyMap<string, ReadonlyMap<LanguageTag, CategoryPage>>;
  /** Paths of fallback pages that differ from the pattern, by `fallbackKey`. */
  readonly movedFallbacks: ReadonlyMap<string, string>;
}

/** An article of the plan. Throws if there is none with the id, which is a bug. */
export function articleOf({ articles }: Pick<Plan, 'articles'>, id: string): PlannedArticle {
  const article = articles.get(id);
  if (article === undefined) throw new Error(`the plan has no article "${id}"`);
  return article;
}

/** The page of an article in a language. Throws if there is none, which is a bug. */
export function pageOf({ id, pages }: PlannedArticle, language: LanguageTag): ArticlePage {
  const page = pages.get(language);
  if (page === undefined) throw new Error(`the plan has no page for article "${id}" in "${language}"`);
  return page;
}

/** A category and those above it, outermost first; empty for `null` and for a category that the language does not have. */
export function categoryTrail(
  { categoryById }: Pick<PlannedLanguage, 'categoryById'>,
  categoryId: string | null,
): readonly CategoryNode[] {
  const trail: CategoryNode[] = [];
  const nodeOf = (id: string | null) => categoryById.get(id ?? '');
  for (let node = nodeOf(categoryId); node !== undefined; node = nodeOf(node.parentId)) trail.unshift(node);
  return trail;
}
