import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { htmlToText } from '../../content/write/write-text.ts';
import { createBlockingStore } from './blocking-store.ts';
import { commitTogether, connectDatabase } from './database.ts';
import {
  listLongBodies,
  packError,
  type ThreadAnswer,
  type ThreadMessage,
  type ThreadSettings,
  type ThreadTask,
} from './sqlite-threads.ts';
import { type BodyText, readBodyText } from './version-index.ts';

/**
 * A thread of `createSqliteThreads`. Writes that arrive during a transaction share the next one, and are acknowledged after it is on disk.
 */
const settings = workerData as ThreadSettings;
const database = connectDatabase(settings.file);
// Size of the log, in pages (80 MB), at which the writing thread checkpoints it itself; usually the thread that reads long bodies has done
// so before.
database.rows('PRAGMA wal_autocheckpoint = 20000');
if (settings.isTemporary) database.rows('PRAGMA synchronous = OFF');
/** Data of the current write. */
let current = { now: '', texts: new Map<string, BodyText>() };
const store = createBlockingStore({
  ...settings,
  database,
  now: () => current.now,
  readText: (html) => current.texts.get(html) ?? readBodyText(html),
});
const writes: { readonly id: number; readonly task: Extract<ThreadTask, { kind: 'write' }> }[] = [];

// On Linux, the priority applies to this thread only. The main thread has priority over searches.
if (settings.isPatient && process.platform === 'linux') setPriority(10);

parentPort?.on('message', (message: ThreadMessage) => {
  if (message === 'close') {
    writeAll();
    database.close();
    parentPort?.close();
    return;
  }
  const { id, task } = message;
  if (task.kind === 'write') {
    if (writes.length === 0) setImmediate(writeAll);
    writes.push({ id, task });
    return;
  }
  try {
    answer({ id, value: carryOut(task) });
  } catch (error) {
    answer({ id, error: packError(error) });
  }
});
// A task that cannot be deserialised must not be waited for.
parentPort?.on('messageerror', (error) => {
  throw error;
});

function writeAll(): void {
  const batch = writes.splice(0);
  const outcomes = commitTogether(
    database,
    batch.map(({ task }) => () => {
      const texts = new Map<string, BodyText>();
      for (const [index, text] of task.texts.entries()) texts.set(listLongBodies(task)[index] ?? '', text);
      current = { now: task.now, texts };
      return call(task);
    }),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const { id } = batch[index] as { readonly id: number };
    answer('error' in outcome ? { id, error: packError(outcome.error) } : { id, value: outcome.value });
  }
}

function carryOut(task: Exclude<ThreadTask, { kind: 'write' }>): unknown {
  if (task.kind === 'text') return readBodyText(task.html);
  if (task.kind === 'wholeText') return htmlToText(task.html);
  return task.kind === 'checkpoint' ? database.rows('PRAGMA wal_checkpoint(PASSIVE)') : call(task);
}

function call({ method, values }: Extract<ThreadTask, { kind: 'read' | 'write' }>): unknown {
  return (store[method] as (...values: readonly unknown[]) => unknown)(...values);
}

function answer(message: ThreadAnswer): void {
  parentPort?.postMessage(message);
}
