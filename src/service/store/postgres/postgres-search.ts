import {
  makeSnippet,
  parseSearch,
  type SearchAttempt,
  type SearchTerm,
  snippetSource,
} from '../../search-text.ts';
import type { FoundVersion, SearchRequest, SearchResult, Store } from '../store.ts';
import { ownLanguage, positionOfVersion, storedLanguage } from '../version-index.ts';
import type { PostgresDatabase, PostgresValue } from './postgres-database.ts';

/** What a search needs of the store. */
interface SearchContext {
  readonly database: PostgresDatabase;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
}

/** What a version with the words in its title gains over one that has them elsewhere only. */
const titleBonus = 100;

/** Versions that are ranked at most, the newest articles first, as with SQLite. */
const mostRanked = 1000;

/** Weights of text (D), tags (C), description (B) and title (A). */
const weights = "'{0.1, 0.4, 0.4, 1.0}'";

/** The best version of an article. */
interface Hit {
  readonly versionId: number;
  readonly score: number;
}

interface VersionRow extends Omit<FoundVersion, 'snippet' | 'score'> {
  readonly versionId: number;
  readonly text: string;
}

/** The part of the store that searches. */
export function createPostgresSearch(context: SearchContext): Pick<Store, 'search'> {
  return { search: (request) => search(context, request) };
}

async function search(context: SearchContext, request: SearchRequest): Promise<SearchResult> {
  const { words, isTruncated, attempts } = parseSearch(request.text);
  for (const attempt of attempts) {
    const total = await countArticles(context, request, attempt);
    if (total === 0) continue;
    const hits = await readHits(context, await findHits(context, request, attempt), words);
    return { hits, total, words, isTruncated };
  }
  return { hits: [], total: 0, words, isTruncated };
}

/** An attempt as a `tsquery`, of nothing but quoted words of letters and digits: no input can be syntax. */
export function formatQuery({ terms, match }: SearchAttempt): string {
  return terms.map(formatTerm).join(match === 'all' ? ' & ' : ' | ');
}

function formatTerm({ terms, isPrefix }: SearchTerm): string {
  const quoted = terms.map((term) => `'${term}'${isPrefix ? ':*' : ''}`);
  if (quoted.length === 1) return String(quoted[0]);
  return `((${quoted.join(' <-> ')}) | (${quoted.join(' & ')} & '${longTextTerm}'))`;
}

/** The versions that a search may find, as a condition, with its values. */
function conditionOf(
  { defaultLanguage }: SearchContext,
  request: SearchRequest,
  attempt: SearchAttempt,
): { readonly sql: (column: string) => string; readonly values: readonly PostgresValue[] } {
  const language = request.language === undefined ? [] : [storedLanguage(request.language, defaultLanguage)];
  const scope = [
    ...(request.includePrivate ? [] : ['NOT is_closed']),
    ...(request.includeDraft ? [] : ['NOT is_draft']),
    ...language.map(() => 'language_key = $2'),
  ];
  return {
    sql: (column) => [`${column} @@ $1::tsquery`, ...scope].join(' AND '),
    values: [formatQuery(attempt), ...language],
  };
}

async function countArticles(
  context: SearchContext,
  request: SearchRequest,
  attempt: SearchAttempt,
): Promise<number> {
  const { sql, values } = conditionOf(context, request, attempt);
  const [row] = await context.database.planned<{ total: number }>(
    `SELECT count(DISTINCT position) AS total FROM article_version WHERE ${sql('terms')}`,
    ...values,
  );
  return row?.total ?? 0;
}

/** Articles with the words in a title first; every text is searched, at a high cost, only if those are too few. */
async function findHits(
  context: SearchContext,
  request: SearchRequest,
  attempt: SearchAttempt,
): Promise<readonly Hit[]> {
  const { limit } = request;
  const best = new Map<number, Hit>();
  for (const [column, bonus] of [
    ['title_terms', titleBonus],
    ['terms', 0],
  ] as const) {
    for (const { versionId, score } of await rankVersions(context, request, attempt, column)) {
      const position = positionOfVersion(versionId);
      if (best.size < limit && !best.has(position)) best.set(position, { versionId, score: score + bonus });
    }
    if (best.size === limit) break;
  }
  return [...best.values()];
}

