import { hash } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { htmlToText } from '../../content/write/write-text.ts';
import { createBlockingStore } from './blocking-store.ts';
import { commitTogether, connectDatabase } from './database.ts';
import {
  type LongBody,
  type ThreadAnswer,
  type ThreadMessage,
  type ThreadSettings,
  type ThreadTask,
  toErrorData,
} from './sqlite-threads.ts';
import type { Changed, WrittenArticle } from './store.ts';
import { readBodyText } from './version-index.ts';

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
let current: { readonly now: string; readonly longBodies: readonly LongBody[] } = { now: '', longBodies: [] };
const store = createBlockingStore({
  ...settings,
  database,
  now: () => current.now,
  readText: (html) => findLongBody(html, current.longBodies) ?? readBodyText(html),
  isPlaceholderFor: (given, body) => isLongBody(findLongBody(given, current.longBodies), body),
  stringify: (article) => insertLongBodies(JSON.stringify(article), current.longBodies),
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
    answer({ id, error: toErrorData(error) });
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
      current = task;
      return call(task);
    }),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const { id } = batch[index] as { readonly id: number };
    answer('error' in outcome ? { id, error: toErrorData(outcome.error) } : { id, value: outcome.value });
  }
}

function carryOut(task: Exclude<ThreadTask, { kind: 'write' }>): unknown {
  if (task.kind === 'longBody') return readLongBody(task.html);
  if (task.kind === 'wholeText') return htmlToText(task.html);
  return task.kind === 'checkpoint' ? database.rows('PRAGMA wal_checkpoint(PASSIVE)') : call(task);
}

function call({ method, values }: Extract<ThreadTask, { kind: 'read' | 'write' }>): unknown {
  return (store[method] as (...values: readonly unknown[]) => unknown)(...values);
}

function readLongBody(html: string): LongBody {
  const json = new TextEncoder().encode(JSON.stringify(html));
  return { ...readBodyText(html), length: html.length, sha256: hash('sha256', html), json };
}

/** The long body of a placeholder; `undefined` for any other body. */
function findLongBody(html: string, longBodies: readonly LongBody[]): LongBody | undefined {
  return html.startsWith('\0') ? longBodies[Number(html.slice(1))] : undefined;
}

function isLongBody(given: LongBody | undefined, body: string): boolean {
  return given?.length === body.length && given.sha256 === hash('sha256', body);
}

/** Replaces the placeholders in the JSON text of a record by their bodies. */
function insertLongBodies(json: string, longBodies: readonly LongBody[]): string | Uint8Array {
  if (longBodies.length === 0) return json;
  const pieces = json.split(/"\\u0000(\d+)"/);
  // The record contains no long body if a later element of the same write replaced it. Memory of short bytes is shared and cannot be moved.
  if (pieces.length === 1) return json;
  return Buffer.concat(
    pieces.map((piece, index) =>
      index % 2 === 0 ? Buffer.from(piece) : (longBodies[Number(piece)] as LongBody).json,
    ),
  );
}

function answer(message: ThreadAnswer): void {
  parentPort?.postMessage(message, 'error' in message ? [] : listMemory(message.value));
}

/** Memory of an answer that is moved to the other thread instead of being copied. */
function listMemory(value: unknown): readonly ArrayBuffer[] {
  const given = value as Partial<LongBody & WrittenArticle & Changed<WrittenArticle>> | null | undefined;
  const json = given?.json ?? (given?.outcome === 'done' ? given.record?.json : undefined);
  return json instanceof Uint8Array ? [json.buffer as ArrayBuffer] : [];
}
