import type { ArticleRecord } from '../../core/api/article.ts';
import { operations } from '../../core/api/operations.ts';
import { type SearchAnswer, type SearchHit, searchLimits, statisticsLimits } from '../../core/api/queries.ts';
import { statusAt } from '../records.ts';
import type { FoundVersion } from '../store/store.ts';
import { addOperation, type RouteContext } from './add-operation.ts';
import { articlePath } from './format-articles.ts';
import { notFound } from './router.ts';
import { timeframe, toDay } from './timeframe.ts';

/** `GET /search`. */
export function addSearchRoutes(context: RouteContext): void {
  const { store, siteUrl, defaultLanguage, clock } = context;
  addOperation(context, operations.search, async ({ query }) => {
    const { hits, total, words, isTruncated } = await store.search({
      ...query,
      limit: query.limit ?? searchLimits.default,
    });
    const answer: SearchAnswer = {
      articles: hits.map((hit) =>
        toSearchHit(hit, siteUrl, defaultLanguage, new Date(clock()).toISOString()),
      ),
      query: query.query,
      query_truncated: isTruncated,
      totalHits: total,
      maxScore: hits[0]?.score ?? null,
      stemmedQuery: words.join(' '),
    };
    return JSON.stringify(answer);
  });
}

function toSearchHit(hit: FoundVersion, siteUrl: string, defaultLanguage: string, now: string): SearchHit {
  const record: ArticleRecord = JSON.parse(hit.meta);
  const path = articlePath(hit.articleId, hit.slug, hit.language === defaultLanguage ? null : hit.language);
  return {
    article_id: hit.articleId,
    category_id: record.category_id ?? null,
    language_code: hit.language,
    title: hit.title,
    slug: hit.slug,
    description: hit.description,
    tags: record.tags,
    status: statusAt(record, now),
    updated_at: record.updated_at,
    url: siteUrl + path,
    relative_url: path,
    snippet: hit.snippet,
    score: hit.score,
  };
}

/** `GET /stats/article` and the counting of views. */
export function addStatisticsRoutes(context: RouteContext): void {
  const { store, clock } = context;
  addOperation(context, operations.readStatistics, async ({ query }) => {
    const { from, to } = timeframe(query, clock);
    const articles = await store.listTopArticles({
      from,
      to,
      limit: query.limit ?? statisticsLimits.default,
      categoryId: query.category_id,
      language: query.language_code,
    });
    return JSON.stringify({ top_articles: articles });
  });
  addOperation(context, operations.countViews, async ({ id, body }) => {
    const isCounted = await store.countViews(id, body.date ?? toDay(clock()), body.count ?? 1);
    if (!isCounted) throw notFound('article', id);
    return '{"success":true}';
  });
}
