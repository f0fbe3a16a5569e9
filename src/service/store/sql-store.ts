import type { CategoryCreate, CategoryRecord } from '../../core/api/category.ts';
import type { ArticleViews } from '../../core/api/queries.ts';
import { languageKey } from '../../core/language.ts';
import { createWordLoader, stemmerName } from '../../core/search/language-words.ts';
import type { SqlValue } from '../../core/sqlite/sqlite.ts';
import { applyCategoryUpdate, makeId, newCategory } from '../records.ts';
import { createArticleStore, insertArticle, rebuildArticles, type StoreContext } from './article-store.ts';
import { ownLanguage } from './index-words.ts';
import { createReaderStore } from './reader-store.ts';
import { search } from './search-store.ts';
import type { Queries, SqlDatabase } from './sql.ts';
import { isExpected, type SourceText, type Store, type StoredKey } from './store.ts';
import { outOfSchedule, storedLanguage } from './version-index.ts';

/** What a store needs besides its database. */
type SqlStoreOptions = Pick<StoreContext, 'accountId' | 'defaultLanguage' | 'now'>;

/** A store without what depends on where the database is. */
export type SqlStore = Omit<Store, 'checkReady' | 'close'>;

/** The store on a database: the same statements for SQLite and PostgreSQL. */
export function createSqlStore(database: SqlDatabase, options: SqlStoreOptions): SqlStore {
  const context = createContext(database, options);
  return {
    accountId: options.accountId,
    ...createArticleStore(context),
    ...createCategoryStore(context),
    ...createStatisticsStore(context),
    ...createKeyStore(context),
    ...createReaderStore(context),
    search: (request) => search(context, request),
    listSources: createSourceList(context),
    isEmpty: () => isEmpty(database),
    revision: () => readRevision(database, context.now()),
    fill: ({ categories, articles }) =>
      context.write(async (queries) => {
        if (database.dialect.lockForFilling !== '') await queries.rows(database.dialect.lockForFilling);
        if (!(await isEmpty(queries))) return null;
        const taken: string[] = [];
        for (const input of categories) {
          if ((await insertCategory(context, queries, input)) === null) taken.push(input.category_id ?? '');
        }
        for (const input of articles) {
          if ((await insertArticle(context, queries, input)) === null) taken.push(input.article_id ?? '');
        }
        return taken;
      }),
  };
}

function createContext(database: SqlDatabase, options: SqlStoreOptions): StoreContext {
  const { dialect } = database;
  return {
    ...options,
    database,
    dialect,
    loadWords: createWordLoader(),
    write: (work) =>
      database.transaction(async (queries) => {
        const result = await work(queries);
        // Last, because transactions with the same counter wait for each other.
        await queries.run(`UPDATE revision SET value = value + 1 WHERE slot = ${dialect.revisionSlot}`);
        return result;
      }),
  };
}

/** Increase it if the rules for texts and index words change: a database with another version is indexed again when it is opened. */
const indexVersion = 8;

/** Writes versions and index of a database again if the rules, or the word forms of its default language, have changed. */
export async function rebuildOnce(database: SqlDatabase, options: SqlStoreOptions): Promise<void> {
  const version = `${indexVersion} ${stemmerName(options.defaultLanguage) ?? ''}`;
  // Avoids the write lock, which another process may keep for a long time.
  if ((await readSetting(database, 'index_version')) === version) return;
  const context = createContext(database, options);
  // A new database has the revision 0.
  const transaction = (await isEmpty(database)) ? database.transaction : context.write;
  await transaction(async (queries) => {
    await rebuildArticles(context, queries);
    await writeSetting(queries, 'index_version', version);
  });
}

/** The id of a database; created when it is first opened. */
export async function readAccountId(queries: Queries): Promise<string> {
  const known = await readSetting(queries, 'account_id');
  if (known !== null) return known;
  await queries.run(
    "INSERT INTO setting (name, value) VALUES ('account_id', $1) ON CONFLICT (name) DO NOTHING",
    makeId(),
  );
  return String(await readSetting(queries, 'account_id'));
}

/** `null` if it was never written. */
export async function readSetting(queries: Queries, name: string): Promise<string | null> {
  const row = await queries.row<{ value: string }>('SELECT value FROM setting WHERE name = $1', name);
  return row?.value ?? null;
}

