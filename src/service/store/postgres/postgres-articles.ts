import { shareCalls } from '../../../foundation/concurrency.ts';
import { applyArticleUpdate, type FullArticle } from '../../records.ts';
import { statusCondition } from '../article-store.ts';
import {
  type ArticleFilter,
  type ArticlePageRequest,
  type ArticleStore,
  type ArticleText,
  type Changed,
  isExpected,
} from '../store.ts';
import { ownLanguage, storedLanguage } from '../version-index.ts';
import { type PostgresDatabase, type PostgresValue, type Queries, readAgain } from './postgres-database.ts';
import {
  type InsertContext,
  insertPostgresArticle,
  prepareReplacement,
  type Replacement,
  replaceArticles,
  replaceEach,
  type WrittenArticle,
} from './write-articles.ts';

/** Dependencies that the parts of the store share. */
export interface PostgresContext extends InsertContext {
  readonly database: PostgresDatabase;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** Runs `work` as one transaction that changes records, and increases the revision. */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
}

const selectArticle = `SELECT position, article_id AS "articleId", updated_at AS "updatedAt", slug, record AS json,
  xmin::text AS "writtenBy" FROM article`;
const lockArticle = `${selectArticle} WHERE article_id = $1 FOR UPDATE`;

/** The part of the store for articles. */
export function createPostgresArticles(context: PostgresContext): ArticleStore {
  const { database } = context;
  return {
    listArticles: (filter, page) => listArticles(context, filter, page),
    readArticle: (articleId) =>
      database.row<ArticleText>(`${selectArticle} WHERE article_id = $1`, articleId),
    createArticle: (input) => insertPostgresArticle(context, database, input, true),
    updateArticle: createUpdate(context),
    deleteArticle: (articleId, expected) =>
      context.write(async (queries) => {
        const current = await queries.row<WrittenArticle>(lockArticle, articleId);
        if (current === null) return { outcome: 'not_found' };
        if (!isExpected(current.json, expected)) return { outcome: 'precondition_failed' };
        await queries.run('DELETE FROM article WHERE position = $1', current.position);
        return { outcome: 'done', record: null };
      }),
  };
}

/** Maximum number of attempts to update an article without a lock. */
const attemptsWithoutLock = 3;

/**
 * Concurrent updates share two statements: one reads their articles, the other replaces those that have not changed since. No lock is held while
 * bodies are converted to text.
 */
function createUpdate({ database, now, write }: PostgresContext): ArticleStore['updateArticle'] {
  const readCurrent = shareCalls(async (articleIds: readonly string[]) => {
    const sql = `${selectArticle} WHERE article_id = ANY($1::text[])`;
    const rows = await readAgain(() => database.rows<WrittenArticle>(sql, articleIds));
    const found = new Map(rows.map((row) => [row.articleId, row]));
    return articleIds.map((articleId) => found.get(articleId) ?? null);
  });
  const replaceShared = shareCalls((replacements: readonly Replacement[]) =>
    replaceEach(database, replacements),
  );
  const replace = async (replacement: Replacement): Promise<boolean> => {
    const replaced = await replaceShared(replacement);
    if ('error' in replaced) throw replaced.error;
    return replaced.isDone;
  };
  return async (articleId, change, expected) => {
    /** `null`: the article was changed or locked by another transaction. */
    const attempt = async (
      current: WrittenArticle | null,
      replace: (replacement: Replacement) => Promise<boolean>,
    ): Promise<Changed<ArticleText> | null> => {
      if (current === null) return { outcome: 'not_found' };
      if (!isExpected(current.json, expected)) return { outcome: 'precondition_failed' };
      const previous: FullArticle = JSON.parse(current.json);
      const article = applyArticleUpdate(previous, change, now());
      const replacement = prepareReplacement(current, article, previous);
      return (await replace(replacement)) ? { outcome: 'done', record: replacement.text } : null;
    };
    for (let attempts = 0; attempts < attemptsWithoutLock; attempts += 1) {
      const changed = await attempt(await readCurrent(articleId), replace);
      if (changed !== null) return changed;
    }
    return write(async (queries) => {
      const current = await queries.row<WrittenArticle>(lockArticle, articleId);
      const changed = await attempt(
        current,
        async (replacement) => (await replaceArticles(queries, [replacement]))[0] === true,
      );
      if (changed === null) throw new Error(`the locked article ${articleId} was changed`);
      return changed;
    });
  };
}

async function listArticles(
  { database, defaultLanguage, now }: PostgresContext,
  filter: ArticleFilter,
  page: ArticlePageRequest,
): Promise<readonly ArticleText[]> {
  // PostgreSQL does not accept NUL, and no text of a record contains it.
  if (Object.values(filter).some((value) => value?.includes('\0'))) return [];
  const values: PostgresValue[] = [page.after, page.limit, page.skip, page.maxBytes];
  const conditions = ['position > $1'];
  const narrow = (condition: (parameter: string) => string, value: string | undefined) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  narrow((value) => `category_id = ${value}`, filter.categoryId);
  const { status } = filter;
  if (status !== undefined) {
    values.push(now());
    const time = `$${values.length}`;
    narrow((value) => statusCondition(status, value, time), status);
  }
  narrow((value) => `updated_at < ${value}`, filter.updatedBefore);
  narrow((value) => `updated_at > ${value}`, filter.updatedAfter);
  narrow((value) => `tags @> ARRAY[${value}]`, filter.tag);
  narrow((value) => `permission_groups @> ARRAY[${value}]`, filter.permissionGroupId);
  const language = filter.language && storedLanguage(filter.language, defaultLanguage);
  if (language !== ownLanguage) {
    narrow(
      (value) => `position IN (SELECT position FROM article_version WHERE language_key = ${value})`,
      language,
    );
  }
  const json = page.includeBody ? 'record' : 'meta';
  // Reads the length of a text without the text.
  return database.rows<ArticleText>(
    `WITH page AS (
       SELECT position, octet_length(${json}) AS bytes FROM article WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT $2 OFFSET $3
     ), sized AS (
       SELECT position, sum(bytes) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before FROM page
     )
     SELECT position, article_id AS "articleId", updated_at AS "updatedAt", slug, ${json} AS json
     FROM sized JOIN article USING (position) WHERE bytes_before < $4 ORDER BY position`,
    ...values,
  );
}
