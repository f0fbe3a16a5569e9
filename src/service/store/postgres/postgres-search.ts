import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '../../../api/record-text.ts';
import type { ArticleCopy } from '../article-copies.ts';
import { openDatabase } from '../database.ts';
import { createSqliteThreads, type Threads } from '../sqlite-threads.ts';
import { type SearchRequest, type SearchResult, type Store, StoreUnavailable } from '../store.ts';
import type { PostgresDatabase } from './postgres-database.ts';

/** What a search needs of the store. */
interface SearchContext {
  readonly database: PostgresDatabase;
  readonly accountId: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
}

/** Searches, and what the store tells them. */
export interface PostgresSearch extends Pick<Store, 'search'> {
  /** After a write of this process. */
  noteWrite(): void;
  close(): Promise<void>;
}

/** A search index in a temporary SQLite file, and which state of the database it holds. */
interface SearchIndex {
  readonly folder: string;
  readonly threads: Threads;
  /** `null`: not even one state is complete. */
  reached: DatabaseState | null;
}

/** A state of the database, as PostgreSQL names it: the server that runs, and the transactions that one statement sees. */
interface DatabaseState {
  readonly server: string;
  readonly snapshot: string;
}

/** Articles that are read and indexed at a time. */
const batchSize = 100;

/** Writes of this process after which its index is brought up to date, so that the next search need not wait for all of them. */
const writesPerUpdate = 250;

/** Longest wait of a search for an index that is being made. */
const longestWaitMs = 20_000;

const state = `extract(epoch FROM pg_postmaster_start_time())::text AS server, pg_current_snapshot()::text AS snapshot`;

/** Position and time of the last change of all articles. */
const selectAll = `SELECT ${state}, coalesce((SELECT json_agg(json_build_array(position, updated_at)) FROM article), '[]')::text AS states`;

/**
 * What became visible since a snapshot: transactions that were running then, and those that began later. Numbers in the order of commits would need a
 * lock that all writes wait for.
 */
const selectChanged = `SELECT ${state}, coalesce((
    SELECT json_agg(position ORDER BY position) FROM article_change
    WHERE changed_in >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(changed_in, $1::pg_snapshot)
  ), '[]')::text AS positions`;

/** More characters than are searched or shown in a snippet. */
const selectCopies = `SELECT position, article_id AS "articleId", updated_at AS "updatedAt", meta, (
    SELECT json_agg(left(text, ${limits.indexedCharacters}) ORDER BY version_id) FROM article_version AS version
    WHERE version.position = article.position
  )::text AS texts
  FROM article WHERE position = ANY($1::bigint[])`;

/**
 * The part of the store that searches: with SQLite's full-text index, which each process makes in a temporary file when it searches first, and
 * before every search brings up to date with what has been committed.
 */
export function createPostgresSearch(context: SearchContext): PostgresSearch {
  let index: SearchIndex | null = null;
  let isClosed = false;
  let updating: Promise<SearchIndex> | null = null;
  let next: Promise<SearchIndex> | null = null;
  let writes = 0;

  const update = async (): Promise<SearchIndex> => {
    if (isClosed) throw new Error('the store is closed');
    index ??= createIndex(context);
    try {
      await catchUp(context.database, index, () => isClosed);
      return index;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) await discard();
      throw error;
    }
  };
  const startUpdate = (): Promise<SearchIndex> => {
    updating = update().finally(() => {
      updating = null;
    });
    return updating;
  };
  /** An update that starts after this call, shared by all who wait for one. */
  const updated = (): Promise<SearchIndex> => {
    if (updating === null) return startUpdate();
    next ??= updating
      .catch(() => {})
      .then(() => {
        next = null;
        return startUpdate();
      });
    return next;
  };
  const discard = async (): Promise<void> => {
    const discarded = index;
    index = null;
    if (discarded !== null) await removeIndex(discarded);
  };

  return {
    search: async (request: SearchRequest): Promise<SearchResult> => {
      const { threads } = await inTime(updated());
      return threads.read('search', request);
    },
    noteWrite: () => {
      writes += 1;
      if (index !== null && writes % writesPerUpdate === 0) updated().catch(() => {});
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled([updating, next]);
      await discard();
    },
  };
}

/** Rejects where an index is not ready in time. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new StoreUnavailable('locked', new Error('the search index is being made'));
    timeout = setTimeout(() => reject(error), longestWaitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timeout));
}

/** Brings an index up to what is committed now. Stops early where it is not needed any longer. */
async function catchUp(
  database: PostgresDatabase,
  index: SearchIndex,
  isClosed: () => boolean,
): Promise<void> {
  const { reached, positions } = await listOutdated(database, index);
  const read = (start: number) =>
    database.rows<ArticleCopy>(selectCopies, positions.slice(start, start + batchSize));
  let batch = positions.length > 0 ? read(0) : null;
  for (let start = 0; batch !== null; start += batchSize) {
    const copies = await batch;
    if (isClosed()) throw new Error('the store is closed');
    const copied = index.threads.write('copyArticles', positions.slice(start, start + batchSize), copies);
    batch = start + batchSize < positions.length ? read(start + batchSize) : null;
    // Both run at the same time; where both fail, one is reported.
    batch?.catch(() => {});
    await copied;
  }
  index.reached = reached;
}

async function listOutdated(
  database: PostgresDatabase,
  { threads, reached }: SearchIndex,
): Promise<{ readonly reached: DatabaseState; readonly positions: readonly number[] }> {
  if (reached !== null) {
    const row = await database.row<DatabaseState & { readonly positions: string }>(
      selectChanged,
      reached.snapshot,
    );
    // On another server, numbers of transactions may have been used again.
    if (row?.server === reached.server) return { reached: row, positions: JSON.parse(row.positions) };
  }
  const row = await database.row<DatabaseState & { readonly states: string }>(selectAll);
  if (row === null) throw new Error('PostgreSQL gives no snapshot');
  const { states, ...state } = row;
  return { reached: state, positions: await threads.read('listOutdatedCopies', states) };
}

const folderPrefix = 'lectern-search-';

function createIndex({ accountId, defaultLanguage }: SearchContext): SearchIndex {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const file = join(folder, 'search.sqlite');
  openDatabase(file).close();
  const threads = createSqliteThreads({ file, accountId, defaultLanguage, isTemporary: true }, () => '');
  return { folder, threads, reached: null };
}

async function removeIndex({ folder, threads }: SearchIndex): Promise<void> {
  await threads.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Removes the indexes of processes that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    const [, pid] = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name) ?? [];
    try {
      if (pid === undefined || isInUse(Number(pid), folder)) continue;
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Of another user, or another process is removing it.
    }
  }
}

function isInUse(pid: number, folder: string): boolean {
  if (pid === process.pid) {
    // In a container, each process may have the same number as the one before.
    const startedAt = performance.timeOrigin + performance.now() - process.uptime() * 1000;
    return statSync(folder).mtimeMs >= startedAt;
  }
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
