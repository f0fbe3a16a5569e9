// libsql is SQLite with full-text search and synchronous calls, installed without a compiler. Node 20 has no node:sqlite.
import type Libsql from 'libsql';
import { LecternError, messageOf } from '../errors.ts';

/** The SQLite driver: its constructor opens a file. */
export type Driver = typeof Libsql;

/**
 * Loaded on demand: a platform for which the package has no program must still run the other commands.
 * @throws DRIVER_MISSING
 */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import('libsql')).default;
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

/** Code of an error of SQLite or the file system; empty for other errors. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // The driver gives no code if the file cannot be opened.
  if (error.message.startsWith('ConnectionFailed')) return 'SQLITE_CANTOPEN';
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^(?:SQLITE_|E[A-Z]+$)/.test(code) ? code : '';
}

/** Whether an error says that a file is no database, or a damaged one; a short read is one of a file that was cut. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB|ERROR|SCHEMA|FORMAT|IOERR_SHORT_READ)/.test(codeOf(error));
}

/** The error for the user. Errors that do not come from SQLite or the file system are returned unchanged. */
export function explainError(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof LecternError || code === '') return error;
  if (isDamage(error)) return damagedFile(file, messageOf(error), error);
  const hint = 'choose another cache folder with --cache';
  return /^SQLITE_(?:BUSY|LOCKED)/.test(code)
    ? new LecternError('CACHE_LOCKED', `another run is using ${file}`, {
        hint: `wait until it has ended, or ${hint}`,
        cause: error,
      })
    : new LecternError('CACHE_UNWRITABLE', `${file} cannot be written (${code})`, {
        hint: `free some space, or ${hint}`,
        cause: error,
      });
}

export function damagedFile(file: string, why: string, cause?: unknown): LecternError {
  return new LecternError('CACHE_DAMAGED', `${file} is damaged: ${why}`, {
    hint: 'delete the file: it is made again, and nothing is lost',
    cause,
  });
}

/** Prepares each statement of a connection once. */
export function createStatements(connection: Libsql.Database): (sql: string) => Libsql.Statement {
  const statements = new Map<string, Libsql.Statement>();
  return (sql) => {
    const statement = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}
