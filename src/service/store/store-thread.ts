import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ScheduleInvalid, TooManyTranslations } from '../records.ts';
import type { SqlStore } from './sql-store.ts';
import { restoreClass, StoreUnavailable } from './store.ts';

/** Start settings of a thread. */
export interface ThreadSettings {
  /** Data file, or URL of a PostgreSQL database. */
  readonly data: string;
  readonly accountId: string;
  readonly defaultLanguage: string;
}

type Method = Exclude<keyof SqlStore, 'accountId'>;

/** A call of the store. */
export interface StoreCall {
  readonly method: Method;
  readonly values: readonly unknown[];
  readonly isWrite: boolean;
  /** The time of the call, ISO 8601 in UTC with milliseconds. */
  readonly now: string;
}

/** A message to the thread. */
export type ThreadMessage = { readonly id: number; readonly call: StoreCall } | 'close';

/** A reply of the thread. */
export type StoreReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: StoreErrorData };

/** An error as data, because errors lose their class between threads. */
type StoreErrorData =
  | { readonly unavailable: StoreUnavailable['reason']; readonly message: string }
  | { readonly tooMany: 'translations' }
  | { readonly schedule: string }
  | { readonly message: string; readonly stack: string };

export function toErrorData(error: unknown): StoreErrorData {
  if (error instanceof StoreUnavailable) {
    return { unavailable: error.reason, message: error.cause instanceof Error ? error.cause.message : '' };
  }
  if (error instanceof TooManyTranslations) return { tooMany: 'translations' };
  if (error instanceof ScheduleInvalid) return { schedule: error.message };
  // The driver's errors cannot be sent through a message port.
  const { message = String(error), stack = '' } = error as Partial<Error>;
  return { message, stack };
}

function fromErrorData(data: StoreErrorData): Error {
  if ('tooMany' in data) return new TooManyTranslations();
  if ('schedule' in data) return new ScheduleInvalid(data.schedule);
  if ('unavailable' in data) return new StoreUnavailable(data.unavailable, new Error(data.message));
  const error = new Error(data.message);
  error.stack = data.stack;
  return error;
}

/** Runs searches, and with SQLite also writes, outside the main thread. After a crash, the next call starts a new thread. */
interface StoreThread {
  /** Runs a reading function of the store. With SQLite, one runs at a time; writes that arrive meanwhile run before the next one. */
  read<Name extends Method>(method: Name, ...values: Parameters<SqlStore[Name]>): ReturnType<SqlStore[Name]>;
  /** Runs a writing function of the store; resolves when the write is on disk. */
  write<Name extends Method>(method: Name, ...values: Parameters<SqlStore[Name]>): ReturnType<SqlStore[Name]>;
  /** Finishes the calls that have started and all writes, and ends the thread. Other calls are rejected. */
  close(): Promise<void>;
}

/** Script of the thread. Node does not run TypeScript there, so in development it is the last build. */
const builtScript = import.meta.url.endsWith('.ts')
  ? new URL('../../../lib/service/store/store-worker.js', import.meta.url)
  : new URL('./store-worker.js', import.meta.url);

/**
 * Creates the thread of one database, which starts on demand.
 * @param now the time, ISO 8601 in UTC with milliseconds
 * @param script script of the thread
 * @param check throws if the thread must not use the file
 */
export function createStoreThread(
  settings: ThreadSettings,
  now: () => string,
  script: URL = builtScript,
  check: () => void = () => {},
): StoreThread {
  const thread = createThread(() => new Worker(script, { workerData: settings }));
  const run = async (method: Method, values: readonly unknown[], isWrite: boolean): Promise<unknown> => {
    check();
    return thread.run({ method, values, isWrite, now: now() });
  };
  return {
    read: (method, ...values) => run(method, values, false) as ReturnType<SqlStore[typeof method]>,
    write: (method, ...values) => run(method, values, true) as ReturnType<SqlStore[typeof method]>,
    close: thread.close,
  };
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that starts with its first call, and again with the first call after a crash. */
interface RestartingWorker {
  run(call: StoreCall): Promise<unknown>;
  close(): Promise<void>;
}

function createThread(start: () => Worker): RestartingWorker {
  const pending = new Map<number, PendingCall>();
  let worker: Worker | null = null;
  let isClosed = false;
  let nextId = 0;
  const send = (message: ThreadMessage): void => {
    worker ??= listen(start());
    worker.postMessage(message);
  };
  const listen = (started: Worker): Worker => {
    const fail = (error: Error): void => {
      if (worker !== started) return;
      worker = null;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('message', (answer: StoreReply) => {
      const call = pending.get(answer.id);
      pending.delete(answer.id);
      if ('error' in answer) call?.reject(fromErrorData(answer.error));
      else call?.resolve(answer.value);
    });
    started.on('messageerror', fail);
    started.on('error', (error) => fail(restoreClass(error)));
    started.on('exit', (code) => fail(new Error(`a thread of the store ended with ${code}`)));
    return started;
  };
  return {
    run: (call) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('the store is closed');
        const id = nextId++;
        pending.set(id, { resolve, reject });
        send({ id, call });
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
