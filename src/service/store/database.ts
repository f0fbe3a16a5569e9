import Libsql from 'libsql';
import type { SqlValue } from '../../database/shared-file.ts';
import { LecternError } from '../../foundation/errors.ts';
import { checkVersion, migrate } from './migrations.ts';
import { isLocked, reasonOf, StoreUnavailable } from './store.ts';

/** A row as an object. The caller must make sure that the query selects a column that it reads. */
type SqlRow = Record<string, SqlValue>;

/** The SQLite functions that the store needs. Compiled statements are cached. Every function can throw `StoreUnavailable`. */
export interface Database {
  /** Runs one statement; returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number;
  rows<T = SqlRow>(sql: string, ...values: SqlValue[]): readonly T[];
  row<T = SqlRow>(sql: string, ...values: SqlValue[]): T | null;
  /**
   * Runs `work` as one transaction that takes the write lock immediately. It is committed, or rolled back if `work` throws. A nested one
   * becomes part of the outer one.
   */
  transaction<T>(work: () => T): T;
  /** Runs `work` as a part of a transaction that is committed or rolled back separately. */
  savepoint<T>(work: () => T): T;
  /** Runs `read`, whose statements all see one state; writes do not have to wait for it. */
  snapshot<T>(read: () => T): T;
  isInTransaction(): boolean;
  /**
   * Passes `item` to `apply` together with other items of the transaction, in order, before the commit, for work that is cheaper in
   * batches. If a savepoint is rolled back, its items are dropped, or the effects of `apply` are undone. Only inside a transaction.
   */
  defer<T>(apply: (database: Database, items: readonly T[]) => void, item: T): void;
  close(): void;
}

/**
 * Opens or creates an SQLite file in WAL mode, and migrates it to the newest version. A write is acknowledged only after it is on disk
 * (`synchronous = FULL`). Throws `DATA_FILE_UNUSABLE` if the file is not a Lectern database, was written by a newer Lectern, or is locked
 * (its cause is `StoreUnavailable`).
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
    // Not a prepared statement: the driver would keep the file open until garbage collection.
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

/** Checks that a file is a complete database of this or an older Lectern. Throws an `Error` with the reason. */
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

/** Sets the revision of a restored copy to one that no state of the original can have had, so that no ETag of a list is used twice. */
export function renewRevision(file: string): void {
  const connection = new Libsql(file);
  try {
    wrap(connection).run(
      "UPDATE setting SET value = max(value + 1, CAST(1000 * unixepoch('subsec') AS INTEGER)) WHERE name = 'revision'",
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

/** Deferred items are applied in batches of this size, so that memory does not grow with the length of a transaction. */
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
    // Not `.get()`: the driver adds a property to its result.
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
          // SQLite itself rolls back if the disk is full; the cause is more important.
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
          // Also drops items that were applied in the savepoint, because they are undone with it.
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

/** Result of one of several writes. */
type WriteResult = { readonly value: unknown } | { readonly error: unknown };

/**
 * Runs several writes and flushes them to disk together, instead of waiting for the disk for each. A failed write is undone without
 * affecting the others. On return, all writes that have a value are on disk.
 */
export function commitTogether(
  database: Database,
  works: readonly (() => unknown)[],
): readonly WriteResult[] {
  const alone = () => works.map((work) => attempt(() => database.transaction(work)));
  if (works.length < 2) return alone();
  const together = attempt(() =>
    database.transaction(() =>
      works.map((work) => {
        const outcome = attempt(() => database.savepoint(work));
        // SQLite ends the whole transaction if the disk is full.
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
