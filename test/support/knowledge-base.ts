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
    bodyHash: '',
    blockFingerprints: [],
    listTitle: null,
    sourcePath: null,
    aliases: [],
    fallbacks: [],
    file: null,
    ...rest,
  };
}

/** An article with defaults for fields that a test does not set. */
export function article(
  id: string,
  translations: ArticleTranslation[],
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
    translations,
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
  articles: Article[],
  categories: Category[] = [],
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
