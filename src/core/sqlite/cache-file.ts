import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LecternError, messageOf } from '../errors.ts';
import { isFolder, makeFolder, readStartOrNull } from '../file-system.ts';
import { codeOf, DatabaseUnavailable, openSqlite, type Sqlite } from './sqlite.ts';

/** A cache in an SQLite file. Every function throws CACHE_DAMAGED, CACHE_UNUSABLE or LOCKED. */
interface CacheFile extends Sqlite {
  /** Whether opening it made the tables. */
  readonly isNew: boolean;
}

interface CacheOptions {
  /** Statements that create the tables. */
  readonly tables: string;
  /** The tables' version. */
  readonly version: number;
  /** Statements that set up a connection that may write. */
  readonly setup: string;
  /** How long opening it waits for another process that makes it; absent: not at all. */
  readonly waitMs?: number;
}

const retryMs = 50;

/** `PRAGMA application_id` of every cache file, at this offset of the file: 'Lect'. */
const applicationId = 0x4c656374;
const applicationIdAt = 68;

/** Whether a file is a cache of this program, damaged or not. */
export function isCacheFile(file: string): boolean {
  const header = readStartOrNull(file, applicationIdAt + 4);
  return (
    header?.length === applicationIdAt + 4 &&
    header.toString('latin1', 0, 15) === 'SQLite format 3' &&
    header.readUInt32BE(applicationIdAt) === applicationId
  );
}

/**
 * Opens a cache file, which is made with its folder if it is missing. One that is damaged or of another version is deleted first, because it
 * is only a cache.
 * @param file absolute path
 * @throws CACHE_UNUSABLE, LOCKED, CACHE_DAMAGED, DRIVER_MISSING
 */
export function openCacheFile(
  file: string,
  { tables, version, setup, waitMs = 0 }: CacheOptions,
): Promise<CacheFile> {
  const explain = (error: unknown) => toCacheError(file, error);
  const connect = (): CacheFile => {
    const database = openSqlite(file, { setup, explain });
    try {
      const findVersion = () => database.row<{ user_version: number }>('PRAGMA user_version')?.user_version;
      let isNew = false;
      if (findVersion() === 0) {
        database.begin();
        // Another process may have made the tables meanwhile.
        isNew = findVersion() === 0;
        if (isNew)
          database.exec(
            `${tables} PRAGMA user_version = ${version}; PRAGMA application_id = ${applicationId}`,
          );
        database.commit();
      }
      const found = findVersion();
      if (found !== version) throw damagedCache(file, `it is of version ${found} instead of ${version}`);
      return { ...database, isNew };
    } catch (error) {
      database.close();
      throw error;
    }
  };
  return whenFree(waitMs, () => {
    try {
      makeFolder(dirname(file));
      if (filesOf(file).some(isFolder)) deleteCacheFile(file);
      try {
        return connect();
      } catch (error) {
        if (!hasCode(error, 'CACHE_DAMAGED')) throw error;
        deleteCacheFile(file);
        return connect();
      }
    } catch (error) {
      throw explain(error);
    }
  });
}

/**
 * Repeats what fails because another process holds the lock of a cache file, until that ends or the wait is over. The program is not blocked meanwhile,
 * because the other process may be itself.
 */
export async function whenFree<T>(waitMs: number, act: () => T): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    try {
      return act();
    } catch (error) {
      if (!hasCode(error, 'LOCKED') || waitedMs >= waitMs) throw error;
      await setTimeout(retryMs);
    }
  }
}

/** Deletes a cache file with its journals. Processes that use it keep what they have. */
export function deleteCacheFile(file: string): void {
  for (const path of filesOf(file)) rmSync(path, { force: true, recursive: true });
}

/** CACHE_DAMAGED. @param why completes "is damaged: " */
export function damagedCache(file: string, why: string, cause?: unknown): LecternError {
  return new LecternError('CACHE_DAMAGED', `${file} is damaged: ${why}`, {
    hint: 'delete the file: it is made again, and nothing is lost',
    cause,
  });
}

function filesOf(file: string): readonly string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof LecternError && error.code === code;
}

/** The error for the user. Errors that do not come from SQLite or the file system are returned unchanged. */
function toCacheError(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof LecternError || code === '') return error;
  const { reason, cause } = error instanceof DatabaseUnavailable ? error : { reason: null, cause: error };
  // The statements are right, so the tables are not.
  if (reason === 'damaged' || /^SQLITE_(?:ERROR|SCHEMA)/.test(code)) {
    return damagedCache(file, messageOf(cause), cause);
  }
  const hint = 'choose another cache folder with --cache';
  return reason === 'locked'
    ? new LecternError('LOCKED', `another run is using ${file}`, {
        hint: `wait until it has ended, or ${hint}`,
        cause,
      })
    : new LecternError('CACHE_UNUSABLE', `${file} cannot be written (${code})`, {
        hint: `free some space, or ${hint}`,
        cause,
      });
}
