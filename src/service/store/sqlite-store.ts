import { makeId } from '../records/record-rules.ts';
import {
  type Blocking,
  createArticleStore,
  insertArticle,
  rebuildArticles,
  type StoreContext,
} from './article-store.ts';
import { createCategoryStore, insertCategory, repairCategories } from './category-store.ts';
import { type Database, dataFileUnusable, openDatabase } from './database.ts';
import { createSearchStore } from './search-store.ts';
import { createSourceStore } from './source-store.ts';
import { createStatisticsStore } from './statistics-store.ts';
import type { Store, StoredKey } from './store.ts';

export interface SqliteStoreOptions {
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** The clock, milliseconds since 1970. */
  readonly clock: () => number;
  /** How long a write waits for the lock of another process, and everything else in this process with it; 10 seconds by default. */
  readonly lockWaitMs?: number;
}

/** Opens (or makes) the SQLite file of a knowledge base. Throws `DATA_FILE_UNUSABLE`. */
export async function openSqliteStore(file: string, options: SqliteStoreOptions): Promise<Store> {
  const database = openDatabase(file);
  try {
    const store = createStore(database, options);
    return {
      accountId: store.accountId,
      isEmpty: async () => store.isEmpty(),
      revision: async () => store.revision(),
      listArticles: async (filter, page) => store.listArticles(filter, page),
      readArticle: async (articleId) => store.readArticle(articleId),
      createArticle: async (input) => store.createArticle(input),
      updateArticle: async (articleId, change, expected) => store.updateArticle(articleId, change, expected),
      deleteArticle: async (articleId, expected) => store.deleteArticle(articleId, expected),
      listCategories: async () => store.listCategories(),
      readCategory: async (categoryId) => store.readCategory(categoryId),
      createCategory: async (input) => store.createCategory(input),
      updateCategory: async (categoryId, change, expected) =>
        store.updateCategory(categoryId, change, expected),
      search: async (request) => store.search(request),
      listSources: async (page) => store.listSources(page),
      countViews: async (articleId, day, count) => store.countViews(articleId, day, count),
      listTopArticles: async (request) => store.listTopArticles(request),
      fill: async (records) => store.fill(records),
      createKey: async (key) => store.createKey(key),
      listKeys: async () => store.listKeys(),
      readKey: async (keyId) => store.readKey(keyId),
      revokeKey: async (keyId) => store.revokeKey(keyId),
      close: async () => store.close(),
    };
  } catch (cause) {
    database.close();
    throw dataFileUnusable(file, cause);
  }
}

function createStore(database: Database, options: SqliteStoreOptions): Blocking<Store> {
  const context: StoreContext = {
    database,
    accountId: readAccountId(database),
    defaultLanguage: options.defaultLanguage,
    write: (work) =>
      database.transaction(() => {
        database.run("UPDATE setting SET value = value + 1 WHERE name = 'revision'");
        return work();
      }),
    now: () => new Date(options.clock()).toISOString(),
  };
  rebuildOnce(context);
  if (options.lockWaitMs !== undefined) database.rows(`PRAGMA busy_timeout = ${options.lockWaitMs}`);
  return {
    accountId: context.accountId,
    ...createArticleStore(context),
    ...createCategoryStore(context),
    ...createSearchStore(context),
    ...createSourceStore(context),
    ...createStatisticsStore(context),
    ...createKeyStore(context),
    isEmpty: () =>
      database.row('SELECT 1 FROM article LIMIT 1') === null &&
      database.row('SELECT 1 FROM category LIMIT 1') === null,
    revision: () => readSetting(database, 'revision'),
    fill: (records) =>
      context.write(() => {
        const taken: string[] = [];
        for (const category of records.categories) {
          if (insertCategory(context, category) === null) taken.push(category.category_id ?? '');
        }
        for (const article of records.articles) {
          if (insertArticle(context, article) === null) taken.push(article.article_id ?? '');
        }
        return taken;
      }),
    close: database.close,
  };
}

/** Changes with the rules for texts and index terms: a file written by other rules is rebuilt when it is opened. */
const indexVersion = '3';

function rebuildOnce(context: StoreContext): void {
  const { database } = context;
  if (readSetting(database, 'index_version') === indexVersion) return;
  context.write(() => {
    rebuildArticles(context);
    repairCategories(context);
    database.run("INSERT OR REPLACE INTO setting (name, value) VALUES ('index_version', ?)", indexVersion);
  });
}

function readAccountId(database: Database): string {
  return database.transaction(() => {
    database.run("INSERT OR IGNORE INTO setting (name, value) VALUES ('account_id', ?)", makeId());
    return readSetting(database, 'account_id');
  });
}

function readSetting(database: Database, name: string): string {
  return String(database.row('SELECT value FROM setting WHERE name = ?', name)?.value);
}

type KeyStore = Blocking<Pick<Store, 'createKey' | 'listKeys' | 'readKey' | 'revokeKey'>>;

const columns =
  'key_id AS keyId, name, access, hash, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt';

/** The part of the store that keeps API keys. */
export function createKeyStore({ database, now }: StoreContext): KeyStore {
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