/** The best version of each article, the best articles first. A word counts the more the fewer of the found texts have it. */
function rankVersions(
  context: SearchContext,
  request: SearchRequest,
  attempt: SearchAttempt,
  column: 'title_terms' | 'terms',
): Promise<readonly Hit[]> {
  const { sql, values } = conditionOf(context, request, attempt);
  const words = attempt.terms.map(({ terms, isPrefix }) =>
    terms.map((term) => `'${term}'${isPrefix ? ':*' : ''}`).join(' | '),
  );
  const [wordList, limit] = [`$${values.length + 1}`, `$${values.length + 2}`];
  // The vector is a copy (ts_filter), so that it is read from the disk once and not once per word.
  return context.database.planned<Hit>(
    `WITH found AS MATERIALIZED (
       SELECT version_id, position, ARRAY(
           SELECT ts_rank(${weights}, vector, word::tsquery, 1)
           FROM unnest(${wordList}::text[]) WITH ORDINALITY AS words(word, number) ORDER BY number
         ) AS ranks
       FROM (
         SELECT version_id, position, ts_filter(${column}, '{a,b,c,d}') AS vector FROM article_version
         WHERE ${sql(column)} ORDER BY version_id DESC LIMIT ${mostRanked}
       ) AS newest
     ), rarity AS MATERIALIZED (
       SELECT number, ln(2 + max(total) / greatest(1, count(*) FILTER (WHERE rank > 0))) AS weight
       FROM found, unnest(ranks) WITH ORDINALITY AS words(rank, number), (SELECT count(*)::float8 AS total FROM found) AS all_found
       GROUP BY number
     ), scored AS (
       SELECT version_id, position, (SELECT sum(rarity.weight * ranks[number]) FROM rarity) AS score FROM found
     )
     SELECT version_id AS "versionId", score FROM (
       SELECT DISTINCT ON (position) version_id, score FROM scored ORDER BY position, score DESC, version_id
     ) AS best ORDER BY score DESC, version_id LIMIT ${limit}`,
    ...values,
    words,
    request.limit,
  );
}

async function readHits(
  { database, defaultLanguage }: SearchContext,
  hits: readonly Hit[],
  words: readonly string[],
): Promise<readonly FoundVersion[]> {
  const rows = await database.rows<VersionRow>(
    `SELECT version_id AS "versionId", version.language, version.title, version.slug, version.description, left(version.text, ${snippetSource}) AS text,
            article.article_id AS "articleId", article.meta
     FROM article_version AS version JOIN article ON article.position = version.position
     WHERE version.version_id = ANY($1::bigint[])`,
    hits.map(({ versionId }) => versionId),
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

/** Terms of one part of a text, with the weight by which PostgreSQL ranks it. */
interface WeightedTerms {
  readonly weight: 'A' | 'B' | 'C' | 'D';
  readonly terms: readonly string[];
}

/**
 * In the vector of a text that PostgreSQL cannot number completely: what follows what is unknown in it. A private-use character begins it, as no text and
 * no search can.
 */
const longTextTerm = '\u{E000}long';

/** PostgreSQL's limits of a `tsvector`, and less than its limit of 1 MiB for all. */
const lastPosition = 16_383;
const mostPositions = 255;
const mostBytes = 1_000_000;

/** Bytes that PostgreSQL needs for a term and a position, besides the letters. */
const termBytes = 8;
const positionBytes = 2;

/**
 * The text form of a `tsvector`. A text with more than about 60,000 different terms is indexed up to there.
 * @param parts terms of letters and digits only
 */
export function makeVector(parts: readonly WeightedTerms[]): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  let bytes = 0;
  let isLong = false;
  for (const { weight, terms } of parts) {
    // The end of one part and the beginning of the next are no neighbours.
    position += 1;
    for (const term of terms) {
      position += 1;
      const known = positions.get(term);
      if (known === undefined) {
        bytes += Buffer.byteLength(term) + termBytes + positionBytes;
        if (bytes > mostBytes) {
          isLong = true;
          break;
        }
        positions.set(term, [`${Math.min(position, lastPosition)}${weight}`]);
      } else if (position < lastPosition && known.length < mostPositions && bytes <= mostBytes) {
        bytes += positionBytes;
        known.push(`${position}${weight}`);
      }
    }
  }
  if (isLong || position >= lastPosition) positions.set(longTextTerm, ['1D']);
  return Array.from(positions, ([term, numbers]) => `'${term}':${numbers.join(',')}`).join(' ');
}
