import Libsql from 'libsql';
import { LecternError, messageOf } from '../../foundation/errors.ts';
import { migrations } from './migrations.ts';
import { StoreUnavailable } from './store.ts';

/** One SQLite value. */
export type SqlValue = string | number | null | Uint8Array;

/** A row as an object; reading a column is the caller's assertion that the query selects it. */
type Row = Record<string, SqlValue>;

/** What the store needs of SQLite. Compiled statements are cached. Everything can throw `StoreUnavailable`. */
export interface Database {
  /** Runs one statement; gives the number of rows it changed. */
  run(sql: string, ...values: SqlValue[]): number;
  rows<T = Row>(sql: string, ...values: SqlValue[]): readonly T[];
  row<T = Row>(sql: string, ...values: SqlValue[]): T | null;
  /** Runs `work` as one transaction that takes the write lock at once: it is committed, or rolled back when `work` throws. Inside another one it is a part of that. */
  transaction<T>(work: () => T): T;
  /** Runs `work` as a part of a transaction that is committed or rolled back by itself. */
  savepoint<T>(work: () => T): T;
  /** Runs `read`, whose statements all see one state; takes no lock that a write waits for. */
  snapshot<T>(read: () => T): T;
  isInTransaction(): boolean;
  /**
   * Gives `item` to `apply` with others of the transaction, in order, before it is committed: what is cheaper done once for many. When a savepoint is
   * rolled back, its items are dropped, or what `apply` did with them is undone. Only in a transaction.
   */
  defer<T>(apply: (database: Database, items: readonly T[]) => void, item: T): void;
  close(): void;
}

/**
 * Opens (or makes) an SQLite file, in WAL mode, and migrates it to the newest version.
 * A write is acknowledged only when it is on disk (`synchronous = FULL`).
 * Throws `DATA_FILE_UNUSABLE` when the file is no database of ours, was written by a newer Lectern, or is locked (its cause is `StoreUnavailable`).
 */
