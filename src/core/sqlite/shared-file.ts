import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type Libsql from 'libsql';
import { LecternError } from '../errors.ts';
import { makeFolder } from '../file-system.ts';
import { codeOf, createStatements, damagedFile, explainError, isDamage, loadDriver } from './driver.ts';

/** One SQLite value. */
export type SqlValue = string | number | null | Uint8Array;

/** A connection to an SQLite file. Compiled statements are cached. */
export interface Connection {
  run(sql: string, ...values: readonly SqlValue[]): void;
  row<T>(sql: string, ...values: readonly SqlValue[]): T | null;
  rows<T>(sql: string, ...values: readonly SqlValue[]): readonly T[];
}

/**
 * A cache in an SQLite file that several processes use at once: one of them writes, and the others read the state before its transaction.
 * Every function throws CACHE_DAMAGED, CACHE_UNWRITABLE or CACHE_LOCKED.
 */
interface SharedFile {
  /** Sees what was committed. */
  readonly reader: Connection;
  /** Sees its own changes; they need a transaction. */
  readonly writer: Connection;
  /** Starts a transaction. @returns `false` if another process has one */
  begin(): boolean;
  commit(): void;
  /** Does nothing without a transaction. */
  rollback(): void;
  /** Undoes what was not committed. Safe to call twice. */
  close(): void;
}

const retryMs = 50;
const maxAttempts = 100;

/**
 * Opens such a file. One that is damaged or of another version is deleted first, because it is only a cache.
 * @param file absolute path; the folder is created
 * @param tables statements that create the tables
 * @param version of the tables
 * @throws CACHE_UNWRITABLE, CACHE_LOCKED, CACHE_DAMAGED, DRIVER_MISSING
 */
export async function openSharedFile(file: string, tables: string, version: number): Promise<SharedFile> {
  const Driver = await loadDriver();
  const explained = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw explainError(file, error);
    }
  };
  const connect = (): Libsql.Database => {
    const connection = new Driver(file);
    try {
      // A killed process leaves the last commit. Only a power failure can damage the file, and then it is made again.
      connection.exec('PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  const open = (): SharedFile => {
    const writing = connect();
    try {
      const found = () => (writing.pragma('user_version') as { user_version: number }[])[0]?.user_version;
      if (found() === 0) {
        writing.exec('BEGIN IMMEDIATE');
        // Another process may have made the tables meanwhile.
        if (found() === 0) writing.exec(`${tables} PRAGMA user_version = ${version}`);
        writing.exec('COMMIT');
      }
      if (found() !== version) throw damagedFile(file, `it is of version ${found()} instead of ${version}`);
      writing.exec('PRAGMA cache_size = -32000; PRAGMA busy_timeout = 0');
      const reading = connect();
      reading.exec('PRAGMA query_only = ON; PRAGMA cache_size = -16000');
      return wrap(writing, reading, explained);
    } catch (error) {
      writing.close();
      throw error;
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      makeFolder(dirname(file));
      try {
        return open();
      } catch (error) {
        if (!isDamage(error) && !(error instanceof LecternError)) throw error;
        deleteSharedFile(file);
        return open();
      }
    } catch (error) {
      // While another process makes the file, SQLite does not wait for it.
      if (!codeOf(error).startsWith('SQLITE_BUSY') || attempt === maxAttempts)
        throw explainError(file, error);
      await setTimeout(retryMs);
    }
  }
}

/** Deletes the file with its journal. Processes that use it keep what they have. */
export function deleteSharedFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    rmSync(file + suffix, { force: true, recursive: true });
  }
}

function wrap(
  writing: Libsql.Database,
  reading: Libsql.Database,
  explained: <T>(act: () => T) => T,
): SharedFile {
  let isOpen = true;
  const rollback = () => {
    if (isOpen && writing.inTransaction) writing.exec('ROLLBACK');
  };
  return {
    reader: connectionOf(reading, explained),
    writer: connectionOf(writing, explained),
    begin: () =>
      explained(() => {
        try {
          writing.exec('BEGIN IMMEDIATE');
          return true;
        } catch (error) {
          if (codeOf(error).startsWith('SQLITE_BUSY')) return false;
          throw error;
        }
      }),
    commit: () =>
      explained(() => {
        writing.exec('COMMIT');
        // Otherwise the journal keeps the size of the largest transaction. Does nothing while somebody reads.
        writing.pragma('wal_checkpoint(TRUNCATE)');
      }),
    rollback,
    close() {
      if (!isOpen) return;
      rollback();
      isOpen = false;
      // The driver closes the file when its statements are collected as garbage, which may be long after this.
      for (const connection of [reading, writing]) connection.close();
    },
  };
}

function connectionOf(connection: Libsql.Database, explained: <T>(act: () => T) => T): Connection {
  const prepare = createStatements(connection);
  return {
    run: (sql, ...values) => explained(() => void prepare(sql).run(...values)),
    row: <T>(sql: string, ...values: readonly SqlValue[]) =>
      explained(() => (prepare(sql).get(...values) as T | undefined) ?? null),
    rows: <T>(sql: string, ...values: readonly SqlValue[]) =>
      explained(() => prepare(sql).all(...values) as readonly T[]),
  };
}
