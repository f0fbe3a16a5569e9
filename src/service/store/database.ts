import Libsql from 'libsql';
import { LecternError } from '../../foundation/errors.ts';
import { migrations } from './migrations.ts';

/** One SQLite value. */
export type SqlValue = string | number | null | Uint8Array;

/** A row as an object; reading a column is the caller's assertion that the query selects it. */
export type Row = Record<string, SqlValue>;

/** The few things the store does with SQLite. Statements are compiled once and kept. */
export interface Database {
  /** Runs one statement; gives the number of rows it changed. */
  run(sql: string, ...values: SqlValue[]): number;
  rows<T = Row>(sql: string, ...values: SqlValue[]): readonly T[];
  row<T = Row>(sql: string, ...values: SqlValue[]): T | null;
  /** Runs `work` as one transaction that takes the write lock at once: all of it is kept, or, when it throws, nothing. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens (or makes) an SQLite file, in WAL mode, and migrates it to the newest version.
 * A write is acknowledged only when it is on disk (`synchronous = FULL`).
 * Throws `DATA_FILE_UNUSABLE` when the file is no database of ours or was written by a newer Lectern.
 */
export function openDatabase(file: string): Database {
  try {
    const connection = new Libsql(file, { timeout: 10_000 });
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    const database = wrap(connection);
    migrate(database, (sql) => connection.exec(sql));
    return database;
  } catch (cause) {
    throw new LecternError('DATA_FILE_UNUSABLE', `${file}: ${messageOf(cause)}.`, {
      hint: 'Give another file with --data, or update Lectern when a newer version wrote this one.',
      cause,
    });
  }
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
  return {
    run: (sql, ...values) => prepare(sql).run(...values).changes,
    rows: <T>(sql: string, ...values: SqlValue[]) => prepare(sql).all(...values) as T[],
    // Not `.get()`: the driver adds a property of its own to what that gives.
    row: <T>(sql: string, ...values: SqlValue[]) => (prepare(sql).all(...values)[0] as T | undefined) ?? null,
    transaction: (work) => connection.transaction(work).immediate(),
    close: () => {
      connection.close();
    },
  };
}

function migrate(database: Database, execute: (sql: string) => void): void {
  database.transaction(() => {
    const version = Number(database.row('PRAGMA user_version')?.user_version ?? 0);
    if (version > migrations.length) {
      throw new Error(
        `its version is ${version}, and this Lectern knows versions up to ${migrations.length}`,
      );
    }
    for (const [index, sql] of migrations.entries()) {
      if (index >= version) execute(`${sql}; PRAGMA user_version = ${index + 1};`);
    }
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
