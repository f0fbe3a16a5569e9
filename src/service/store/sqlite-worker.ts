import { parentPort, workerData } from 'node:worker_threads';
import { commitTogether, connectDatabase, toSqlDatabase } from './database.ts';
import { createSqlStore } from './sql-store.ts';
import {
  type StoreCall,
  type StoreReply,
  type ThreadMessage,
  type ThreadSettings,
  toErrorData,
} from './sqlite-thread.ts';

/**
 * The thread of `createSqliteThread`. Writes that arrive during a transaction share the next one, and are acknowledged after it is on disk.
 */
const settings = workerData as ThreadSettings;
const database = connectDatabase(settings.file);
/** The time of the current call. */
let now = '';
const store = createSqlStore(toSqlDatabase(database), { ...settings, now: () => now });
const waiting: { readonly id: number; readonly call: StoreCall }[] = [];
let isWorking = false;
let isClosing = false;

parentPort?.on('message', (message: ThreadMessage) => {
  if (message === 'close') isClosing = true;
  else waiting.push(message);
  if (!isWorking) work();
});
// A call that cannot be deserialised must not be waited for.
parentPort?.on('messageerror', (error) => {
  throw error;
});

/** Carries out what waits: one transaction of all writes, then one read, and so on, so that neither waits for all of the other. */
async function work(): Promise<void> {
  isWorking = true;
  while (waiting.length > 0) {
    // Receives what has arrived meanwhile.
    await new Promise(setImmediate);
    const calls = waiting.splice(0);
    await writeAll(calls.filter(({ call }) => call.isWrite));
    const [read, ...later] = calls.filter(({ call }) => !call.isWrite);
    waiting.unshift(...later);
    if (read === undefined) continue;
    try {
      answer({ id: read.id, value: await run(read.call) });
    } catch (error) {
      answer({ id: read.id, error: toErrorData(error) });
    }
  }
  isWorking = false;
  if (!isClosing) return;
  database.close();
  parentPort?.close();
}

async function writeAll(batch: typeof waiting): Promise<void> {
  const outcomes = await commitTogether(
    database,
    batch.map(
      ({ call }) =>
        () =>
          run(call),
    ),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const { id } = batch[index] as { readonly id: number };
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
