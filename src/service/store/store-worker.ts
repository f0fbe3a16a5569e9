import { parentPort, workerData } from 'node:worker_threads';
import type { Sqlite } from '../../core/sqlite/sqlite.ts';
import { commitTogether, connectDatabase, toSqlDatabase } from './database.ts';
import { isPostgres } from './open-store.ts';
import { createSqlStore } from './sql-store.ts';
import { type createStoreThread, type StoreCall, type StoreReply, toErrorData } from './store-thread.ts';

/**
 * The thread of `createStoreThread`. With SQLite, writes that arrive during a transaction share the next one, and are acknowledged after it is
 * on disk. With PostgreSQL, it only searches, several at a time, because they wait for the database.
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
const waiting: StoreCall[] = [];
const reading = new Set<Promise<void>>();
let isWorking = false;
let isClosing = false;

parentPort?.on('message', (message: StoreCall | 'close') => {
  if (message === 'close') isClosing = true;
  else waiting.push(message);
  if (!isWorking) work();
});
// A call that cannot be deserialised must not be waited for.
parentPort?.on('messageerror', (error) => {
  throw error;
});

/** Carries out what waits: with SQLite one transaction of all writes, then one read, and so on, so that neither waits for all of the other. */
async function work(): Promise<void> {
  isWorking = true;
  while (waiting.length > 0) {
    // Receives what has arrived meanwhile.
    await new Promise(setImmediate);
    const calls = waiting.splice(0);
    const reads = calls.filter(({ method }) => !writing.has(method));
    if (file !== null)
      await writeAll(
        file,
        calls.filter(({ method }) => writing.has(method)),
      );
    if (isClosing) {
      for (const { id } of reads) answer({ id, error: toErrorData(new Error('the store is closed')) });
    } else if (pool !== null) {
      for (const read of reads) {
        const done = readOne(read).finally(() => reading.delete(done));
        reading.add(done);
      }
    } else {
      waiting.unshift(...reads.slice(1));
      if (reads[0] !== undefined) await readOne(reads[0]);
    }
  }
  isWorking = false;
  if (!isClosing) return;
  await Promise.all(reading);
  file?.close();
  await pool?.close();
  parentPort?.close();
}

async function readOne(call: StoreCall): Promise<void> {
  try {
    answer({ id: call.id, value: await run(call) });
  } catch (error) {
    answer({ id: call.id, error: toErrorData(error) });
  }
}

async function writeAll(database: Sqlite, calls: readonly StoreCall[]): Promise<void> {
  const outcomes = await commitTogether(
    database,
    calls.map((call) => () => run(call)),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const { id } = calls[index] as StoreCall;
    answer('error' in outcome ? { id, error: toErrorData(outcome.error) } : { id, value: outcome.value });
  }
}

function run(call: StoreCall): Promise<unknown> {
  now = call.now;
  return (store[call.method] as (...values: readonly unknown[]) => Promise<unknown>)(...call.values);
}

function answer(message: StoreReply): void {
  parentPort?.postMessage(message);
}
