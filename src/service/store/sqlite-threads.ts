import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ArticleUpdate } from '../../api/article.ts';
import { TooManyTranslations } from '../records.ts';
import type { ArticleCopies } from './article-copies.ts';
import { restoreClass, type Store, StoreUnavailable } from './store.ts';
import type { BodyText } from './version-index.ts';

/** Start settings of a thread. */
export interface ThreadSettings {
  readonly file: string;
  readonly accountId: string;
  readonly defaultLanguage: string;
  /** Whether the file is temporary: then writes do not wait for the disk. */
  readonly isTemporary: boolean;
  /** Whether the thread runs with low priority. */
  readonly isPatient: boolean;
}

/** Functions of the store that threads run. */
export type FileStore = Omit<Store, 'isReady'> & ArticleCopies;

type Method = Exclude<keyof FileStore, 'accountId' | 'close'>;

/** A call of the store. */
export interface StoreCall {
  readonly method: Method;
  readonly values: readonly unknown[];
}

/** A call of the store, an author body to convert to a {@link LongBody} or to plain text, or a checkpoint of the write-ahead log. */
export type ThreadTask =
  | { readonly kind: 'longBody'; readonly html: string }
  | { readonly kind: 'wholeText'; readonly html: string }
  | { readonly kind: 'checkpoint' }
  | (StoreCall & { readonly kind: 'read' })
  | (StoreCall & {
      readonly kind: 'write';
      /** The time of the write, ISO 8601 in UTC with milliseconds. */
      readonly now: string;
      /** The long bodies that placeholders in `values` replace; placeholder `\0N` replaces entry N. */
      readonly longBodies: readonly LongBody[];
    });

/** Longer bodies are not converted in the thread that writes or responds, because others would wait for it. */
export const longBody = 100_000;

/** A long body with everything made of it before the transaction, in which other writes would wait. */
export interface LongBody extends BodyText {
  /** In UTF-16 units. */
  readonly length: number;
  readonly sha256: string;
  /** The body as JSON text in UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** Replaces the long bodies of a write by placeholders. A placeholder starts with NUL, which no body contains. */
function takeLongBodies(call: StoreCall): { readonly call: StoreCall; readonly bodies: readonly string[] } {
  const { method, values } = call;
  if (method !== 'createArticle' && method !== 'updateArticle') return { call, bodies: [] };
  const bodies: string[] = [];
  const shorten = <T extends { readonly body?: string | null | undefined }>(record: T): T =>
    typeof record.body === 'string' && record.body.length > longBody
      ? { ...record, body: `\0${bodies.push(record.body) - 1}` }
      : record;
  const index = method === 'createArticle' ? 0 : 1;
  const article = shorten(values[index] as ArticleUpdate);
  const { multilingual } = article;
  const short =
    multilingual === undefined ? article : { ...article, multilingual: multilingual.map(shorten) };
  return { call: { method, values: values.with(index, short) }, bodies };
}

/** A message to a thread. */
export type ThreadMessage = { readonly id: number; readonly task: ThreadTask } | 'close';

/** A reply of a thread. */
export type ThreadAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ErrorData };

/** An error as data, because errors lose their class between threads. */
export type ErrorData =
  | { readonly unavailable: StoreUnavailable['reason']; readonly message: string }
  | { readonly tooMany: 'translations' }
  | { readonly message: string; readonly stack: string };

export function toErrorData(error: unknown): ErrorData {
  if (error instanceof StoreUnavailable) {
    return { unavailable: error.reason, message: error.cause instanceof Error ? error.cause.message : '' };
  }
  if (error instanceof TooManyTranslations) return { tooMany: 'translations' };
  // The driver's errors cannot be sent through a message port.
  const { message = String(error), stack = '' } = error as Partial<Error>;
  return { message, stack };
}

function fromErrorData(data: ErrorData): Error {
  if ('tooMany' in data) return new TooManyTranslations();
  if ('unavailable' in data) return new StoreUnavailable(data.unavailable, new Error(data.message));
  const error = new Error(data.message);
  error.stack = data.stack;
  return error;
}

/** Runs slow work outside the main thread. A crashed thread fails its tasks, and the next task starts a new one. */
export interface Threads {
  /** Runs a reading function of the store in the first free thread. */
  read<Name extends Method>(
    method: Name,
    ...values: Parameters<FileStore[Name]>
  ): ReturnType<FileStore[Name]>;
  /**
   * Runs a writing function of the store in the only thread that writes; resolves when the write is on disk. Long bodies are converted
   * before, in a separate thread, so that neither searches nor other writes wait for them.
   */
  write<Name extends Method>(
    method: Name,
    ...values: Parameters<FileStore[Name]>
  ): ReturnType<FileStore[Name]>;
  /** Finishes all tasks and ends the threads. */
  close(): Promise<void>;
}

/** Script of a thread. Node does not run TypeScript there, so in development it is the last build. */
const builtScript = import.meta.url.endsWith('.ts')
  ? new URL('../../../lib/service/store/sqlite-thread.js', import.meta.url)
  : new URL('./sqlite-thread.js', import.meta.url);

/** Number of writes after which the log is checkpointed, in parallel with the next writes, which would wait for it otherwise. */
const writesPerCheckpoint = 32;

