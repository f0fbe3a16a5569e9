import { z } from '../schema.ts';
import { type ArticleMultilingual, type ArticleRecord, articleStatus } from './article.ts';
import type { CategoryMultilingual, CategoryRecord } from './category.ts';
import type { ArticleFeedback, ArticleViews, MissedSearch, SearchAnswer, SourcePage } from './queries.ts';

const text = z.string().catch('');
const textOrNull = z.string().nullable().catch(null);
/** Every value is text, because a time that cannot be read must not become `null`, which means that there is none. */
const scheduleTime = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : value == null ? null : JSON.stringify(value)));
const flag = z.boolean().catch(false);
const numberOrNull = z.number().nullable().catch(null);
const texts = z
  .array(z.unknown())
  .transform((values) => values.filter((value) => typeof value === 'string'))
  .catch([]);
const elements = z.array(z.unknown()).catch([]);

const articleFields = z.object({
  article_id: z.string().min(1),
  account_id: text,
  category_id: textOrNull,
  title: text,
  slug: text,
  description: textOrNull,
  short_version: textOrNull,
  tags: texts,
  is_published: flag,
  is_private: flag,
  permission_groups: texts.nullable(),
  publish_at: scheduleTime,
  unpublish_at: scheduleTime,
  is_featured: flag,
  show_toc: z.boolean().catch(true),
  sort_order: numberOrNull,
  created_at: text,
  updated_at: text,
  url: text,
  relative_url: text,
  body: z.string().optional().catch(undefined),
  multilingual: elements,
});

const articleElement = z.object({
  language_code: z.string().min(1),
  title: textOrNull,
  slug: textOrNull,
  description: textOrNull,
  body: textOrNull,
  is_live: z.boolean().catch(true),
  publish_at: scheduleTime,
  unpublish_at: scheduleTime,
});

const categoryFields = z.object({
  category_id: z.string().min(1),
  account_id: text,
  title: text,
  slug: text,
  description: textOrNull,
  parent_category_id: textOrNull,
  sort_order: numberOrNull,
  icon: textOrNull,
  created_at: text,
  updated_at: text,
  multilingual: elements,
});

const categoryElement = z.object({
  language_code: z.string().min(1),
  title: textOrNull,
  description: textOrNull,
  slug: textOrNull,
});

/**
 * Parses an article of a response leniently: a field that is missing or of another type is empty, unknown fields are dropped. `null`
 * without an id.
 */
export function parseArticle(value: unknown): ArticleRecord | null {
  const parsed = articleFields.safeParse(value);
  if (!parsed.success) return null;
  const { body, ...fields } = parsed.data;
  const multilingual = keepValid<ArticleMultilingual>(articleElement, fields.multilingual);
  return { ...fields, ...(body === undefined ? {} : { body }), multilingual };
}

/** Like {@link parseArticle}, for a category; some clients write a translated description as `body`. */
export function parseCategory(value: unknown): CategoryRecord | null {
  const parsed = categoryFields.safeParse(value);
  if (!parsed.success) return null;
  const renamed = parsed.data.multilingual.map((element) =>
    typeof element === 'object' && element !== null && 'body' in element
      ? { description: element.body, ...element }
      : element,
  );
  return { ...parsed.data, multilingual: keepValid<CategoryMultilingual>(categoryElement, renamed) };
}

/** The elements with a language; the first one if several have the same language. */
function keepValid<T extends { readonly language_code: string }>(
  schema: z.ZodType<T>,
  values: readonly unknown[],
): T[] {
  const byLanguage = new Map<string, T>();
  for (const value of values) {
    const parsed = schema.safeParse(value);
    if (!parsed.success) continue;
    const language = parsed.data.language_code;
    if (!byLanguage.has(language)) byLanguage.set(language, parsed.data);
  }
  return [...byLanguage.values()];
}

const searchFields = z.object({
  articles: z.array(z.unknown()),
  query: text,
  query_truncated: flag,
  totalHits: z.number().catch(0),
  maxScore: numberOrNull,
  stemmedQuery: text,
});

const hitFields = z.object({
  article_id: z.string().min(1),
  category_id: textOrNull,
  language_code: text,
  title: text,
  slug: text,
  description: textOrNull,
  tags: texts,
  status: articleStatus.catch('draft'),
  updated_at: text,
  url: text,
  relative_url: text,
  snippet: text,
  score: z.number().catch(0),
});

/** Parses a search response leniently; `null` if it has no list of articles. */
export function parseSearchAnswer(value: unknown): SearchAnswer | null {
  const answer = searchFields.safeParse(value).data;
  return answer === undefined ? null : { ...answer, articles: readEach(hitFields, answer.articles) };
}

const topArticleFields = z.object({ article_id: z.string().min(1), count: z.number(), title: text });

/** The statistics entries with an article and a number; `null` if there is no list. */
export function parseTopArticles(value: unknown): readonly ArticleViews[] | null {
  const answer = z.object({ top_articles: z.array(z.unknown()) }).safeParse(value).data;
  return answer === undefined ? null : readEach(topArticleFields, answer.top_articles);
}

const missedSearchFields = z.object({ query: text, language_code: text, count: z.number(), last_date: text });

/** The entries of the searches without a result; `null` if there is no list. */
export function parseMissedSearches(value: unknown): readonly MissedSearch[] | null {
  const answer = z.object({ searches: z.array(z.unknown()) }).safeParse(value).data;
  return answer === undefined ? null : readEach(missedSearchFields, answer.searches);
}

const feedbackFields = z.object({
  article_id: z.string().min(1),
  title: text,
  language_code: text,
  helpful: z.number(),
  unhelpful: z.number(),
  texts,
});

/** The entries of the feedback; `null` if there is no list. */
export function parseFeedback(value: unknown): readonly ArticleFeedback[] | null {
  const answer = z.object({ feedback: z.array(z.unknown()) }).safeParse(value).data;
  return answer === undefined ? null : readEach(feedbackFields, answer.feedback);
}

const sourceFields = z.object({
  schema: z.literal('lectern/service-source/1'),
  default_language: text,
  articles: z.array(z.unknown()),
});

const sourceArticleFields = z.object({
  article_id: z.string().min(1),
  language: text,
  title: text,
  url: text,
  category_path: texts,
  tags: texts,
  updated_at: text,
  hash: text,
  text,
});

/** Parses the chatbot source page; `null` if it is not valid. */
export function parseSourcePage(value: unknown): SourcePage | null {
  const page = sourceFields.safeParse(value).data;
  return page === undefined ? null : { ...page, articles: readEach(sourceArticleFields, page.articles) };
}

/** The values that match a schema. */
function readEach<T>(shape: z.ZodType<T>, values: readonly unknown[]): T[] {
  return values.flatMap((value) => shape.safeParse(value).data ?? []);
}
