import { makeSnippet } from '../search/make-snippet.ts';
import { parseSearch, type SearchAttempt } from '../search/parse-search.ts';
import type { Blocking, StoreContext } from './article-store.ts';
import type { FoundVersion, SearchRequest, SearchResult, Store } from './store.ts';
import { ownLanguage, positionOfVersion, scopeExpression, versionsPerArticle } from './version-index.ts';

/** Weights of scope, title, description, tags and text. */
const ranking = 'bm25(search_index, 0.0, 10.0, 4.0, 4.0, 1.0)';

/** What a version with the words in its title gains over one that has them elsewhere only. */
const titleBonus = 100;

/**
 * Versions that are ranked at most, the newest articles first. Only words that occur almost everywhere match more, and
 * for those relevance says little; without a bound they would keep every other request waiting.
 */
const mostRanked = 3000;

/** The best version of an article. */
interface Hit {
  readonly versionId: number;
  readonly score: number;
}

interface VersionRow {
  readonly language: string;
  readonly title: string;
  readonly slug: string;
  readonly description: string | null;
  readonly text: string;
  readonly articleId: string;
  readonly meta: string;
}

/** The part of the store that searches. */
export function createSearchStore(context: StoreContext): Blocking<Pick<Store, 'search'>> {
  return { search: (request) => search(context, request) };
}

function search(context: StoreContext, request: SearchRequest): SearchResult {
  const { words, isTruncated, attempts } = parseSearch(request.text);
  const scope = scopeExpression(request, context.defaultLanguage);
  for (const attempt of attempts.map(formatAttempt)) {
    const everywhere = `${scope} AND (${attempt})`;
    const total = countArticles(context, everywhere);
    if (total === 0) continue;
    const found = findHits(context, `${scope} AND {title} : (${attempt})`, everywhere, request.limit);
    return { hits: found.flatMap((hit) => readHit(context, hit, words) ?? []), total, words, isTruncated };
  }
  return { hits: [], total: 0, words, isTruncated };
}

/** An attempt as a full-text expression, of nothing but quoted words of letters and digits: no input can be syntax. */
export function formatAttempt({ terms, match }: SearchAttempt): string {
  return terms
    .map(({ terms, isPrefix }) => `"${terms.join(' ')}"${isPrefix ? '*' : ''}`)
    .join(match === 'all' ? ' AND ' : ' OR ');
}

function countArticles({ database }: StoreContext, expression: string): number {
  const row = database.row<{ total: number }>(
    `SELECT count(DISTINCT rowid / ${versionsPerArticle}) AS total FROM search_index WHERE search_index MATCH ?`,
    expression,
  );
  return row?.total ?? 0;
}

/** Articles with the words in a title first; the costly look at every text is taken only when those are too few. */
function findHits(context: StoreContext, titled: string, everywhere: string, limit: number): readonly Hit[] {
  const best = new Map<number, Hit>();
  for (const [expression, bonus] of [
    [titled, titleBonus],
    [everywhere, 0],
  ] as const) {
    for (const { versionId, score } of rankVersions(context, expression, limit)) {
      const position = positionOfVersion(versionId);
      if (best.size < limit && !best.has(position)) best.set(position, { versionId, score: score + bonus });
    }
    if (best.size === limit) break;
  }
  return [...best.values()];
}

/** The best versions: enough that `limit` articles are among them, where there are as many. */
function rankVersions({ database }: StoreContext, expression: string, limit: number): readonly Hit[] {
  for (let wanted = 2 * limit; ; wanted *= 4) {
    const hits = database.rows<Hit>(
      `SELECT versionId, score FROM (
         SELECT rowid AS versionId, -${ranking} AS score FROM search_index WHERE search_index MATCH ?
         ORDER BY rowid DESC LIMIT ${mostRanked}
       ) ORDER BY score DESC, versionId LIMIT ?`,
      expression,
      wanted,
    );
    const articles = new Set(hits.map((hit) => positionOfVersion(hit.versionId)));
    if (hits.length < wanted || articles.size >= limit) return hits;
  }
}

function readHit(
  { database, defaultLanguage }: StoreContext,
  hit: Hit,
  words: readonly string[],
): FoundVersion | null {
  const row = database.row<VersionRow>(
    `SELECT version.language, version.title, version.slug, version.description, version.text,
            article.article_id AS articleId, article.meta
     FROM article_version AS version JOIN article ON article.position = version.position
     WHERE version.version_id = ?`,
    hit.versionId,
  );
  if (row === null) return null;
  return {
    articleId: row.articleId,
    language: row.language === ownLanguage ? defaultLanguage : row.language,
    title: row.title,
    slug: row.slug,
    description: row.description,
    snippet: makeSnippet(row.text, words),
    score: hit.score,
    meta: row.meta,
  };
}