/** Writes a setting of the database. */
export async function writeSetting(queries: Queries, name: string, value: string): Promise<void> {
  await queries.run(
    'INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
}

async function isEmpty(queries: Queries): Promise<boolean> {
  const rows = await queries.rows(
    'SELECT 1 FROM (SELECT position FROM article LIMIT 1) AS first_article UNION ALL SELECT 1 FROM (SELECT position FROM category LIMIT 1) AS first_category',
  );
  return rows.length === 0;
}

/** The revision, and the numbers of scheduled times that have passed, which show or hide articles without a write. */
async function readRevision(queries: Queries, now: string): Promise<string> {
  const row = await queries.row<{ value: number; started: number; ended: number }>(
    `SELECT (SELECT CAST(sum(value) AS bigint) FROM revision) AS value,
       (SELECT count(*) FROM article_version WHERE publish_at <= $1) AS started,
       (SELECT count(*) FROM article_version WHERE unpublish_at <= $1) AS ended`,
    now,
  );
  const { value = 0, started = 0, ended = 0 } = row ?? {};
  return [value, started, ended].filter((count, n) => n === 0 || count > 0).join('-');
}

/** The part of the store for categories. */
function createCategoryStore(
  context: StoreContext,
): Pick<Store, 'listCategories' | 'readCategory' | 'createCategory' | 'updateCategory'> {
  const { database, dialect } = context;
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
        const current = await queries.row<{ record: string }>(`${select} ${dialect.forUpdate}`, categoryId);
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

/** Writes one new category inside the caller's transaction; `null` if the requested id is already used. */
async function insertCategory(
  { accountId, now }: StoreContext,
  queries: Queries,
  input: CategoryCreate,
): Promise<string | null> {
  const insert =
    'INSERT INTO category (category_id, record) VALUES ($1, $2) ON CONFLICT (category_id) DO NOTHING';
  for (;;) {
    const id = input.category_id ?? makeId();
    const record = JSON.stringify(newCategory(input, { id, accountId, now: now() }));
    if ((await queries.run(insert, id, record)) > 0) return record;
    if (input.category_id !== undefined) return null;
  }
}

/** The public texts. */
function createSourceList({ database, defaultLanguage, now }: StoreContext): Store['listSources'] {
  return ({ language, after, limit }) => {
    const values: SqlValue[] = [
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
              version.title, version.slug, article.meta, article.updated_at AS "updatedAt", version_text.text
       FROM article_version AS version JOIN article ON article.position = version.position
         JOIN version_text ON version_text.version_id = version.version_id
       WHERE version.position >= $1 AND (version.position, version.language) > ($1, $2)
         AND status = 'published' AND is_restricted = 0 AND is_live = 1
         AND version.version_id NOT IN ${outOfSchedule('$6')}
         AND title <> '' AND text <> '' AND version.language_key <> $4
         ${language === undefined ? '' : 'AND version.language_key = $7'}
       ORDER BY version.position, version.language LIMIT $5`,
      ...values,
    );
  };
}

/** The part of the store that counts views, as totals per day. */
function createStatisticsStore({
  database,
  dialect,
}: StoreContext): Pick<Store, 'countViews' | 'listTopArticles'> {
  return {
    countViews: async (articleId, day, count) =>
      // The lock prevents a concurrent deletion of the article.
      (await database.run(
        `INSERT INTO article_view (day, position, count)
         SELECT $1, position, $2 FROM article WHERE article_id = $3 ${dialect.forKeyShare}
         ON CONFLICT (day, position) DO UPDATE SET count = article_view.count + excluded.count`,
        day,
        count,
        articleId,
      )) > 0,
    listTopArticles: async ({ from, to, limit, categoryId, language }) => {
      // No id contains NUL, and PostgreSQL refuses it. Lists treat it in the same way.
      if (categoryId?.includes('\0')) return [];
      const title = (condition: string) =>
        `(SELECT title FROM article_version AS version WHERE version.position = article.position AND ${condition} LIMIT 1)`;
      return database.rows<ArticleViews>(
        `SELECT article.article_id, views.count,
            coalesce(${title("version.language_key = $1 AND title <> ''")}, ${title(`version.language = '${ownLanguage}'`)}) AS title
         FROM (
           SELECT position, CAST(sum(count) AS bigint) AS count FROM article_view WHERE day BETWEEN $2 AND $3 GROUP BY position
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

const keyColumns =
  'key_id AS "keyId", name, access, hash, created_at AS "createdAt", revoked_at AS "revokedAt"';

/** The part of the store for API keys. */
function createKeyStore({
  database,
  now,
}: StoreContext): Pick<Store, 'createKey' | 'listKeys' | 'readKey' | 'revokeKey'> {
  return {
    createKey: async (key) => {
      await database.run(
        'INSERT INTO api_key (key_id, name, access, hash, created_at) VALUES ($1, $2, $3, $4, $5)',
        key.keyId,
        key.name,
        key.access,
        key.hash,
        now(),
      );
    },
    listKeys: () => database.rows<StoredKey>(`SELECT ${keyColumns} FROM api_key ORDER BY created_at, key_id`),
    readKey: (keyId) => database.row<StoredKey>(`SELECT ${keyColumns} FROM api_key WHERE key_id = $1`, keyId),
    revokeKey: async (keyId) =>
      (await database.run(
        'UPDATE api_key SET revoked_at = $1 WHERE key_id = $2 AND revoked_at IS NULL',
        now(),
        keyId,
      )) > 0,
  };
}
