import type { CategoryCreate, CategoryRecord } from '../../../api/category.ts';
import { shareCalls } from '../../../foundation/concurrency.ts';
import { languageKey } from '../../../foundation/language.ts';
import { applyCategoryUpdate, completeArticle, makeId, newCategory } from '../../records.ts';
import {
  type CategoryStore,
  isExpected,
  type KeyStore,
  type SourceText,
  type Store,
  type StoredKey,
  type TopArticleRow,
} from '../store.ts';
import { ownLanguage, storedLanguage } from '../version-index.ts';
import {
  migratePostgres,
  moveRevision,
  pruneChanges,
  readSetting,
  writeSetting,
} from './migrate-postgres.ts';
import { createPostgresArticles, type PostgresContext } from './postgres-articles.ts';
import {
  openPool,
  type PostgresDatabase,
  type PostgresValue,
  type Queries,
  readAgain,
} from './postgres-database.ts';
import { createPostgresSearch } from './postgres-search.ts';
import { insertPostgresArticle, prepareReplacement, replaceArticles } from './write-articles.ts';

interface PostgresStoreOptions {
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** The clock, milliseconds since 1970. */
  readonly clock: () => number;
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Increase it if the rules for texts and index terms change: a database with another version is indexed again when it is opened. */
export const indexVersion = '2';

/** Opens a knowledge base in PostgreSQL and brings its schema up to date. Throws `DATABASE_UNUSABLE`. */
export async function openPostgresStore(url: string, options: PostgresStoreOptions): Promise<Store> {
  const accountId = await migratePostgres(url, async (queries) => {
    await pruneChanges(queries);
    await reindexOnce(queries);
    return String(await readSetting(queries, 'account_id'));
  });
  const database = openPool(url);
  const { defaultLanguage, clock, onFailure } = options;
  const search = createPostgresSearch({ database, accountId, defaultLanguage, clock, onFailure });
  const context: PostgresContext = {
    database,
    accountId,
    defaultLanguage,
    write: (work) => database.transaction(work, `${moveRevision}; COMMIT`),
    now: () => new Date(options.clock()).toISOString(),
  };
  return {
    accountId,
    ...createPostgresArticles(context),
    ...createCategories(context),
    ...createSources(context),
    ...createStatistics(context),
    ...createPostgresKeys(context),
    search: search.search,
    isEmpty: () => isEmpty(database),
    isReady: async () => {
      await readRevision(database);
      return search.isReady();
    },
    revision: () => readRevisionAt(database, context.now()),
    fill: (records) =>
      context.write(async (queries) => {
        await queries.rows('SELECT pg_advisory_xact_lock($1)', fillLock);
        if (!(await isEmpty(queries))) return null;
        const taken: string[] = [];
        for (const category of records.categories) {
          if ((await insertCategory(context, queries, category)) === null)
            taken.push(category.category_id ?? '');
        }
        for (const article of records.articles) {
          if ((await insertPostgresArticle(context, queries, article, false)) === null)
            taken.push(article.article_id ?? '');
        }
        return taken;
      }),
    close: async () => {
      try {
        await search.close();
      } finally {
        await database.close();
      }
    },
  };
}

/** An arbitrary number, the same in every version: the lock for filling an empty database. */
const fillLock = 7_283_641_906;

async function isEmpty(queries: Queries): Promise<boolean> {
  const exists = 'SELECT EXISTS (SELECT FROM article) OR EXISTS (SELECT FROM category) AS "isFilled"';
  return (await queries.row<{ isFilled: boolean }>(exists))?.isFilled !== true;
}

/** Changes with every write to records. */
export async function readRevision(queries: Queries): Promise<string> {
  const row = await queries.row<{ value: string }>('SELECT sum(value)::text AS value FROM revision');
  return String(row?.value);
}

/** The revision, and the numbers of scheduled times that have passed, which show or hide articles without a write. */
async function readRevisionAt(queries: Queries, now: string): Promise<string> {
  const passed = (column: string) =>
    `coalesce('-' || (SELECT nullif(count(*), 0) FROM article_version WHERE ${column} <= $1), '')`;
  const row = await queries.row<{ value: string }>(
    `SELECT sum(value)::text || ${passed('publish_at')} || ${passed('unpublish_at')} AS value FROM revision`,
    now,
  );
  return String(row?.value);
}

async function reindexOnce(queries: Queries): Promise<void> {
  if ((await readSetting(queries, 'index_version')) === indexVersion) return;
  for (let position = 0; ; ) {
    const row = await queries.row<{ position: number; record: string; writtenBy: string }>(
      `SELECT position, record, xmin::text AS "writtenBy" FROM article WHERE position > $1
       ORDER BY position LIMIT 1 FOR UPDATE`,
      position,
    );
    if (row === null) break;
    position = row.position;
    await replaceArticles(queries, [prepareReplacement(row, completeArticle(JSON.parse(row.record)), null)]);
  }
  await writeSetting(queries, 'index_version', indexVersion);
}

function createCategories(context: PostgresContext): CategoryStore {
  const { database } = context;
  const select = 'SELECT record FROM category WHERE category_id = $1';
  return {
    readCategory: async (categoryId) =>
      (await database.row<{ record: string }>(select, categoryId))?.record ?? null,
    listCategories: async () => {
      const rows = await database.rows<{ record: string }>('SELECT record FROM category ORDER BY position');
      return rows.map((row) => row.record);
    },
    createCategory: (input) => context.write((queries) => insertCategory(context, queries, input)),
    updateCategory: (categoryId, change, expected) =>
      context.write(async (queries) => {
        const current = await queries.row<{ record: string }>(`${select} FOR UPDATE`, categoryId);
        if (current === null) return { outcome: 'not_found' };
        if (!isExpected(current.record, expected)) return { outcome: 'precondition_failed' };
        const category = applyCategoryUpdate(
          JSON.parse(current.record) as CategoryRecord,
          change,
          context.now(),
        );
        const record = JSON.stringify(category);
        await queries.run('UPDATE category SET record = $1 WHERE category_id = $2', record, categoryId);
        return { outcome: 'done', record };
      }),
  };
}

async function insertCategory(
  context: PostgresContext,
  queries: Queries,
  input: CategoryCreate,
): Promise<string | null> {
  for (;;) {
    const id = input.category_id ?? makeId();
    const record = JSON.stringify(
      newCategory(input, { id, accountId: context.accountId, now: context.now() }),
    );
    const insert =
      'INSERT INTO category (category_id, record) VALUES ($1, $2) ON CONFLICT (category_id) DO NOTHING';
    if ((await queries.run(insert, id, record)) > 0) return record;
    if (input.category_id !== undefined) return null;
  }
}

function createSources({ database, defaultLanguage, now }: PostgresContext): Pick<Store, 'listSources'> {
  return {
    listSources: ({ language, after, limit }) => {
      const values: PostgresValue[] = [
        after?.position ?? 0,
        after?.storedLanguage ?? '',
        defaultLanguage,
        // A translation into the default language only fills missing fields of the record itself.
        languageKey(defaultLanguage),
        limit,
        now(),
      ];
      if (language !== undefined) values.push(storedLanguage(language, defaultLanguage));
      return database.rows<SourceText>(
        `SELECT version.position, version.language AS "storedLanguage", article.article_id AS "articleId",
                article.category_id AS "categoryId",
                CASE version.language WHEN '${ownLanguage}' THEN $3 ELSE version.language END AS language,
                version.title, version.slug, article.meta, article.updated_at AS "updatedAt", version.text
         FROM article_version AS version JOIN article ON article.position = version.position
         WHERE version.position >= $1 AND (version.position, version.language) > ($1, $2)
           AND status = 'published' AND permission_groups = '{}' AND is_live
           AND coalesce(publish_at <= $6, true) AND coalesce(unpublish_at > $6, true)
           AND title <> '' AND text <> '' AND version.language_key <> $4
           ${language === undefined ? '' : 'AND version.language_key = $7'}
         ORDER BY version.position, version.language LIMIT $5`,
        ...values,
      );
    },
  };
}

function createStatistics({ database }: PostgresContext): Pick<Store, 'countViews' | 'listTopArticles'> {
  return {
    countViews: async (articleId, day, count) =>
      // The lock prevents a concurrent deletion of the article.
      (await database.run(
        `INSERT INTO article_view (day, position, count)
         SELECT $1, position, $2 FROM article WHERE article_id = $3 FOR KEY SHARE
         ON CONFLICT (day, position) DO UPDATE SET count = article_view.count + excluded.count`,
        day,
        count,
        articleId,
      )) > 0,
    listTopArticles: async ({ from, to, limit, categoryId, language }) => {
      // PostgreSQL does not accept NUL, as in lists.
      if (categoryId?.includes('\0')) return [];
      return database.rows<TopArticleRow>(
        `SELECT article.article_id, views.count, coalesce(
            (SELECT title FROM article_version AS version
             WHERE version.position = article.position AND version.language_key = $1 AND title <> '' LIMIT 1),
            (SELECT title FROM article_version AS version
             WHERE version.position = article.position AND version.language = '${ownLanguage}')
          ) AS title
         FROM (
           SELECT position, sum(count)::bigint AS count FROM article_view WHERE day BETWEEN $2 AND $3 GROUP BY position
         ) AS views JOIN article ON article.position = views.position
         ${categoryId === undefined ? '' : 'WHERE category_id = $5'}
         ORDER BY views.count DESC, article.position LIMIT $4`,
        languageKey(language ?? ''),
        from,
        to,
        limit,
        ...(categoryId === undefined ? [] : [categoryId]),
      );
    },
  };
}

/** The columns of a key, with the names of its fields in the store. */
export const keyColumns =
  'key_id AS "keyId", name, access, hash, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"';

/** The part of the store for API keys. Every request reads its key, so requests at the same time share a statement. */
export function createPostgresKeys({
  database,
  now,
}: {
  readonly database: Pick<PostgresDatabase, 'run' | 'rows'>;
  readonly now: () => string;
}): KeyStore {
  const readKey = shareCalls(async (keyIds: readonly string[]) => {
    const sql = `SELECT ${keyColumns} FROM api_key WHERE key_id = ANY($1::text[])`;
    const rows = await readAgain(() => database.rows<StoredKey>(sql, [...new Set(keyIds)]));
    const found = new Map(rows.map((row) => [row.keyId, row]));
    return keyIds.map((keyId) => found.get(keyId) ?? null);
  });
  return {
    createKey: async (key) => {
      await database.run(
        'INSERT INTO api_key (key_id, name, access, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
        key.keyId,
        key.name,
        key.access,
        key.hash,
        now(),
        key.expiresAt,
      );
    },
    listKeys: () => database.rows<StoredKey>(`SELECT ${keyColumns} FROM api_key ORDER BY created_at, key_id`),
    readKey,
    revokeKey: async (keyId) =>
      (await database.run(
        'UPDATE api_key SET revoked_at = $1 WHERE key_id = $2 AND revoked_at IS NULL',
        now(),
        keyId,
      )) > 0,
  };
}