export function openDatabase(file: string): Database {
  try {
    const connection = connect(file);
    try {
      const database = wrap(connection);
      migrate(database, (sql) => connection.exec(sql));
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (cause) {
    throw dataFileUnusable(file, cause);
  }
}

/** Another connection to a file that {@link openDatabase} has opened. */
export function connectDatabase(file: string): Database {
  return wrap(connect(file));
}

/**
 * How long a statement waits for the lock of another process. Only threads that do nothing else write, and in WAL mode a
 * read waits for nothing.
 */
const lockWaitMs = 2_000;

function connect(file: string): Libsql.Database {
  const connection = new Libsql(file, { timeout: lockWaitMs });
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

/**
 * Writes one consistent state of a database into a new file, while other processes go on reading and writing it.
 * The copy is not flushed to the disk. Throws what SQLite throws.
 */
export function copyDatabase(file: string, target: string): void {
  const connection = new Libsql(file, { timeout: 10_000 });
  try {
    // Not a prepared statement: the driver would hold the file open until it is collected.
    connection.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

/** How much a knowledge base holds. */
export interface DatabaseContents {
  readonly articles: number;
  readonly categories: number;
}

/** Checks that a file is a whole database of this or an older Lectern. Throws an `Error` with the reason. */
export function inspectDatabase(file: string): DatabaseContents {
  const connection = new Libsql(file, { timeout: 10_000 });
  try {
    const { row } = wrap(connection);
    const version = Number(row('PRAGMA user_version')?.user_version);
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

/** Whether another process has a database open; `false` also for a file that is none. */
export function isInUse(file: string): boolean {
  const connection = new Libsql(file, { timeout: 0 });
  try {
    // Only the last connection may leave the WAL mode.
    connection.exec('PRAGMA journal_mode = DELETE');
    return false;
  } catch (error) {
    return String((error as { readonly code?: string }).code).startsWith('SQLITE_BUSY');
  } finally {
    connection.close();
  }
}

/** What SQLite says about a file that is damaged, or none of its own. */
const damaged = /malformed|not a database|damaged/;

/** DATA_FILE_UNUSABLE: a file that cannot be opened, written or read as one of ours. */
export function dataFileUnusable(file: string, cause: unknown): LecternError {
  return new LecternError('DATA_FILE_UNUSABLE', `${file} cannot be used: ${reasonOf(cause)}`, {
    hint: isLocked(cause)
      ? 'another process is writing the file: wait until it has finished, or stop it'
      : damaged.test(reasonOf(cause))
        ? 'pass another file with --data, or restore a backup with lectern restore'
        : 'check that the file and its folder are writable, pass another file with --data, or update Lectern if a newer version wrote it',
    cause,
  });
}

/** Number of deferred items that are carried out before the end of the transaction, so that its memory does not grow with its length. */
const mostDeferred = 200;

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
  type Deferred = readonly [apply: (database: Database, items: readonly never[]) => void, item: never];
  let deferred: Deferred[] = [];
  const applyDeferred = () => {
    const items = deferred;
    deferred = [];
    for (const apply of new Set(items.map(([apply]) => apply))) {
      apply(
        database,
        items.flatMap(([by, item]) => (by === apply ? [item] : [])),
      );
    }
  };
  const database: Database = {
    run: (sql, ...values) => explain(() => prepare(sql).run(...values).changes),
    rows,
    // Not `.get()`: the driver adds a property of its own to what that gives.
    row: <T>(sql: string, ...values: SqlValue[]) => rows<T>(sql, ...values)[0] ?? null,
    transaction: (work) =>
      explain(() => {
        if (connection.inTransaction) return work();
        deferred = [];
        connection.exec('BEGIN IMMEDIATE');
        try {
          const result = work();
          applyDeferred();
          connection.exec('COMMIT');
          return result;
        } catch (error) {
          // SQLite itself rolls back where the disk is full; the cause is what counts.
          if (connection.inTransaction) connection.exec('ROLLBACK');
          throw error;
        }
      }),
    savepoint: (work) =>
      explain(() => {
        connection.exec('SAVEPOINT part');
        const before = [...deferred];
        try {
          const result = work();
          connection.exec('RELEASE part');
          return result;
        } catch (error) {
          if (connection.inTransaction) connection.exec('ROLLBACK TO part; RELEASE part');
          // Also those that were carried out in the savepoint, which is undone with it.
          deferred = before;
          throw error;
        }
      }),
    snapshot: (read) => {
      if (connection.inTransaction) return read();
      connection.exec('BEGIN DEFERRED');
      try {
        return read();
      } finally {
        if (connection.inTransaction) connection.exec('COMMIT');
      }
    },
    isInTransaction: () => connection.inTransaction,
    defer: (apply, item) => {
      if (!connection.inTransaction) throw new Error('only a transaction can defer work');
      deferred.push([apply, item as never]);
      if (deferred.length >= mostDeferred) applyDeferred();
    },
    close: () => void connection.close(),
  };
  return database;
}

/** Runs `work`; turns the driver's errors for a lock and a full disk into `StoreUnavailable`. */
function explain<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = '' } = error as { readonly code?: string };
    if (code.startsWith('SQLITE_BUSY')) throw new StoreUnavailable('locked', error);
    if (code.startsWith('SQLITE_FULL')) throw new StoreUnavailable('full', error);
    throw error;
  }
}

function migrate(database: Database, execute: (sql: string) => void): void {
  const readVersion = () => Number(database.row('PRAGMA user_version')?.user_version ?? 0);
  // Without the write lock, which another process may hold for long.
  if (readVersion() === migrations.length) return;
  database.transaction(() => {
    const version = readVersion();
    checkVersion(version);
    for (const [index, sql] of migrations.entries()) {
      if (index >= version) execute(`${sql}; PRAGMA user_version = ${index + 1};`);
    }
  });
}

function checkVersion(version: number): void {
  if (version <= migrations.length) return;
  throw new Error(`its version is ${version}, and this Lectern knows versions up to ${migrations.length}`);
}

/** Whether the work can succeed once another process has released its lock. */
export function isLocked(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.reason === 'locked';
}

function reasonOf(cause: unknown): string {
  return messageOf(cause instanceof StoreUnavailable ? cause.cause : cause);
}

/** What became of one of several works. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Runs several writes and makes them durable together: one wait for the disk instead of one each. One that fails leaves no
 * trace and does not touch the others. When this returns, every outcome with a value is on disk.
 */
export function commitTogether(database: Database, works: readonly (() => unknown)[]): readonly Outcome[] {
  const alone = () => works.map((work) => attempt(() => database.transaction(work)));
  if (works.length < 2) return alone();
  const together = attempt(() =>
    database.transaction(() =>
      works.map((work) => {
        const outcome = attempt(() => database.savepoint(work));
        // SQLite ends the whole transaction where it has no room left.
        if ('error' in outcome && !database.isInTransaction()) throw outcome.error;
        return outcome;
      }),
    ),
  );
  return 'value' in together ? together.value : alone();
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
