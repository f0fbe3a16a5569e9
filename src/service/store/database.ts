import Libsql from 'libsql';
import { LecternError } from '../../core/errors.ts';
import type { SqlValue } from '../../core/sqlite/shared-file.ts';
import type { Queries, SqlDatabase } from './sql.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { checkVersion, makeTables } from './sqlite-schema.ts';
import { isLocked, reasonOf, StoreUnavailable } from './store.ts';

/** A row as an object. The caller must make sure that the query selects a column that it reads. */
type SqlRow = Record<string, SqlValue>;

/** The SQLite functions that the store needs. Compiled statements are cached. Every function can throw `StoreUnavailable`. */
export interface Database {
  /** Runs one statement; returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number;
  rows<T = SqlRow>(sql: string, ...values: SqlValue[]): readonly T[];
  row<T = SqlRow>(sql: string, ...values: SqlValue[]): T | null;
  isInTransaction(): boolean;
  close(): void;
}

/**
 * Opens or creates an SQLite file in WAL mode. A write is acknowledged only after it is on disk (`synchronous = FULL`). Throws
 * `DATA_FILE_UNUSABLE` if the file is not a Lectern database, was written by a Lectern with other tables, or is locked
 * (its cause is `StoreUnavailable`).
 */
export function openDatabase(file: string): Database {
  try {
    const connection = connect(file);
    try {
      const database = wrap(connection);
      makeTables(
        () => readVersion(database),
        (sql) => explain(() => connection.exec(sql)),
      );
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (cause) {
    throw dataFileUnusable(file, cause);
  }
}

function readVersion(database: Database): number {
  return Number(database.row('PRAGMA user_version')?.user_version);
}

/** Another connection to a file that {@link openDatabase} has opened. */
export function connectDatabase(file: string): Database {
  return wrap(connect(file));
}

/** Longest wait of a statement for the lock of another process. Only dedicated threads write, and in WAL mode reads do not wait. */
const lockWaitMs = 2_000;

function connect(file: string): Libsql.Database {
  const connection = open(file);
  try {
    explain(() =>
      connection.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000',
      ),
    );
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function open(file: string): Libsql.Database {
  try {
    return new Libsql(file, { timeout: lockWaitMs });
  } catch (error) {
    // The file is missing or not readable, or too many files are open.
    throw new StoreUnavailable('unreachable', error);
  }
}

/**
 * Writes one consistent state of a database to a new file, while other processes read and write it. Does not flush the copy to disk. Throws
 * the errors of SQLite.
 */
export function copyDatabase(file: string, target: string): void {
  const connection = new Libsql(file, { timeout: 10_000 });
  try {
    // A prepared statement would keep the file open until garbage collection.
    connection.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

/** Number of records in a knowledge base. */
export interface DatabaseContents {
  readonly articles: number;
  readonly categories: number;
}

/** Checks that a file is a complete database with the tables of this Lectern. Throws an `Error` with the reason. */
export function inspectDatabase(file: string): DatabaseContents {
  const connection = new Libsql(file, { timeout: 10_000 });
  try {
    const database = wrap(connection);
    const { row } = database;
    const version = readVersion(database);
    const tables = row(
      "SELECT count(*) AS count FROM sqlite_schema WHERE name IN ('article', 'category', 'setting')",
    );
    if (version < 1 || tables?.count !== 3) throw new Error('it is not a data file of Lectern');
    checkVersion(version);
    const state = String(row('PRAGMA integrity_check')?.integrity_check);
    if (state !== 'ok') throw new Error(`it is damaged (${state})`);
    const count = (table: string) => Number(row(`SELECT count(*) AS count FROM ${table}`)?.count);
    return { articles: count('article'), categories: count('category') };
  } finally {
    connection.close();
  }
}

/** Sets the revision of a restored copy to one that no state of the original can have had, so that no ETag of a list is used twice. */
export function renewRevision(file: string): void {
  // The copy is not opened in WAL mode, which would leave files next to it.
  const connection = new Libsql(file);
  try {
    connection.exec(
      "UPDATE revision SET value = max(value + 1, CAST(1000 * unixepoch('subsec') AS INTEGER)) WHERE slot = 0",
    );
  } finally {
    connection.close();
  }
}

/** Whether another process has a database open; `false` also if the file is not a database. */
export function isInUse(file: string): boolean {
  const connection = new Libsql(file, { timeout: 0 });
  try {
    // Only the last connection can leave WAL mode.
    connection.exec('PRAGMA journal_mode = DELETE');
    return false;
  } catch (error) {
    return String((error as { readonly code?: string }).code).startsWith('SQLITE_BUSY');
  } finally {
    connection.close();
  }
}

/** Error messages of SQLite for a file that is damaged or not a database. */
const damaged = /malformed|not a database|damaged/;

/** DATA_FILE_UNUSABLE: a file that cannot be opened, written or read as a Lectern database. */
export function dataFileUnusable(file: string, cause: unknown): LecternError {
  return new LecternError('DATA_FILE_UNUSABLE', `${file} cannot be used: ${reasonOf(cause)}`, {
    hint: isLocked(cause)
      ? 'another process is writing the file: wait until it has finished, or stop it'
      : damaged.test(reasonOf(cause))
        ? 'pass another file with --data, or restore a backup with lectern service restore'
        : 'check that the file and its folder are writable, pass another file with --data, or update Lectern if a newer version wrote it',
    cause,
  });
}

function wrap(connection: Libsql.Database): Database {
  const statements = new Map<string, Libsql.Statement<SqlValue[]>>();
  const prepare = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare<SqlValue[]>(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const rows = <T>(sql: string, ...values: SqlValue[]) => explain(() => prepare(sql).all(...values) as T[]);
  return {
    run: (sql, ...values) => explain(() => prepare(sql).run(...values).changes),
    rows,
    // `.get()` is not used, because the driver adds a property to its result.
    row: <T>(sql: string, ...values: SqlValue[]) => rows<T>(sql, ...values)[0] ?? null,
    isInTransaction: () => connection.inTransaction,
    close: () => void connection.close(),
  };
}

/** SQLite's errors for a damaged file and failures of the system. */
const unreachable = /^SQLITE_(?:CANTOPEN|CORRUPT|IOERR|NOTADB|READONLY)/;

/** Runs `work`; converts the driver's errors that are not our bugs to `StoreUnavailable`. */
function explain<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = '' } = error as { readonly code?: string };
    if (code.startsWith('SQLITE_BUSY')) throw new StoreUnavailable('locked', error);
    if (code.startsWith('SQLITE_FULL')) throw new StoreUnavailable('full', error);
    if (unreachable.test(code)) throw new StoreUnavailable('unreachable', error);
    throw error;
  }
}

/** The connection as a database of the store. Its promises are settled at once, because SQLite is synchronous. */
export function toSqlDatabase(database: Database): SqlDatabase {
  const texts = new Map<string, string>();
  /** SQLite calls the parameter `$1` `?1`. */
  const toSqlite = (sql: string): string => {
    const text = texts.get(sql) ?? sql.replaceAll(/\$(\d+)/g, '?$1');
    texts.set(sql, text);
    return text;
  };
  const queries: Queries = {
    run: async (sql, ...values) => database.run(toSqlite(sql), ...values),
    rows: async <T>(sql: string, ...values: readonly SqlValue[]) =>
      database.rows<T>(toSqlite(sql), ...values),
    row: async <T>(sql: string, ...values: readonly SqlValue[]) => database.row<T>(toSqlite(sql), ...values),
  };
  return {
    ...queries,
    dialect: sqliteDialect,
    transaction: (work) => inTransaction(database, () => work(queries)),
  };
}

/**
 * Runs `work` as one transaction that takes the write lock immediately. It is committed, or rolled back if `work` rejects. A nested one
 * becomes part of the outer one.
 */
export async function inTransaction<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.isInTransaction()) return work();
  database.run('BEGIN IMMEDIATE');
  try {
    const result = await work();
    database.run('COMMIT');
    return result;
  } catch (error) {
    // SQLite itself rolls back if the disk is full; the cause is more important.
    if (database.isInTransaction()) database.run('ROLLBACK');
    throw error;
  }
}

/** Runs `work` as a part of a transaction that is undone separately. */
async function inSavepoint<T>(database: Database, work: () => Promise<T>): Promise<T> {
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
  database: Database,
  works: readonly (() => Promise<unknown>)[],
): Promise<readonly WriteResult[]> {
  if (works.length > 1) {
    const together = await attempt(() =>
      inTransaction(database, () =>
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
  return inTurn(works, (work) => attempt(() => inTransaction(database, work)));
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
