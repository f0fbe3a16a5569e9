import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchableArticle } from '../article-copies.ts';
import { type Database, isInUse, openDatabase } from '../database.ts';
import { createSqliteThread, type SqliteThread } from '../sqlite-thread.ts';
import { reasonOf, type SearchRequest, type SearchResult, type Store, StoreUnavailable } from '../store.ts';
import {
  type DatabaseState,
  selectAll,
  selectChanged,
  selectCopies,
  selectSizes,
} from './migrate-postgres.ts';
import type { PostgresContext } from './postgres-articles.ts';
import { type Queries, readAgain } from './postgres-database.ts';

/** Dependencies of the search. */
interface SearchContext extends Pick<PostgresContext, 'database' | 'accountId' | 'defaultLanguage'> {
  readonly clock: () => number;
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Searches until it is closed. */
interface PostgresSearch extends Pick<Store, 'search' | 'close'> {
  /** Whether a search does not have to wait for an index. If there is none, starts to create it. */
  isReady(): boolean;
}

/** A search index in a temporary SQLite file, with the state of the database that it contains. */
interface SearchIndex {
  readonly folder: string;
  /** Open as long as the index is used: its locks show this to other processes. */
  readonly connection: Database;
  /** Inode of the file when it was created. */
  readonly inode: number;
  readonly thread: SqliteThread;
  /** `null` if the index does not contain a complete state yet. */
  reached: DatabaseState | null;
}

/** Maximum articles indexed at a time, and maximum bytes of their texts (except for a single larger article). */
const batchSize = 100;
const batchBytes = 8 * 1024 * 1024;

/** Time after which an index is updated without a search, so that the next search does not wait for many writes. */
const updateAfterMs = 1_000;

/** Minimum time after a failure before an index is created or updated without a search. */
const retryAfterMs = 10_000;

/** Longest time a search waits for an index that is being created. */
const longestWaitMs = 20_000;

/**
 * The part of the store that searches, with SQLite's full-text index. Each process creates the index in a temporary file at its first
 * search, and before every search adds the changes of committed transactions.
 */
export function createPostgresSearch(context: SearchContext): PostgresSearch {
  let index: SearchIndex | null = null;
  let isClosed = false;
  let updating: Promise<SearchIndex> | null = null;
  let next: Promise<SearchIndex> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let reported = '';
  /** Number of searches that the thread is running or has queued. */
  let searching = 0;
  let onRoom = (): void => {};

  const update = async (): Promise<SearchIndex> => {
    if (isClosed) throw new Error('the store is closed');
    try {
      index ??= createIndex(context);
      await catchUp(context.database, index, () => isClosed);
      reported = '';
      return index;
    } catch (error) {
      failedAt = context.clock();
      const isOfDatabase = error instanceof StoreUnavailable && error.reason !== 'unindexed';
      if (!isOfDatabase && index !== null) await discard(index);
      throw error;
    }
  };
  const startUpdate = (): Promise<SearchIndex> => {
    updating = update().finally(() => {
      updating = null;
      onRoom();
    });
    return updating;
  };
  /** Starts an update that no one waits for; reports each cause of failure once. */
  const startUnasked = (): void => {
    // The next update may have found room, but starts a moment later.
    const isComing = updating !== null || next !== null;
    if (isComing || Math.abs(context.clock() - failedAt) < retryAfterMs) return;
    startUpdate().catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause : error;
      // The name of the folder differs each time.
      const reason = cause.message.replace(/lectern-search-\w+/, '');
      if (isClosed || reason === reported) return;
      reported = reason;
      context.onFailure?.(cause);
    });
  };
  const hasRoom = () => updating === null && searching <= 1;
  /** An update that starts after this call, shared by all searches that have to wait for a thread. */
  const updated = (): Promise<SearchIndex> => {
    if (next === null && hasRoom()) return startUpdate();
    next ??= new Promise<void>((resolve) => {
      onRoom = () => hasRoom() && resolve();
    }).then(() => {
      next = null;
      return startUpdate();
    });
    return next;
  };
  const searchIn = async ({ thread }: SearchIndex, request: SearchRequest): Promise<SearchResult> => {
    searching += 1;
    try {
      return await thread.read('search', request);
    } finally {
      searching -= 1;
      onRoom();
    }
  };
  const discard = async (discarded: SearchIndex): Promise<void> => {
    if (index !== discarded) return;
    index = null;
    await removeIndex(discarded);
  };
  const timer = setInterval(() => {
    if (index !== null) startUnasked();
  }, updateAfterMs).unref();

  return {
    search: async (request: SearchRequest): Promise<SearchResult> => {
      const used = await inTime(updated());
      try {
        return await searchIn(used, request);
      } catch (error) {
        if (isClosed || (used === index && !isDamaged(used, error))) throw error;
        await discard(used);
        return searchIn(await inTime(updated()), request);
      }
    },
    isReady: () => {
      const isMade = index !== null && index.reached !== null;
      if (!isMade) startUnasked();
      return isMade;
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await Promise.allSettled([updating, next]);
      if (index !== null) await discard(index);
    },
  };
}

