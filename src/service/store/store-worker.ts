import { workerData } from 'node:worker_threads';
import type { Sqlite } from '../../core/sqlite/sqlite.ts';
import { answerCalls, closePort } from '../../core/threads.ts';
import { commitTogether, connectDatabase, toSqlDatabase } from './database.ts';
import { isPostgres } from './open-store.ts';
import { createSqlStore } from './sql-store.ts';
import { type createStoreThread, type StoreCall, writing } from './store-thread.ts';

/**
 * The thread of `createStoreThread`. With SQLite, writes that arrive during a transaction share the next one, and are acknowledged after it is
 * on disk. With PostgreSQL, it only searches, several at a time, because they wait for the database.
 */
const settings: Parameters<typeof createStoreThread>[0] = workerData;
const writes: ReadonlySet<StoreCall['method']> = new Set(writing);
/** The time of the current call. */
let now = '';
const file = isPostgres(settings.data) ? null : connectDatabase(settings.data);
const pool =
  file === null ? (await import('./postgres/postgres-database.ts')).openPool(settings.data, 4) : null;
const store = createSqlStore(pool ?? toSqlDatabase(file as Sqlite), { ...settings, now: () => now });

/** A call with what answers it. */
interface WaitingCall extends StoreCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const waiting: WaitingCall[] = [];
const reading = new Set<Promise<void>>();
let isWorking = false;
let isClosing = false;

answerCalls<StoreCall, unknown>(
  (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...call, resolve, reject });
      if (!isWorking) work();
    }),
  () => {
    isClosing = true;
    if (!isWorking) work();
  },
);

/** Carries out what waits: with SQLite one transaction of all writes, then one read, and so on, so that neither waits for all of the other. */
async function work(): Promise<void> {
  isWorking = true;
  while (waiting.length > 0) {
    // Receives what has arrived meanwhile.
    await new Promise(setImmediate);
    const calls = waiting.splice(0);
    const reads = calls.filter(({ method }) => !writes.has(method));
    if (file !== null)
      await writeAll(
        file,
        calls.filter(({ method }) => writes.has(method)),
      );
    if (isClosing) {
      for (const { reject } of reads) reject(new Error('the store is closed'));
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
  // The replies of the last calls are posted before.
  setImmediate(closePort);
}

async function readOne(call: WaitingCall): Promise<void> {
  try {
    call.resolve(await run(call));
  } catch (error) {
    call.reject(error);
  }
}

async function writeAll(database: Sqlite, calls: readonly WaitingCall[]): Promise<void> {
  const outcomes = await commitTogether(
    database,
    calls.map((call) => () => run(call)),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const { resolve, reject } = calls[index] as WaitingCall;
    if ('error' in outcome) reject(outcome.error);
    else resolve(outcome.value);
  }
}

function run(call: StoreCall): Promise<unknown> {
  now = call.now;
  return (store[call.method] as (...values: readonly unknown[]) => Promise<unknown>)(...call.values);
}
