import type { Article } from '../../api/article.ts';
import { operations } from '../../api/operations.ts';
import { type SearchAnswer, type SearchHit, searchLimits } from '../../api/queries.ts';
import { statusOf } from '../records/article-record.ts';
import type { FoundVersion } from '../store/store.ts';
import { addOperation, type RouteContext } from './add-operation.ts';
import { articlePath } from './article-url.ts';
import type { Router } from './router.ts';

/** `GET /search`. */
export function addSearchRoutes(router: Router, { store, siteUrl, defaultLanguage }: RouteContext): void {
  addOperation(router, operations.search, async ({ query }) => {
    const { hits, total, words, isTruncated } = await store.search({
      text: query.query,
      limit: query.limit ?? searchLimits.default,
      language: query.language_code,
      includePrivate: query.include_private ?? false,
      includeDraft: query.include_draft ?? false,
    });
    const answer: SearchAnswer = {
      articles: hits.map((hit) => toSearchHit(hit, siteUrl, defaultLanguage)),
      query: query.query,
      query_truncated: isTruncated,
      totalHits: total,
      maxScore: hits[0]?.score ?? null,
      stemmedQuery: words.join(' '),
    };
    return JSON.stringify(answer);
  });
}

function toSearchHit(hit: FoundVersion, siteUrl: string, defaultLanguage: string): SearchHit {
  const record: Article = JSON.parse(hit.meta);
  const path = articlePath(hit.articleId, hit.slug, hit.language === defaultLanguage ? null : hit.language);
  return {
    article_id: hit.articleId,
    category_id: record.category_id ?? null,
    language_code: hit.language,
    title: hit.title,
    slug: hit.slug,
    description: hit.description,
    tags: record.tags,
    status: statusOf(record),
    updated_at: record.updated_at,
    url: siteUrl + path,
    relative_url: path,
    snippet: hit.snippet,
    score: hit.score,
  };
}
