import type { CategoryCreate, CategoryRecord } from '../../api/category.ts';
import { repairText } from '../../api/record-text.ts';
import type { SqlValue } from '../../database/shared-file.ts';
import { languageKey } from '../../foundation/language.ts';
import { applyCategoryUpdate, makeId, newCategory } from '../records.ts';
import { createArticleCopies } from './article-copies.ts';
import {
  type Blocking,
  createArticleStore,
  insertArticle,
  rebuildArticles,
  type StoreContext,
} from './article-store.ts';
import type { Database } from './database.ts';
import { createSearchStore } from './search-store.ts';
import type { FileStore } from './sqlite-thread.ts';
import {
  type CategoryStore,
  isExpected,
  type KeyStore,
  type SourcePageRequest,
  type SourceText,
  type Store,
  type StoredKey,
  type TopArticleRow,
} from './store.ts';
import { ownLanguage, readWholeText, storedLanguage } from './version-index.ts';

type GivenContext = Omit<StoreContext, 'write'>;

/** The store on one connection, in the thread of the caller. */
export function createBlockingStore(given: GivenContext): Blocking<Omit<FileStore, 'close'>> {
  const context = addWrite(given);
  const { database } = context;
  const isEmpty = () =>
    database.row('SELECT 1 FROM article LIMIT 1') === null &&
    database.row('SELECT 1 FROM category LIMIT 1') === null;
  return {
    accountId: context.accountId,
    ...createArticleStore(context),
    ...createCategoryStore(context),
    ...createSearchStore(context),
    ...createArticleCopies(context),
    ...createSourceStore(context),
    ...createStatisticsStore(context),
    ...createKeyStore(context),
    isEmpty,
    revision: () => `${readSetting(database, 'revision')}${countPassed(context)}`,
    fill: ({ categories, articles }) =>
      context.write(() => {
        if (!isEmpty()) return null;
        return [
          ...categories
            .filter((input) => insertCategory(context, input) === null)
            .map(({ category_id = '' }) => category_id),
          ...articles
            .filter((input) => insertArticle(context, input) === null)
            .map(({ article_id = '' }) => article_id),
        ];
      }),
  };
}

/** Increase it if the rules for texts and index terms change: a file with another version is rebuilt when it is opened. */
const indexVersion = '4';

/** Rebuilds texts and index of a data file if the rules have changed. */
export function rebuildOnce(given: GivenContext): void {
  const context = addWrite(given);
  const { database } = context;
  if (readSetting(database, 'index_version') === indexVersion) return;
  context.write(() => {
    rebuildArticles(context);
    repairCategories(context);
    database.run("INSERT OR REPLACE INTO setting (name, value) VALUES ('index_version', ?)", indexVersion);
  });
}

/** The number of scheduled times that have passed, which show or hide articles without a write; empty if there are none. */
function countPassed({ database, now }: StoreContext): string {
  const time = now();
  const row = database.row<{ passed: number | null }>(
    `SELECT sum(coalesce(publish_at <= ?, 0) + coalesce(unpublish_at <= ?, 0)) AS passed FROM article_version
     WHERE publish_at IS NOT NULL OR unpublish_at IS NOT NULL`,
    time,
    time,
  );
  return row?.passed ? `-${row.passed}` : '';
}

function addWrite(given: GivenContext): StoreContext {
  const { database } = given;
  return {
    ...given,
    write: (work) =>
      database.transaction(() => {
        database.run("UPDATE setting SET value = value + 1 WHERE name = 'revision'");
        return work();
      }),
  };
}

/** The id of a data file; created when the file is first opened. */
export function readAccountId(database: Database): string {
  const sql = "SELECT value FROM setting WHERE name = 'account_id'";
  // Avoids the write lock, which another process may keep for a long time.
  const known = database.row<{ value: string }>(sql);
  if (known !== null) return known.value;
  database.run("INSERT OR IGNORE INTO setting (name, value) VALUES ('account_id', ?)", makeId());
  return readSetting(database, 'account_id');
}

function readSetting(database: Database, name: string): string {
  return String(database.row('SELECT value FROM setting WHERE name = ?', name)?.value);
}

const columns =
  'key_id AS keyId, name, access, hash, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt';

/** The part of the store for API keys. */
function createKeyStore({ database, now }: StoreContext): Blocking<KeyStore> {
  return {
    createKey: (key) => {
      database.run(
        'INSERT INTO api_key (key_id, name, access, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
        key.keyId,
        key.name,
        key.access,
        key.hash,
        now(),
        key.expiresAt,
      );
    },
    listKeys: () => database.rows<StoredKey>(`SELECT ${columns} FROM api_key ORDER BY created_at, key_id`),
    readKey: (keyId) => database.row<StoredKey>(`SELECT ${columns} FROM api_key WHERE key_id = ?`, keyId),
    revokeKey: (keyId) =>
      database.run(
        'UPDATE api_key SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL',
        now(),
        keyId,
      ) > 0,
  };
}

