import type {
  Article,
  ArticleTranslation,
  Category,
  CategoryTranslation,
  KnowledgeBase,
} from '../../src/core/model.ts';

/** A translation with defaults for fields that a test does not set. */
export function translation(
  language: string,
  title: string,
  rest: Partial<ArticleTranslation> = {},
): ArticleTranslation {
  return {
    language,
    title,
    slug: null,
    description: null,
    updatedAt: null,
    bodyHash: '0'.repeat(64),
    blockFingerprints: [],
    listTitle: null,
    sourcePath: null,
    aliases: [],
    file: null,
    ...rest,
  };
}

/**
 * A public article with defaults for fields that a test does not set.
 * @param translations or only their titles, by language
 */
export function article(
  id: string,
  translations: readonly ArticleTranslation[] | Readonly<Record<string, string>>,
  rest: Partial<Article> = {},
): Article {
  return {
    id,
    categoryId: null,
    tags: [],
    createdAt: null,
    updatedAt: null,
    isFeatured: false,
    sortOrder: null,
    showToc: true,
    isListed: true,
    replaces: {},
    translations: Array.isArray(translations)
      ? translations
      : Object.entries(translations).map(([language, title]) => translation(language, title)),
    ...rest,
  };
}

/** A category titled per language. */
export function category(
  id: string,
  titles: Readonly<Record<string, string>>,
  rest: Partial<Category> = {},
): Category {
  const translations = Object.entries(titles).map(
    ([language, title]): CategoryTranslation => ({ language, title, slug: null, description: null }),
  );
  return { id, parentId: null, icon: null, updatedAt: null, translations, ...rest };
}

/** A knowledge base in English by default; articles are sorted by id as the source stage does. */
export function knowledgeBase(
  articles: readonly Article[],
  categories: readonly Category[] = [],
  rest: Partial<KnowledgeBase> = {},
): KnowledgeBase {
  return {
    defaultLanguage: 'en',
    articles: articles.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    categories,
    excluded: new Map(),
    ...rest,
  };
}
