import { parentPort, workerData } from 'node:worker_threads';
import { createBlockingStore } from './blocking-store.ts';
import { commitTogether, connectDatabase } from './database.ts';
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
if (settings.isTemporary) database.rows('PRAGMA synchronous = OFF');
/** The time of the current call. */
let now = '';
const store = createBlockingStore({ ...settings, database, now: () => now });
const writes: { readonly id: number; readonly call: StoreCall }[] = [];

parentPort?.on('message', (message: ThreadMessage) => {
  if (message === 'close') {
    writeAll();
    database.close();
    parentPort?.close();
    return;
  }
  const { id, call } = message;
  if (call.isWrite) {
    if (writes.length === 0) setImmediate(writeAll);
    writes.push({ id, call });
    return;
  }
  // Otherwise, searches that follow each other could keep writes waiting.
  writeAll();
  try {
    answer({ id, value: run(call) });
  } catch (error) {
    answer({ id, error: toErrorData(error) });
  }
});
// A call that cannot be deserialised must not be waited for.
parentPort?.on('messageerror', (error) => {
  throw error;
});

function writeAll(): void {
  const batch = writes.splice(0);
  if (batch.length === 0) return;
  const outcomes = commitTogether(
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

function run(call: StoreCall): unknown {
  now = call.now;
  return (store[call.method] as (...values: readonly unknown[]) => unknown)(...call.values);
}

function answer(message: StoreReply): void {
  parentPort?.postMessage(message);
}
