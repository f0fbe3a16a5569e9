import { statSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createBlockingStore, readAccountId, rebuildOnce } from './blocking-store.ts';
import { type Database, dataFileUnusable, openDatabase } from './database.ts';
import { createSqliteThreads } from './sqlite-threads.ts';
import { type ArticleState, isLocked, type Store, StoreUnavailable } from './store.ts';
import { readBodyText } from './version-index.ts';

export interface SqliteStoreOptions {
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** The clock, milliseconds since 1970. */
  readonly clock: () => number;
  /** Script of the threads, if it is not the default. */
  readonly threadScript?: URL | undefined;
}

/** Longest wait for another process that creates or upgrades the same file. */
const openWaitMs = 60_000;

/** Opens or creates the SQLite file of a knowledge base. Throws `DATA_FILE_UNUSABLE`. */
export async function openSqliteStore(file: string, options: SqliteStoreOptions): Promise<Store> {
  const end = performance.now() + openWaitMs;
  for (;;) {
    try {
      return tryOpen(file, options);
    } catch (error) {
      if (!isLocked((error as Error).cause) || performance.now() > end) throw error;
      // SQLite does not wait for the lock when it sets WAL mode.
      await sleep(20);
    }
  }
}

function tryOpen(file: string, options: SqliteStoreOptions): Store {
  const database = openDatabase(file);
  try {
    return createStore(database, file, options);
  } catch (cause) {
    database.close();
    throw dataFileUnusable(file, cause);
  }
}

/** Reads single records in this thread, which is faster than calling another one. Everything that can take long runs in threads. */
function createStore(
  database: Database,
  file: string,
  { defaultLanguage, clock, threadScript }: SqliteStoreOptions,
): Store {
  const accountId = readAccountId(database);
  const now = () => new Date(clock()).toISOString();
  const context = {
    database,
    accountId,
    defaultLanguage,
    now,
    readText: readBodyText,
    stringify: JSON.stringify,
  };
  rebuildOnce(context);
  const here = createBlockingStore(context);
  const checkInPlace = createPlaceCheck(file);
  const threads = createSqliteThreads(
    { file, accountId, defaultLanguage, isTemporary: false },
    now,
    threadScript,
    checkInPlace,
  );
  return {
    accountId,
    isEmpty: async () => here.isEmpty(),
    isReady: async () => {
      checkInPlace();
      here.revision();
      return true;
    },
    revision: async () => here.revision(),
    readArticle: async (articleId) => here.readArticle(articleId),
    isCurrent: createCurrentCheck(database, here.isCurrent),
    readCategory: async (categoryId) => here.readCategory(categoryId),
    readKey: async (keyId) => here.readKey(keyId),
    listKeys: async () => here.listKeys(),
    listArticles: (filter, page) => threads.read('listArticles', filter, page),
    listCategories: () => threads.read('listCategories'),
    listSources: (page) => threads.read('listSources', page),
    listTopArticles: (request) => threads.read('listTopArticles', request),
    search: (request) => threads.read('search', request),
    createArticle: (input) => threads.write('createArticle', input),
    updateArticle: (articleId, change, expected) =>
      threads.write('updateArticle', articleId, change, expected),
    deleteArticle: (articleId, expected) => threads.write('deleteArticle', articleId, expected),
    createCategory: (input) => threads.write('createCategory', input),
    updateCategory: (categoryId, change, expected) =>
      threads.write('updateCategory', categoryId, change, expected),
    countViews: (articleId, day, count) => threads.write('countViews', articleId, day, count),
    fill: (records) => threads.write('fill', records),
    createKey: (key) => threads.write('createKey', key),
    revokeKey: (keyId) => threads.write('revokeKey', keyId),
    close: async () => {
      await threads.close();
      database.close();
    },
  };
}

/**
 * Returns a function that throws `StoreUnavailable` if the file was deleted or replaced: writes to the open file would be lost when the service stops, and a
 * new thread would open the other file.
 */
function createPlaceCheck(file: string): () => void {
  const inodeOf = () => {
    try {
      return statSync(file, { throwIfNoEntry: false })?.ino;
    } catch (error) {
      // For example, a network drive is disconnected.
      throw new StoreUnavailable('unreachable', error);
    }
  };
  const opened = inodeOf();
  return () => {
    if (inodeOf() === opened) return;
    throw new StoreUnavailable(
      'unreachable',
      new Error(`${file} was deleted or replaced; restart the service`),
    );
  };
}

/**
 * Makes `isCurrent` cheap as long as nothing is written. All checks of one turn of the event loop share one read of the data version, which
 * changes when another connection writes; an article is checked again only after such a change.
 */
function createCurrentCheck(
  database: Database,
  isCurrent: (article: ArticleState) => boolean,
): (article: ArticleState) => Promise<boolean> {
  const verifiedAt = new WeakMap<ArticleState, number>();
  let reading: Promise<number> | null = null;
  const readDataVersion = async (): Promise<number> => {
    // After all checks of this turn.
    await setImmediate();
    reading = null;
    const row = database.row<{ data_version: number }>('PRAGMA data_version');
    if (row === null) throw new Error('SQLite gives no data_version');
    return row.data_version;
  };
  return async (article) => {
    reading ??= readDataVersion();
    const version = await reading;
    if (verifiedAt.get(article) === version) return true;
    const isSame = isCurrent(article);
    if (isSame) verifiedAt.set(article, version);
    return isSame;
  };
}
