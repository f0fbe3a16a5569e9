import { makeId } from '../records/record-rules.ts';
import {
  type Blocking,
  createArticleStore,
  insertArticle,
  rebuildArticles,
  type StoreContext,
} from './article-store.ts';
import { createCategoryStore, insertCategory, repairCategories } from './category-store.ts';
import type { Database } from './database.ts';
import { createSearchStore } from './search-store.ts';
import { createSourceStore } from './source-store.ts';
import { createStatisticsStore } from './statistics-store.ts';
import type { Store, StoredKey } from './store.ts';

type GivenContext = Omit<StoreContext, 'write'>;

/** The store on one connection, in the thread of its caller. */
export function createBlockingStore(given: GivenContext): Blocking<Omit<Store, 'close'>> {
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
    ...createSourceStore(context),
    ...createStatisticsStore(context),
    ...createKeyStore(context),
    isEmpty,
    revision: () => readSetting(database, 'revision'),
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

/** Changes with the rules for texts and index terms: a file written by other rules is rebuilt when it is opened. */
const indexVersion = '3';

/** Rebuilds texts and index of a data file that other rules have written. */
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

/** The id of a data file, made when it is opened first. */
export function readAccountId(database: Database): string {
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
function createKeyStore({ database, now }: StoreContext): KeyStore {
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
