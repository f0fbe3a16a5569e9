import { z } from '../foundation/schema.ts';
import { articleId, articleStatus } from './article.ts';
import { languageCode, nullableText, queryBoolean, queryInteger, timestamp } from './fields.ts';

/** How many results a search gives when nothing is said, and at most. */
export const searchLimits = { default: 10, maximum: 100 };

/** Query of `GET /search`. */
export const searchQuery = z.object({
  query: z
    .string()
    .min(1, 'must not be empty')
    .describe('The search text; words match as beginnings of words.'),
  limit: queryInteger(1, searchLimits.maximum)
    .optional()
    .describe(`How many results: ${searchLimits.default} when absent, at most ${searchLimits.maximum}.`),
  language_code: languageCode
    .optional()
    .describe('Only this language; absent: the best language of each article.'),
  include_private: queryBoolean.optional().describe('Also private and restricted articles.'),
  include_draft: queryBoolean.optional().describe('Also drafts, and translations that are not live.'),
});

/** One article found. */
export const searchHit = z
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
    score: z.number().describe('Larger is better; comparable within one answer only.'),
  })
  .meta({ id: 'SearchHit' });

/** Answer of `GET /search`, best first. */
export const searchAnswer = z
  .strictObject({
    articles: z.array(searchHit),
    query: z.string().describe('As it was sent.'),
    query_truncated: z.boolean().describe('The query was cut to 500 characters and 16 different words.'),
    totalHits: z.int(),
    maxScore: z.number().nullable(),
    stemmedQuery: z.string().describe('The words searched for, folded.'),
  })
  .meta({ id: 'SearchAnswer' });

export type SearchQuery = z.output<typeof searchQuery>;
export type SearchHit = z.output<typeof searchHit>;
export type SearchAnswer = z.output<typeof searchAnswer>;
