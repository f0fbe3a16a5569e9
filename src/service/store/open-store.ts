import { resolve } from 'node:path';
import type { LecternError } from '../../core/errors.ts';
import { dataFileUnusable } from './database.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store, StoreOptions } from './store.ts';

/** Whether `--data` is the URL of a PostgreSQL database and not a file. */
export function isPostgres(data: string): boolean {
  return /^postgres(?:ql)?:/.test(data);
}

/** Opens or creates the data of a knowledge base: an SQLite file, or a PostgreSQL database by its URL. Throws `DATA_UNUSABLE`. */
export async function openStore(data: string, options: StoreOptions): Promise<Store> {
  if (!isPostgres(data)) return openSqliteStore(resolve(data), options);
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore(data, options);
}

/** DATA_UNUSABLE: the data of an open store cannot be read or written. */
export async function dataUnusable(data: string, cause: unknown): Promise<LecternError> {
  if (!isPostgres(data)) return dataFileUnusable(resolve(data), cause);
  const { databaseUnusable } = await import('./postgres/postgres-database.ts');
  return databaseUnusable(data, cause);
}
