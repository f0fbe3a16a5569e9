import { createSqlStore, readAccountId, rebuildOnce } from '../sql-store.ts';
import type { Store, StoreOptions } from '../store.ts';
import { createStoreThread } from '../store-thread.ts';
import { openPool } from './postgres-database.ts';
import { withTables } from './postgres-schema.ts';

/** Opens or creates a knowledge base in PostgreSQL. Throws `DATA_UNUSABLE`. */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  const { defaultLanguage, clock, isForKeys = false } = options;
  const now = () => new Date(clock()).toISOString();
  const accountId = await withTables(url, async (database) => {
    const id = await readAccountId(database);
    if (!isForKeys) await rebuildOnce(database, { accountId: id, defaultLanguage, now });
    return id;
  });
  const database = openPool(url, 10);
  const store = createSqlStore(database, { accountId, defaultLanguage, now });
  // Ranking takes time that readers would wait.
  const thread = createStoreThread({ data: url, accountId, defaultLanguage }, now);
  return {
    ...store,
    search: thread.call('search'),
    checkReady: async () => {
      await store.isEmpty();
    },
    close: async () => {
      await thread.close();
      await database.close();
    },
  };
}