/** Number of reading threads: more would need more memory and share the disk cache. */
export const readerCount = Math.min(4, Math.max(2, availableParallelism()));

/**
 * Creates threads for one data file, which start on demand.
 * @param now the time, ISO 8601 in UTC with milliseconds
 * @param script script of the threads
 * @param check throws if threads must not use the file
 */
export function createSqliteThreads(
  settings: Omit<ThreadSettings, 'isPatient'>,
  now: () => string,
  script: URL = builtScript,
  check: () => void = () => {},
): Threads {
  const start = (isPatient: boolean) => () => new Worker(script, { workerData: { ...settings, isPatient } });
  const writer = createThread(start(settings.isTemporary));
  const textReader = createThread(start(true));
  const readers = Array.from({ length: readerCount }, () => createThread(start(true)));
  const waiting: (Pending & { readonly task: ThreadTask })[] = [];
  const startWaiting = (): void => {
    for (const reader of readers) {
      const next = reader.isIdle() ? waiting.shift() : undefined;
      if (next !== undefined) reader.run(next.task).then(next.resolve, next.reject).finally(startWaiting);
    }
  };
  const read = (task: ThreadTask): Promise<unknown> =>
    new Promise((resolve, reject) => {
      check();
      waiting.push({ task, resolve, reject });
      startWaiting();
    });
  let uncopied = 0;
  const copyLog = async (): Promise<void> => {
    if (uncopied < writesPerCheckpoint) return;
    uncopied = Number.NEGATIVE_INFINITY;
    // If it fails, the writing thread does it and reports the error.
    await textReader.run({ kind: 'checkpoint' }).catch(() => {});
    uncopied = 0;
  };
  const writeWith = async (call: StoreCall, longBodies: readonly LongBody[]): Promise<unknown> => {
    check();
    const value = await writer.run(
      { kind: 'write', ...call, now: now(), longBodies },
      longBodies.map(({ json }) => json.buffer),
    );
    uncopied += longBodies.length > 0 ? writesPerCheckpoint : 1;
    void copyLog();
    return value;
  };
  const beingRead = new Set<Promise<unknown>>();
  const write = (given: StoreCall): Promise<unknown> => {
    const { call, bodies } = takeLongBodies(given);
    if (bodies.length === 0) return writeWith(call, []);
    const written = Promise.all(bodies.map((html) => textReader.run({ kind: 'longBody', html })))
      .then((longBodies) => writeWith(call, longBodies as readonly LongBody[]))
      .finally(() => beingRead.delete(written));
    beingRead.add(written);
    return written;
  };
  return {
    read: (method, ...values) =>
      read({ kind: 'read', method, values }) as ReturnType<FileStore[typeof method]>,
    write: (method, ...values) => write({ method, values }) as ReturnType<FileStore[typeof method]>,
    close: async () => {
      const closed = new Error('the store is closed');
      for (const { reject } of waiting.splice(0)) reject(closed);
      await Promise.allSettled(beingRead);
      await Promise.all([writer, textReader, ...readers].map((thread) => thread.close()));
    },
  };
}

/**
 * A thread for a store without a file, which converts long bodies to plain text.
 * @param script script of the thread
 */
export function createTextThread(script: URL = builtScript): {
  read(html: string): Promise<string>;
  close(): Promise<void>;
} {
  const workerData: ThreadSettings = {
    file: ':memory:',
    accountId: '',
    defaultLanguage: '',
    isTemporary: true,
    isPatient: true,
  };
  const thread = createThread(() => new Worker(script, { workerData }));
  return {
    read: async (html) => (await thread.run({ kind: 'wholeText', html })) as string,
    close: thread.close,
  };
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that starts with its first task, and again with the first task after a crash. */
interface Thread {
  isIdle(): boolean;
  /** @param moved memory of the task that the thread takes over instead of copying it */
  run(task: ThreadTask, moved?: readonly ArrayBuffer[]): Promise<unknown>;
  close(): Promise<void>;
}

function createThread(start: () => Worker): Thread {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let isClosed = false;
  let nextId = 0;
  const send = (message: ThreadMessage, moved: readonly ArrayBuffer[] = []): void => {
    worker ??= listen(start());
    worker.postMessage(message, moved);
  };
  const listen = (started: Worker): Worker => {
    const fail = (error: Error): void => {
      if (worker !== started) return;
      worker = null;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('message', (answer: ThreadAnswer) => {
      const task = pending.get(answer.id);
      pending.delete(answer.id);
      if ('error' in answer) task?.reject(fromErrorData(answer.error));
      else task?.resolve(answer.value);
    });
    started.on('messageerror', fail);
    started.on('error', (error) => fail(restoreClass(error)));
    started.on('exit', (code) => fail(new Error(`a thread of the store ended with ${code}`)));
    return started;
  };
  return {
    isIdle: () => pending.size === 0,
    run: (task, moved) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('the store is closed');
        const id = nextId++;
        pending.set(id, { resolve, reject });
        send({ id, task }, moved);
      }),
    close: async () => {
      isClosed = true;
      if (worker === null) return;
      const ended = once(worker, 'exit');
      send('close');
      await ended;
    },
  };
}
