import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
// libsql is SQLite with full-text search and synchronous calls, installed without a compiler. Node 20 has no node:sqlite.
import type Libsql from 'libsql';
import { oncePerKey } from '../concurrency.ts';
import { LecternError, messageOf } from '../errors.ts';

/** One value of a row or parameter. */
export type SqlValue = string | number | null | Uint8Array;

/**
 * A database cannot be used now: another process holds its lock (`locked`), the disk is full (`full`), its file is damaged or no database
 * (`damaged`), or it does not respond or cannot be opened, read or written (`unreachable`). The cause is the driver's error.
 */
export class DatabaseUnavailable extends Error {
  readonly reason: 'locked' | 'full' | 'damaged' | 'unreachable';

  constructor(reason: DatabaseUnavailable['reason'], cause: unknown) {
    super(`the database is ${reason}`, { cause });
    this.name = 'DatabaseUnavailable';
    this.reason = reason;
  }
}

/**
 * A connection to an SQLite file. Compiled statements are cached. Every function throws {@link DatabaseUnavailable}; the driver's other
 * errors, such as those of a wrong statement, are thrown unchanged.
 */
export interface Sqlite {
  /** Runs one statement; returns the number of changed rows. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  /** The caller must make sure that the query selects the columns that it reads. */
  rows<T = Record<string, SqlValue>>(sql: string, ...values: readonly SqlValue[]): readonly T[];
  /** The first row; `null` if there is none. */
  row<T = Record<string, SqlValue>>(sql: string, ...values: readonly SqlValue[]): T | null;
  /** Runs several statements without parameters. They do not keep the file open after `close`. */
  exec(sql: string): void;
  isInTransaction(): boolean;
  /** Starts a transaction, with the lock for writing. */
  begin(): void;
  commit(): void;
  /**
   * Runs `work` as one transaction, which is committed, or undone if `work` rejects. A nested one becomes part of the outer one.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Undoes a transaction that is not committed. Safe to call twice. */
  close(): void;
}

interface SqliteOptions {
  /** Statements that set up the connection. */
  readonly setup?: string;
  /** The file is not changed, and not created. */
  readonly isReadOnly?: boolean;
  /** Longest wait of a statement for the lock of another process; absent: none. */
  readonly lockWaitMs?: number;
  /** Replaces the errors of all functions of the connection, and those of opening it. */
  readonly explain?: (error: unknown) => unknown;
}

/** Code of an error of SQLite or the file system, or of the cause of a {@link DatabaseUnavailable}; empty for other errors. */
export function codeOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return codeOf(error.cause);
  if (!(error instanceof Error)) return '';
  // The driver gives no code if the file cannot be opened.
  if (error.message.startsWith('ConnectionFailed')) return 'SQLITE_CANTOPEN';
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^(?:SQLITE_|E[A-Z]+$)/.test(code) ? code : '';
}

/** SQLite's codes for what is not a mistake in a statement. A short read is one of a file that was cut. */
const reasons: readonly (readonly [DatabaseUnavailable['reason'], RegExp])[] = [
  ['locked', /^SQLITE_(?:BUSY|LOCKED)/],
  ['full', /^SQLITE_FULL/],
  ['damaged', /^SQLITE_(?:CORRUPT|NOTADB|FORMAT|IOERR_SHORT_READ)/],
  ['unreachable', /^SQLITE_(?:CANTOPEN|IOERR|PERM|READONLY)/],
];

function toUnavailable(error: unknown): unknown {
  const code = codeOf(error);
  const [reason] = reasons.find(([, codes]) => codes.test(code)) ?? [];
  return reason === undefined ? error : new DatabaseUnavailable(reason, error);
}

const load = createRequire(import.meta.url);

/**
 * The driver, which is loaded on demand: a platform for which the package has no program must still run the other commands, and `require` loads no
 * library that waits for one.
 * @throws DRIVER_MISSING
 */
function loadDriver(): typeof Libsql {
  try {
    return load('libsql');
  } catch (cause) {
    throw new LecternError(
      'DRIVER_MISSING',
      `the SQLite driver does not run on ${process.platform} ${process.arch}: ${messageOf(cause).split('\n')[0]}`,
      {
        hint: 'install the packages again on this machine, with optional dependencies; or build on Linux, macOS or Windows with an x64 or arm64 processor',
        cause,
      },
    );
  }
}

/** Opens or creates an SQLite file. @throws DRIVER_MISSING, DatabaseUnavailable */
export function openSqlite(
  file: string,
  { setup, isReadOnly = false, lockWaitMs = 0, explain = (error) => error }: SqliteOptions = {},
): Sqlite {
  const Driver = loadDriver();
  const guard = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw explain(toUnavailable(error));
    }
  };
  // The driver has no other way to open a file that it may not change.
  const path = isReadOnly ? `${pathToFileURL(file).href}?mode=ro` : file;
  const connection = guard(() => new Driver(path, { timeout: lockWaitMs }));
  const prepare = oncePerKey((sql: string): Libsql.Statement => connection.prepare(sql));
  let isOpen = true;
  const rows = <T>(sql: string, ...values: readonly SqlValue[]) =>
    guard(
      () =>
        prepare(sql)
          .all(...values)
          .map(withBytes) as readonly T[],
    );
  const exec = (sql: string) => guard(() => void connection.exec(sql));
  const begin = () => exec('BEGIN IMMEDIATE');
  const commit = () => exec('COMMIT');
  const rollback = () => {
    if (isOpen && connection.inTransaction) exec('ROLLBACK');
  };
  const database: Sqlite = {
    run: (sql, ...values) => guard(() => prepare(sql).run(...values).changes),
    rows,
    // `.get()` is not used, because the driver adds a property to its result.
    row: <T>(sql: string, ...values: readonly SqlValue[]) => rows<T>(sql, ...values)[0] ?? null,
    exec,
    isInTransaction: () => connection.inTransaction,
    begin,
    commit,
    async transaction(work) {
      if (connection.inTransaction) return work();
      begin();
      try {
        const result = await work();
        commit();
        return result;
      } catch (error) {
        // SQLite itself rolls back if the disk is full; the cause is more important.
        rollback();
        throw error;
      }
    },
    close() {
      if (!isOpen) return;
      try {
        // The driver closes the file when its statements are collected as garbage, which may be long after this.
        rollback();
      } finally {
        isOpen = false;
        connection.close();
      }
    },
  };
  try {
    if (setup !== undefined) exec(setup);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The driver returns binary values as an `ArrayBuffer`, which it does not accept as a parameter. */
function withBytes(row: unknown): unknown {
  const values = row as Record<string, unknown>;
  for (const name in values) {
    const value = values[name];
    if (value instanceof ArrayBuffer) values[name] = Buffer.from(value);
  }
  return row;
}