/** The part of the store for categories. */
function createCategoryStore(context: StoreContext): Blocking<CategoryStore> {
  const { database } = context;
  const readCategory = (categoryId: string) =>
    database.row<{ record: string }>('SELECT record FROM category WHERE category_id = ?', categoryId)
      ?.record ?? null;
  return {
    readCategory,
    listCategories: () =>
      database
        .rows<{ record: string }>('SELECT record FROM category ORDER BY position')
        .map((row) => row.record),
    createCategory: (input) => context.write(() => insertCategory(context, input)),
    updateCategory: (categoryId, change, expected) =>
      context.write(() => {
        const current = readCategory(categoryId);
        if (current === null) return { outcome: 'not_found' };
        if (!isExpected(current, expected)) return { outcome: 'precondition_failed' };
        const record = JSON.stringify(
          applyCategoryUpdate(JSON.parse(current) as CategoryRecord, change, context.now()),
        );
        database.run('UPDATE category SET record = ? WHERE category_id = ?', record, categoryId);
        return { outcome: 'done', record };
      }),
  };
}

/** Repairs the records of an older file as `rebuildArticles` does. */
function repairCategories({ database }: StoreContext): void {
  for (const { position, record } of database.rows<{ position: number; record: string }>(
    'SELECT position, record FROM category',
  )) {
    const repaired = JSON.stringify(repairText(JSON.parse(record)));
    database.run('UPDATE category SET record = ? WHERE position = ?', repaired, position);
  }
}

/** Writes one new category inside the caller's transaction; `null` if the requested id is already used. */
function insertCategory(context: StoreContext, input: CategoryCreate): string | null {
  const { database, accountId } = context;
  const isTaken = (id: string) => database.row('SELECT 1 FROM category WHERE category_id = ?', id) !== null;
  if (input.category_id !== undefined && isTaken(input.category_id)) return null;
  let id = input.category_id ?? makeId();
  while (isTaken(id)) id = makeId();
  const record = JSON.stringify(newCategory(input, { id, accountId, now: context.now() }));
  database.run('INSERT INTO category (category_id, record) VALUES (?, ?)', id, record);
  return record;
}

/** The part of the store that returns public texts. */
function createSourceStore({
  database,
  defaultLanguage,
  now,
}: StoreContext): Blocking<Pick<Store, 'listSources'>> {
  type SourceRow = SourceText & { readonly versionId: number };
  const readRows = ({ language, after, limit }: SourcePageRequest): readonly SourceRow[] => {
    const conditions = ['(version.position, version.language) > (?, ?)'];
    const values: SqlValue[] = [after?.position ?? 0, after?.storedLanguage ?? ''];
    if (language !== undefined) {
      conditions.push('version.language_key = ?');
      values.push(storedLanguage(language, defaultLanguage));
    }
    return database.rows<SourceRow>(
      `SELECT version.version_id AS versionId, version.position, version.language AS storedLanguage,
              article.article_id AS articleId, article.category_id AS categoryId,
              CASE version.language WHEN ? THEN ? ELSE version.language END AS language,
              version.title, version.slug, article.meta,
              article.updated_at AS updatedAt, version.text
       FROM article_version AS version JOIN article ON article.position = version.position
       WHERE ${conditions.join(' AND ')}
         AND status = 'published' AND is_restricted = 0 AND is_live = 1
         AND coalesce(publish_at <= ?, 1) AND coalesce(unpublish_at > ?, 1)
         AND title <> '' AND text <> '' AND version.language_key <> ?
       ORDER BY version.position, version.language LIMIT ?`,
      ownLanguage,
      defaultLanguage,
      ...values,
      now(),
      now(),
      // A translation into the default language only fills missing fields of the record itself.
      languageKey(defaultLanguage),
      limit,
    );
  };
  return {
    // The row has only the start of a long text; the rest must be read in the same state.
    listSources: (page) =>
      database.snapshot(() =>
        readRows(page).map(({ versionId, ...source }) => ({
          ...source,
          text: readWholeText(database, versionId, source.text),
        })),
      ),
  };
}

/** The part of the store that counts views, as totals per day. */
function createStatisticsStore({
  database,
}: StoreContext): Blocking<Pick<Store, 'countViews' | 'listTopArticles'>> {
  return {
    countViews: (articleId, day, count) =>
      database.run(
        `INSERT INTO article_view (day, position, count)
         SELECT ?, position, ? FROM article WHERE article_id = ?
         ON CONFLICT (day, position) DO UPDATE SET count = count + excluded.count`,
        day,
        count,
        articleId,
      ) > 0,
    listTopArticles: ({ from, to, limit, categoryId, language }) => {
      const values: SqlValue[] = [languageKey(language ?? ''), from, to];
      if (categoryId !== undefined) values.push(categoryId);
      return database.rows<TopArticleRow>(
        `SELECT article.article_id, sum(article_view.count) AS count,
                coalesce(
                  (SELECT title FROM article_version AS version
                   WHERE version.position = article.position AND version.language_key = ? AND title <> ''),
                  (SELECT title FROM article_version AS version
                   WHERE version.position = article.position AND version.language = '')
                ) AS title
         FROM article_view JOIN article ON article.position = article_view.position
         WHERE day BETWEEN ? AND ? ${categoryId === undefined ? '' : 'AND category_id = ?'}
         GROUP BY article.position ORDER BY count DESC, article.position LIMIT ?`,
        ...values,
        limit,
      );
    },
  };
}
