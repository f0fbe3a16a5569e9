import { workerData } from 'node:worker_threads';
import type { Sqlite } from '../../core/sqlite/sqlite.ts';
import { answerCalls, closePort } from '../../core/threads.ts';
import { connectDatabase, toSqlDatabase } from './database.ts';
import { isPostgres } from './open-store.ts';
import { createSqlStore } from './sql-store.ts';
import type { createStoreThread, StoreCall } from './store-thread.ts';

/**
 * The thread of `createStoreThread`. With SQLite, one call runs at a time. With PostgreSQL, it only searches, several at a time, because they wait for
 * the database.
 */
const settings: Parameters<typeof createStoreThread>[0] = workerData;
/** With SQLite, all other functions only read. */
const writing: ReadonlySet<StoreCall['method']> = new Set([
  'createArticle',
  'updateArticle',
  'deleteArticle',
  'createCategory',
  'updateCategory',
  'countViews',
  'countSignal',
  'fill',
  'createKey',
  'revokeKey',
]);
/** The time of the current call. */
let now = '';
const file = isPostgres(settings.data) ? null : connectDatabase(settings.data);
const pool =
  file === null ? (await import('./postgres/postgres-database.ts')).openPool(settings.data, 4) : null;
const store = createSqlStore(pool ?? toSqlDatabase(file as Sqlite), { ...settings, now: () => now });

/** Calls that wait for SQLite. */
const waiting: { readonly isWrite: boolean; readonly answer: () => Promise<unknown> }[] = [];
/** Calls that wait for PostgreSQL. */
const running = new Set<Promise<unknown>>();
let working: Promise<void> | null = null;

answerCalls<StoreCall, unknown>(
  (call) =>
    new Promise((resolve, reject) => {
      const answer = () => run(call).then(resolve, reject);
      if (pool === null) {
        waiting.push({ isWrite: writing.has(call.method), answer });
        working ??= work();
      } else {
        const done = answer().finally(() => running.delete(done));
        running.add(done);
      }
    }),
  async () => {
    await working;
    await Promise.all(running);
    file?.close();
    await pool?.close();
    // The replies of the last calls are posted before.
    setImmediate(closePort);
  },
);

/** Carries out what waits, writes and reads by turns, so that neither waits for all of the other. */
async function work(): Promise<void> {
  for (let isWrite = true; waiting.length > 0; isWrite = !isWrite) {
    // Receives what has arrived meanwhile.
    await new Promise(setImmediate);
    const at = waiting.findIndex((call) => call.isWrite === isWrite);
    const [call] = waiting.splice(Math.max(at, 0), 1);
    await call?.answer();
  }
  working = null;
}

function run(call: StoreCall): Promise<unknown> {
  now = call.now;
  return (store[call.method] as (...values: readonly unknown[]) => Promise<unknown>)(...call.values);
}
