import { statSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, type Sqlite } from '../../core/sqlite/sqlite.ts';
import { dataFileUnusable, openDatabase, toSqlDatabase } from './database.ts';
import { createSqlStore, readAccountId, rebuildOnce, type SqlStore } from './sql-store.ts';
import { isLocked, type Store, type StoreOptions } from './store.ts';
import { createStoreThread, writing } from './store-thread.ts';

interface SqliteStoreOptions extends StoreOptions {
  /** Script of the thread, if it is not the default. */
  readonly threadScript?: URL | undefined;
}

/** Longest wait for another process that creates or indexes the same file. */
const openWaitMs = 60_000;

/** Opens or creates the SQLite file of a knowledge base. Throws `DATA_UNUSABLE`. */
export async function openSqliteStore(file: string, options: SqliteStoreOptions): Promise<Store> {
  const end = performance.now() + openWaitMs;
  for (;;) {
    try {
      return await tryOpen(file, options);
    } catch (error) {
      if (!isLocked((error as Error).cause) || performance.now() > end) throw error;
      // SQLite does not wait for the lock when it sets WAL mode.
      await sleep(20);
    }
  }
}

async function tryOpen(file: string, options: SqliteStoreOptions): Promise<Store> {
  const database = openDatabase(file);
  try {
    return await createStore(database, file, options);
  } catch (cause) {
    database.close();
    throw dataFileUnusable(file, cause);
  }
}

/** Reads records in this thread, which is faster than calling another one. Writes and everything that can take long run in one other thread. */
async function createStore(
  database: Sqlite,
  file: string,
  { defaultLanguage, clock, threadScript, isForKeys = false }: SqliteStoreOptions,
): Promise<Store> {
  const sqlDatabase = toSqlDatabase(database);
  const accountId = await readAccountId(sqlDatabase);
  const now = () => new Date(clock()).toISOString();
  const settings = { accountId, defaultLanguage, now };
  if (!isForKeys) await rebuildOnce(sqlDatabase, settings);
  const here = createSqlStore(sqlDatabase, settings);
  const checkInPlace = createPlaceCheck(file);
  const thread = createStoreThread(
    { data: file, accountId, defaultLanguage },
    now,
    threadScript,
    checkInPlace,
  );
  const inThread = [...writing, 'listSignals', 'listSources', 'listTopArticles', 'search'] as const;
  const calls = Object.fromEntries(inThread.map((method) => [method, thread.call(method)]));
  return {
    ...here,
    ...(calls as Pick<SqlStore, (typeof inThread)[number]>),
    checkReady: async () => {
      checkInPlace();
      await here.isEmpty();
      await readAccountId(sqlDatabase);
    },
    // Requests that are waiting come first, because a list has many pages.
    listArticles: (filter, page) => setImmediate().then(() => here.listArticles(filter, page)),
    close: async () => {
      await thread.close();
      database.close();
    },
  };
}

/**
 * Returns a function that throws `DatabaseUnavailable` if the file was deleted or replaced: writes to the open file would be lost when the service stops, and a
 * new thread would open the other file.
 */
function createPlaceCheck(file: string): () => void {
  const inodeOf = () => {
    try {
      return statSync(file, { throwIfNoEntry: false })?.ino;
    } catch (error) {
      // The disk cannot be read: a network drive is disconnected, for example.
      throw new DatabaseUnavailable('unreachable', error);
    }
  };
  const opened = inodeOf();
  return () => {
    if (inodeOf() === opened) return;
    throw new DatabaseUnavailable(
      'unreachable',
      new Error(`${file} was deleted or replaced; restart the service`),
    );
  };
}
