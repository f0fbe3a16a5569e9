import {
  makeSnippet,
  parseSearch,
  type SearchAttempt,
  type SearchTerm,
  snippetSource,
} from '../search-text.ts';
import type { Blocking, StoreContext } from './article-store.ts';
import type { Database } from './database.ts';
import type { FoundVersion, SearchRequest, SearchResult, Store } from './store.ts';
import {
  isOutOfSchedule,
  narrowToScope,
  ownLanguage,
  positionOfVersion,
  versionsPerArticle,
} from './version-index.ts';

/** Tables and column weights of a search in everything: scope, title, description, tags and text. */
const everywhere = { table: 'search_index', ranking: 'bm25(search_index, 0.0, 10.0, 4.0, 4.0, 1.0)' };
const inTitles = { table: 'title_index', ranking: 'bm25(title_index, 0.0, 10.0)' };

/** Added to the score of a version with the words in its title. */
const titleBonus = 100;

/**
 * Maximum number of ranked versions, newest articles first. Only words that occur almost everywhere match more, and relevance means little
 * for those. Without a limit, searches would become slower as the knowledge base grows.
 */
const mostRanked = 1000;

/** The best version of an article. */
interface Hit {
  readonly versionId: number;
  readonly score: number;
}

interface VersionRow {
  readonly versionId: number;
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
  const tried = new Set<string>();
  for (const { terms, match } of attempts) {
    const attempt = formatAttempt({ terms: terms.map((term) => simplify(context.database, term)), match });
    if (tried.has(attempt)) continue;
    tried.add(attempt);
    const expression = narrowToScope(attempt, request, context.defaultLanguage);
    const query = { expression, limit: request.limit, includeDraft: request.includeDraft };
    const { hits, total } = findHits(context, query);
    if (total === 0) continue;
    return { hits: readHits(context, hits, words), total, words, isTruncated };
  }
  return { hits: [], total: 0, words, isTruncated };
}

/** The words of the index, for one connection: one row per occurrence, so that looking up a word does not read its other occurrences. */
const createWords =
  'CREATE VIRTUAL TABLE IF NOT EXISTS temp.index_word USING fts5vocab (main, search_index, instance)';
/** Connections that have this table. */
const withWords = new WeakSet<Database>();

/**
 * The same term as a whole word if no longer word of the index starts with it: for a prefix, FTS5 would copy the positions of all matching
 * words several times per search.
 */
function simplify(database: Database, term: SearchTerm): SearchTerm {
  const [word = ''] = term.terms;
  if (!term.isPrefix) return term;
  if (!withWords.has(database)) database.run(createWords);
  withWords.add(database);
  const longer = database.row(
    'SELECT 1 FROM index_word WHERE term >= ? AND term < ? LIMIT 1',
    `${word}\u{1}`,
    `${word}\u{10FFFF}`,
  );
  return { ...term, isPrefix: longer !== null };
}

/** Formats a query as a full-text expression that consists only of quoted words of letters and digits, so that input is never syntax. */
export function formatAttempt({ terms, match }: SearchAttempt): string {
  return terms
    .map(({ terms, isPrefix }) => `"${terms.join(' ')}"${isPrefix ? '*' : ''}`)
    .join(match === 'all' ? ' AND ' : ' OR ');
}

/** A full-text expression, and which versions it may find. */
interface IndexQuery {
  readonly expression: string;
  readonly limit: number;
  /** Includes versions outside of their schedule; drafts are part of the expression. */
  readonly includeDraft: boolean;
}

/** Not in the index, because it changes with the time; its two parameters are the time. */
const inSchedule = `AND rowid NOT IN (SELECT version_id FROM article_version WHERE ${isOutOfSchedule('?')})`;

/** Articles with the words in a title first. All texts are searched only if there are too few, because that is slow. */
function findHits(
  context: StoreContext,
  query: IndexQuery,
): { readonly hits: readonly Hit[]; readonly total: number } {
  const { limit } = query;
  const best = new Map<number, Hit>();
  const add = (hits: readonly Hit[], bonus: number) => {
    for (const { versionId, score } of hits) {
      const position = positionOfVersion(versionId);
      if (best.size < limit && !best.has(position)) best.set(position, { versionId, score: score + bonus });
    }
  };
  add(rankVersions(context, inTitles, query).hits, titleBonus);
  let total: number | null = null;
  if (best.size < limit) {
    const ranked = rankVersions(context, everywhere, query);
    add(ranked.hits, 0);
    total = ranked.total;
  }
  return { hits: [...best.values()], total: total ?? countArticles(context, query) };
}

function countArticles({ database, now }: StoreContext, { expression, includeDraft }: IndexQuery): number {
  const isTranslated = database.row("SELECT 1 FROM article_version WHERE language_key > '' LIMIT 1") !== null;
  // Without translations, every article has one version, so no DISTINCT is needed.
  const articles = isTranslated ? `DISTINCT rowid / ${versionsPerArticle}` : '*';
  const row = database.row<{ total: number }>(
    `SELECT count(${articles}) AS total FROM search_index WHERE search_index MATCH ? ${includeDraft ? '' : inSchedule}`,
    expression,
    ...(includeDraft ? [] : [now(), now()]),
  );
  return row?.total ?? 0;
}

/** The best versions: enough for `limit` articles, if there are as many; and the number of articles, unless they are too many to rank. */
function rankVersions(
  { database, now }: StoreContext,
  { table, ranking }: typeof everywhere,
  { expression, limit, includeDraft }: IndexQuery,
): { readonly hits: readonly Hit[]; readonly total: number | null } {
  for (let wanted = 2 * limit; ; wanted *= 4) {
    const hits = database.rows<Hit & { readonly versions: number; readonly total: number }>(
      `WITH ranked AS MATERIALIZED (
         SELECT rowid AS versionId, -${ranking} AS score FROM ${table} WHERE ${table} MATCH ? ${includeDraft ? '' : inSchedule}
         ORDER BY rowid DESC LIMIT ${mostRanked}
       )
       SELECT versionId, score, (SELECT count(*) FROM ranked) AS versions,
              (SELECT count(DISTINCT versionId / ${versionsPerArticle}) FROM ranked) AS total
       FROM ranked ORDER BY score DESC, versionId LIMIT ?`,
      expression,
      ...(includeDraft ? [] : [now(), now()]),
      wanted,
    );
    const articles = new Set(hits.map((hit) => positionOfVersion(hit.versionId)));
    if (hits.length === wanted && articles.size < limit) continue;
    const { versions, total } = hits[0] ?? { versions: 0, total: 0 };
    return { hits, total: versions < mostRanked ? total : null };
  }
}

function readHits(
  { database, defaultLanguage }: StoreContext,
  hits: readonly Hit[],
  words: readonly string[],
): readonly FoundVersion[] {
  const rows = database.rows<VersionRow>(
    `SELECT version_id AS versionId, version.language, version.title, version.slug, version.description,
            substr(version.text, 1, ${snippetSource}) AS text, article.article_id AS articleId, article.meta
     FROM article_version AS version JOIN article ON article.position = version.position
     WHERE version.version_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(hits.map(({ versionId }) => versionId)),
  );
  const byId = new Map(rows.map((row) => [row.versionId, row]));
  return hits.flatMap(({ versionId, score }) => {
    const row = byId.get(versionId);
    if (row === undefined) return [];
    const { versionId: _, text, ...version } = row;
    const language = row.language === ownLanguage ? defaultLanguage : row.language;
    return { ...version, language, snippet: makeSnippet(text, words), score };
  });
}