/** Rejects if an index is not ready in time. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new StoreUnavailable('locked', new Error('the search index is being created'));
    timeout = setTimeout(() => reject(error), longestWaitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timeout));
}

/** Adds everything that is committed now to an index. Stops early if the index is no longer needed. */
async function catchUp(database: Queries, index: SearchIndex, isClosed: () => boolean): Promise<void> {
  const { reached, positions } = await listOutdated(database, index);
  const batches = await cutBatches(database, positions);
  const read = (batch: readonly number[] | undefined) =>
    batch === undefined ? null : database.rows<SearchableArticle>(selectCopies, batch);
  let reading = read(batches[0]);
  for (const [number, batch] of batches.entries()) {
    const copies = (await reading) ?? [];
    if (isClosed()) throw new Error('the store is closed');
    const copied = inIndex(index.folder, index.thread.write('copyArticles', batch, copies));
    reading = read(batches[number + 1]);
    // Both run at the same time; if both fail, one error is reported.
    reading?.catch(() => {});
    await copied;
  }
  index.reached = reached;
}

/** Groups articles into batches, so that the memory for their texts is bounded. */
async function cutBatches(
  database: Queries,
  positions: readonly number[],
): Promise<readonly (readonly number[])[]> {
  if (positions.length < 2) return positions.map((position) => [position]);
  const rows = await database.rows<{ position: number; bytes: number }>(selectSizes, positions);
  const bytesOf = new Map(rows.map(({ position, bytes }) => [position, bytes]));
  const batches: number[][] = [];
  let bytes = 0;
  for (const position of positions) {
    const last = batches.at(-1);
    const size = bytesOf.get(position) ?? 0;
    bytes += size;
    if (last !== undefined && last.length < batchSize && bytes <= batchBytes) last.push(position);
    else {
      batches.push([position]);
      bytes = size;
    }
  }
  return batches;
}

/** Adds the folder of the index to its errors. */
function inIndex<T>(folder: string, work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw indexFailed(folder, error);
  });
}

function indexFailed(folder: string, cause: unknown): StoreUnavailable {
  const reason = cause instanceof StoreUnavailable ? cause.cause : cause;
  const message = `the search index in ${folder} (TMPDIR) cannot be written: ${(reason as Error).message}`;
  return new StoreUnavailable('unindexed', new Error(message, { cause }));
}

/** Whether a search failed because its file was removed, replaced or damaged. */
function isDamaged({ folder, inode }: SearchIndex, error: unknown): boolean {
  const file = statSync(join(folder, fileName), { throwIfNoEntry: false });
  return file?.ino !== inode || /malformed|corrupt|not a database|disk I\/O/.test(reasonOf(error));
}

type ChangedState = DatabaseState & { readonly positions: string };

async function listOutdated(
  database: Queries,
  { folder, thread, reached }: SearchIndex,
): Promise<{ readonly reached: DatabaseState; readonly positions: readonly number[] }> {
  if (reached !== null) {
    const row = await readAgain(() => database.row<ChangedState>(selectChanged, reached.snapshot));
    // On another server, transaction numbers may have been used again.
    if (row !== null && row.origin !== null && row.origin === reached.origin)
      return { reached: row, positions: JSON.parse(row.positions) };
  }
  const row = await database.row<DatabaseState & { readonly states: string }>(selectAll);
  if (row === null) throw new Error('PostgreSQL gives no snapshot');
  const { states, ...state } = row;
  return { reached: state, positions: await inIndex(folder, thread.read('listOutdatedCopies', states)) };
}

const folderPrefix = 'lectern-search-';
const fileName = 'search.sqlite';

/** @throws StoreUnavailable if the folder for temporary files is missing, full or not writable */
function createIndex({ accountId, defaultLanguage, clock }: SearchContext): SearchIndex {
  let folder: string | null = null;
  try {
    removeLeftovers();
    // Only its owner may read it, because it contains the texts of all articles.
    folder = mkdtempSync(join(tmpdir(), folderPrefix));
    const file = join(folder, fileName);
    const connection = openDatabase(file);
    const thread = createSqliteThread({ file, accountId, defaultLanguage, isTemporary: true }, () =>
      new Date(clock()).toISOString(),
    );
    return { folder, connection, inode: statSync(file).ino, thread, reached: null };
  } catch (error) {
    if (folder !== null) removeFolder(folder);
    throw indexFailed(folder ?? tmpdir(), error);
  }
}

async function removeIndex({ folder, connection, thread }: SearchIndex): Promise<void> {
  await thread.close();
  connection.close();
  removeFolder(folder);
}

/** Folders that cannot be removed now are removed by a later start. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Not empty, or no longer ours.
  }
}

/** A process locks the file of its index within this time after creating the folder. */
const youngMs = 60_000;

/** Removes the indexes of killed processes. Uses locks, because process ids have no meaning in other containers. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(folderPrefix))) {
    try {
      const folder = join(tmpdir(), name);
      const info = lstatSync(folder);
      const isOurs = info.isDirectory() && info.uid === (process.getuid?.() ?? info.uid);
      const isOld = Date.now() - info.mtimeMs > youngMs;
      if (isOurs && isOld && !isInUse(join(folder, fileName))) removeFolder(folder);
    } catch {
      // Another process is removing it.
    }
  }
}
