import { z } from '../schema.ts';
import { articleId, articleStatus } from './article.ts';
import { languageCode, nullableText, queryBoolean, queryInteger, timestamp } from './fields.ts';

/** Default and largest `limit` of a search. */
export const searchLimits = { default: 10, maximum: 100 };

/** Query of `GET /search`. */
export const searchQuery = z.object({
  query: z
    .string()
    .min(1, 'must not be empty')
    .describe(
      'Search text. Finds articles with all words, the last as a beginning; if there are none, articles with any of them.',
    ),
  limit: queryInteger(1, searchLimits.maximum)
    .optional()
    .describe(`Maximum number of results: default ${searchLimits.default}, at most ${searchLimits.maximum}.`),
  language_code: languageCode
    .optional()
    .describe('Only this language; absent: the best language of each article.'),
  include_private: queryBoolean.optional().describe('Include private and restricted articles.'),
  include_draft: queryBoolean.optional().describe('Include drafts, and translations that are not live.'),
});

/** An article in the search results. */
const searchHit = z
  .strictObject({
    article_id: articleId,
    category_id: nullableText,
    language_code: languageCode.describe('Language of title, slug, description and snippet.'),
    title: z.string(),
    slug: z.string(),
    description: nullableText,
    tags: z.array(z.string()),
    status: articleStatus,
    updated_at: timestamp,
    url: z.string(),
    relative_url: z.string(),
    snippet: z.string().describe('HTML whose only element is `<mark>`, around the words found.'),
    score: z.number().describe('Larger is better; only comparable within one response.'),
  })
  .meta({ id: 'SearchHit' });

/** Response of `GET /search`, best first. */
export const searchAnswer = z
  .strictObject({
    articles: z.array(searchHit),
    query: z.string().describe('The query as it was sent.'),
    query_truncated: z.boolean().describe('The query was cut to 500 characters and 16 different words.'),
    totalHits: z.int(),
    maxScore: z.number().nullable(),
    stemmedQuery: z.string().describe('The words searched for, folded.'),
  })
  .meta({ id: 'SearchAnswer' });

export type SearchQuery = z.output<typeof searchQuery>;
export type SearchHit = z.output<typeof searchHit>;
export type SearchAnswer = z.output<typeof searchAnswer>;

/** Default and largest `limit` of the statistics. */
export const statisticsLimits = { default: 100, maximum: 1000 };

const day = z.iso.date('must be a day such as 2026-01-31');

/** Query of `GET /stats/article`. */
export const statisticsQuery = z.object({
  language_code: languageCode.optional().describe('Return titles in this language if the article has one.'),
  start_date: day.optional().describe('First day (UTC), inclusive; absent: 29 days before the last.'),
  end_date: day.optional().describe('Last day (UTC), inclusive; absent: today.'),
  category_id: z.string().min(1).optional(),
  limit: queryInteger(1, statisticsLimits.maximum)
    .optional()
    .describe(
      `Maximum number of entries: default ${statisticsLimits.default}, at most ${statisticsLimits.maximum}.`,
    ),
});

/** The views of an article. */
export const topArticle = z
  .strictObject({
    article_id: articleId,
    count: z.int().describe('Views in the timeframe.'),
    title: z.string(),
  })
  .meta({ id: 'TopArticle' });

/** Response of `GET /stats/article`, most viewed first. */
export const statisticsAnswer = z.strictObject({ top_articles: z.array(topArticle) });

/** Body of the extension `POST /stats/article/:article_id`: views to add. */
export const viewCount = z
  .strictObject({
    count: z.int().min(1).max(1_000_000).optional().describe('Number of views; default 1.'),
    date: day.optional().describe('Day of the views (UTC); default today.'),
  })
  .meta({ id: 'ViewCount' });

/** Longest texts of readers that are stored, in characters; longer ones are cut. */
export const readerLimits = { query: 200, text: 500 };

/** Query of `GET /stats/search` and `GET /stats/feedback`. */
export const readerQuery = statisticsQuery.pick({ start_date: true, end_date: true, limit: true }).extend({
  language_code: languageCode.optional().describe('Only what readers of this language said.'),
});

/** A search in which readers found nothing. */
export const missedSearch = z
  .strictObject({
    query: z.string().describe('What was typed, in lower case, without e-mail addresses and long numbers.'),
    language_code: languageCode,
    count: z.int().describe('Number of readers who searched for it in the timeframe.'),
    last_date: day.describe('The last day on which somebody did.'),
  })
  .meta({ id: 'MissedSearch' });

/** Response of `GET /stats/search`, most frequent first. */
export const missedSearches = z.strictObject({ searches: z.array(missedSearch) });

/** Body of the extension `POST /stats/search`: one search without a result. */
export const searchMiss = z
  .strictObject({ query: z.string().min(1).max(1000), language: languageCode })
  .meta({ id: 'SearchMiss' });

/** What readers say of an article in one language. */
export const articleFeedback = z
  .strictObject({
    article_id: articleId,
    title: z.string(),
    language_code: languageCode,
    helpful: z.int().describe('Number of readers whom it helped.'),
    unhelpful: z.int().describe('Number of readers whom it did not help.'),
    texts: z
      .array(z.string())
      .describe('What they wrote, newest first, without e-mail addresses and long numbers.'),
  })
  .meta({ id: 'ArticleFeedback' });

/** Response of `GET /stats/feedback`, least helpful first. */
export const feedbackAnswer = z.strictObject({ feedback: z.array(articleFeedback) });

/** Body of the extension `POST /stats/feedback`: the fields of the form on the site. */
export const readerFeedback = z
  .strictObject({
    article: articleId,
    language: languageCode,
    helpful: z.enum(['yes', 'no']).optional().describe('Absent if only a text is sent.'),
    text: z.string().max(10_000).optional().describe('What the reader wrote.'),
    page: z.string().max(2_000).optional().describe('Ignored.'),
  })
  .meta({ id: 'ReaderFeedback' });

export type ReaderQuery = z.output<typeof readerQuery>;
export type MissedSearch = z.output<typeof missedSearch>;
export type SearchMiss = z.output<typeof searchMiss>;
export type ArticleFeedback = z.output<typeof articleFeedback>;
export type ReaderFeedback = z.output<typeof readerFeedback>;
export type StatisticsQuery = z.output<typeof statisticsQuery>;
export type ArticleViews = z.output<typeof topArticle>;
export type ViewCount = z.output<typeof viewCount>;

/** One public article in one language, as plain text. */
const sourceArticle = z
  .strictObject({
    article_id: articleId,
    language: languageCode,
    title: z.string(),
    url: z.string().describe('`/article/<id>-<slug>`, for a translation below `/l/<language>`.'),
    category_path: z.array(z.string()).describe('Category titles in this language, outermost first.'),
    tags: z.array(z.string()),
    updated_at: timestamp,
    hash: z.string().describe('SHA-256 of title and text.'),
    text: z.string().describe('Plain text, one block per line.'),
  })
  .meta({ id: 'SourceArticle' });

/** The chatbot source page: all published public articles and their content. */
export const sourcePage = z
  .strictObject({
    schema: z.literal('lectern/service-source/1'),
    default_language: languageCode,
    articles: z
      .array(sourceArticle)
      .describe('By article, in the order of the list; the default language first.'),
  })
  .meta({ id: 'SourcePage' });

export type SourceArticle = z.output<typeof sourceArticle>;
export type SourcePage = z.output<typeof sourcePage>;
