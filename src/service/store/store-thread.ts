import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from '../../core/sqlite/sqlite.ts';
import { RecordInvalid } from '../records.ts';
import type { SqlStore } from './sql-store.ts';

type Method = Exclude<keyof SqlStore, 'accountId'>;

/** A call of the store by the thread. */
export interface StoreCall {
  readonly id: number;
  readonly method: Method;
  readonly values: readonly unknown[];
  /** The time of the call, ISO 8601 in UTC with milliseconds. */
  readonly now: string;
}

/** A reply of the thread. */
export type StoreReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: StoreErrorData };

/** An error as data, because errors lose their class between threads. */
type StoreErrorData =
  | { readonly unavailable: DatabaseUnavailable['reason']; readonly message: string }
  | { readonly invalid: RecordInvalid['code']; readonly message: string }
  | { readonly message: string; readonly stack: string };

export function toErrorData(error: unknown): StoreErrorData {
  if (error instanceof DatabaseUnavailable) {
    return { unavailable: error.reason, message: error.cause instanceof Error ? error.cause.message : '' };
  }
  if (error instanceof RecordInvalid) return { invalid: error.code, message: error.message };
  // The driver's errors cannot be sent through a message port.
  const { message = String(error), stack = '' } = error as Partial<Error>;
  return { message, stack };
}

function fromErrorData(data: StoreErrorData): Error {
  if ('invalid' in data) return new RecordInvalid(data.invalid, data.message);
  if ('unavailable' in data) return new DatabaseUnavailable(data.unavailable, new Error(data.message));
  const error = new Error(data.message);
  error.stack = data.stack;
  return error;
}

/** Runs searches, and with SQLite also writes, outside the main thread. After a crash, the next call starts a new thread. */
interface StoreThread {
  /**
   * The function of the store with this name, which runs in the thread. With SQLite, one read runs at a time; writes that arrive meanwhile
   * run before the next one, and resolve when they are on disk.
   */
  call<Name extends Method>(method: Name): SqlStore[Name];
  /** Finishes the calls that have started and all writes, and ends the thread. Other calls are rejected. */
  close(): Promise<void>;
}

/** Script of the thread. Node does not run TypeScript there, so in development it is the last build. */
const builtScript = import.meta.url.endsWith('.ts')
  ? new URL('../../../lib/service/store/store-worker.js', import.meta.url)
  : new URL('./store-worker.js', import.meta.url);

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates the thread of one database, which starts on demand.
 * @param settings `data`: the data file, or URL of a PostgreSQL database
 * @param now the time, ISO 8601 in UTC with milliseconds
 * @param script script of the thread
 * @param check throws if the thread must not use the file
 */
export function createStoreThread(
  settings: { readonly data: string; readonly accountId: string; readonly defaultLanguage: string },
  now: () => string,
  script: URL = builtScript,
  check: () => void = () => {},
): StoreThread {
  const pending = new Map<number, PendingCall>();
  let worker: Worker | null = null;
  let isClosed = false;
  let nextId = 0;
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
    // The error that ended the thread keeps its fields, but loses its class.
    started.on('error', (error: Error & Partial<DatabaseUnavailable>) =>
      fail(error.reason === undefined ? error : new DatabaseUnavailable(error.reason, error.cause)),
    );
    started.on('exit', (code) => fail(new Error(`a thread of the store ended with ${code}`)));
    return started;
  };
  const run = async (method: Method, values: readonly unknown[]): Promise<unknown> => {
    check();
    if (isClosed) throw new Error('the store is closed');
    worker ??= listen(new Worker(script, { workerData: settings }));
    const call: StoreCall = { id: nextId++, method, values, now: now() };
    return new Promise((resolve, reject) => {
      pending.set(call.id, { resolve, reject });
      worker?.postMessage(call);
    });
  };
  return {
    call: <Name extends Method>(method: Name) =>
      ((...values: readonly unknown[]) => run(method, values)) as SqlStore[Name],
    close: async () => {
      isClosed = true;
      if (worker === null) return;
      const ended = once(worker, 'exit');
      worker.postMessage('close');
      await ended;
    },
  };
}
