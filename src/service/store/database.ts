import { dirname } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { makeFolder } from '../../core/file-system.ts';
import { DatabaseUnavailable, openSqlite, type Sqlite, type SqlValue } from '../../core/sqlite/sqlite.ts';
import type { Queries, SqlDatabase } from './sql.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { isLocked, reasonOf } from './store.ts';
import { checkVersion, tables, version } from './tables.ts';

/**
 * Opens or creates an SQLite file in WAL mode, and its folder. A write is acknowledged only after it is on disk (`synchronous = FULL`). Throws
 * `DATA_UNUSABLE` if the file is not a Lectern database, was written by a Lectern with other tables, or is locked
 * (its cause is `DatabaseUnavailable`).
 */
export function openDatabase(file: string): Sqlite {
  try {
    makeFolder(dirname(file));
    const database = connectDatabase(file);
    try {
      makeTables(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (cause) {
    throw dataFileUnusable(file, cause);
  }
}

/** The tables of SQLite only. The tokenizer only has to split at spaces, because index-words.ts makes the words. */
const sqliteTables = `
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  INSERT INTO revision VALUES (0, 0);
  CREATE VIRTUAL TABLE search_index USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
  );
`;

/** Makes the tables of a new data file. Throws an `Error` if the file has other tables; then the transaction is open. */
function makeTables(database: Sqlite): void {
  // Avoids the write lock, which another process may keep for a long time.
  if (readVersion(database) === version) return;
  database.begin();
  const found = readVersion(database);
  if (found === 0) database.exec(`${tables} ${sqliteTables} PRAGMA user_version = ${version};`);
  else checkVersion(found);
  database.commit();
}

function readVersion(database: Sqlite): number {
  return Number(database.row('PRAGMA user_version')?.user_version);
}

/** Longest wait of a statement for the lock of another process. A service writes in a thread of its own, and in WAL mode reads do not wait. */
const lockWaitMs = 2_000;

/** Another connection to a file that {@link openDatabase} has opened. */
export function connectDatabase(file: string): Sqlite {
  return openSqlite(file, {
    lockWaitMs,
    setup:
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000',
  });
}

/**
 * Writes one consistent state of a database to a new file, while other processes read and write it. Does not flush the copy to disk. Throws
 * `DatabaseUnavailable`.
 */
export function copyDatabase(file: string, target: string): void {
  inFile(file, ({ exec }) => exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`));
}

/** Calls `act` with a connection to a file. It does not set WAL mode, which would leave files next to a copy. */
function inFile<T>(file: string, act: (database: Sqlite) => T): T {
  const database = openSqlite(file, { lockWaitMs: 10_000 });
  try {
    return act(database);
  } finally {
    database.close();
  }
}

/** Number of records in a knowledge base. */
export interface DatabaseContents {
  readonly articles: number;
  readonly categories: number;
}

/** Checks that a file is a complete database with the tables of this Lectern. Throws an `Error` with the reason. */
export function inspectDatabase(file: string): DatabaseContents {
  return inFile(file, (database) => {
    const { row } = database;
    const found = readVersion(database);
    // Other programs number the versions of their files, too.
    const ours = row(
      "SELECT count(*) AS count FROM sqlite_schema WHERE name IN ('article', 'category', 'setting')",
    );
    if (found < 1 || ours?.count !== 3) throw new Error('it is not a data file of Lectern');
    checkVersion(found);
    const state = String(row('PRAGMA integrity_check')?.integrity_check);
    if (state !== 'ok') throw new Error(`it is damaged (${state})`);
    const count = (table: string) => Number(row(`SELECT count(*) AS count FROM ${table}`)?.count);
    return { articles: count('article'), categories: count('category') };
  });
}

/** Sets the revision of a restored copy to one that no state of the original can have had, so that no ETag of a list is used twice. */
export function renewRevision(file: string): void {
  const later = "max(value + 1, CAST(1000 * unixepoch('subsec') AS INTEGER))";
  inFile(file, ({ exec }) => exec(`UPDATE revision SET value = ${later} WHERE slot = 0`));
}

/** DATA_UNUSABLE: a file that cannot be opened, written or read as a Lectern database. */
export function dataFileUnusable(file: string, cause: unknown): LecternError {
  if (cause instanceof LecternError) return cause;
  return new LecternError('DATA_UNUSABLE', `${file} cannot be used: ${reasonOf(cause)}`, {
    hint: isLocked(cause)
      ? 'another process is writing the file: wait until it has finished, or stop it'
      : cause instanceof DatabaseUnavailable && cause.reason === 'damaged'
        ? 'pass another file with --data, or restore a backup with lectern service restore'
        : 'check that the file and its folder are writable, pass another file with --data, or update Lectern if a newer version wrote it',
    cause,
  });
}

/** The connection as a database of the store. Its promises are settled at once, because SQLite is synchronous. */
export function toSqlDatabase(database: Sqlite): SqlDatabase {
  /** SQLite calls the parameter `$1` `?1`. */
  const toSqlite = (sql: string): string => sql.replaceAll(/\$(\d+)/g, '?$1');
  const queries: Queries = {
    run: async (sql, ...values) => database.run(toSqlite(sql), ...values),
    rows: async <T>(sql: string, ...values: readonly SqlValue[]) =>
      database.rows<T>(toSqlite(sql), ...values),
    row: async <T>(sql: string, ...values: readonly SqlValue[]) => database.row<T>(toSqlite(sql), ...values),
  };
  return {
    ...queries,
    dialect: sqliteDialect,
    transaction: (work) => database.transaction(() => work(queries)),
  };
}

/** Runs `work` as a part of a transaction that is undone separately. */
async function inSavepoint<T>(database: Sqlite, work: () => Promise<T>): Promise<T> {
  database.run('SAVEPOINT part');
  try {
    const result = await work();
    database.run('RELEASE part');
    return result;
  } catch (error) {
    if (database.isInTransaction()) {
      database.run('ROLLBACK TO part');
      database.run('RELEASE part');
    }
    throw error;
  }
}

/** Result of one of several writes. */
type WriteResult = { readonly value: unknown } | { readonly error: unknown };

/**
 * Runs several writes and flushes them to disk together, instead of waiting for the disk for each. A failed write is undone without
 * affecting the others. When the promise resolves, all writes that have a value are on disk.
 */
export async function commitTogether(
  database: Sqlite,
  works: readonly (() => Promise<unknown>)[],
): Promise<readonly WriteResult[]> {
  if (works.length > 1) {
    const together = await attempt(() =>
      database.transaction(() =>
        inTurn(works, async (work) => {
          const outcome = await attempt(() => inSavepoint(database, work));
          // SQLite ends the whole transaction if the disk is full.
          if ('error' in outcome && !database.isInTransaction()) throw outcome.error;
          return outcome;
        }),
      ),
    );
    if ('value' in together) return together.value;
  }
  return inTurn(works, (work) => attempt(() => database.transaction(work)));
}

async function inTurn<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
