import { DatabaseUnavailable } from '../../core/sqlite/sqlite.ts';
import { builtFile, startThread, type Thread } from '../../core/threads.ts';
import { RecordInvalid } from '../records.ts';
import type { SqlStore } from './sql-store.ts';

type Method = Exclude<keyof SqlStore, 'accountId'>;

/** The functions with which a service writes. Keys are written by a process of their own, which needs no thread. */
export const writing = [
  'createArticle',
  'updateArticle',
  'deleteArticle',
  'createCategory',
  'updateCategory',
  'countViews',
  'countSignal',
  'fill',
] as const satisfies readonly Method[];

/** A call of the store by the thread. */
export interface StoreCall {
  readonly method: Method;
  readonly values: readonly unknown[];
  /** The time of the call, ISO 8601 in UTC with milliseconds. */
  readonly now: string;
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

const builtScript = builtFile(import.meta.url, 'store-worker.js');

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
  let thread: Thread<StoreCall, unknown> | null = null;
  let isClosed = false;
  const run = async (method: Method, values: readonly unknown[]): Promise<unknown> => {
    check();
    if (isClosed) throw new Error('the store is closed');
    if (thread === null || thread.failure() !== null) {
      thread = startThread(script, { settings, errors: [DatabaseUnavailable, RecordInvalid] });
    }
    return thread.call({ method, values, now: now() });
  };
  return {
    call: <Name extends Method>(method: Name) =>
      ((...values: readonly unknown[]) => run(method, values)) as SqlStore[Name],
    close: async () => {
      isClosed = true;
      await thread?.close();
    },
  };
}
