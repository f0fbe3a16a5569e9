import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { LecternError } from '../../foundation/errors.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import type { Access, Store, StoredKey } from '../store/store.ts';
import { makeKey } from './api-key.ts';

/** The public fields of a key: everything but its hash. */
export type KeyDescription = Omit<StoredKey, 'hash'>;

/** Makes a key in a data file; the whole key is given once, here. Throws `DATA_FILE_UNUSABLE`. */
export function createKey(
  dataFile: string,
  name: string,
  access: Access,
): { readonly keyId: string; readonly key: string } {
  return withStore(dataFile, (store) => {
    const { key, stored } = makeKey(name, access);
    store.createKey(stored);
    return { keyId: stored.keyId, key };
  });
}

/**
 * Every key of a data file, revoked ones too, oldest first. Throws `DATA_FILE_MISSING` (exit 2), `DATA_FILE_UNUSABLE`.
 */
export function listKeys(dataFile: string): readonly KeyDescription[] {
  checkExists(dataFile);
  return withStore(dataFile, (store) => store.listKeys().map(({ hash: _, ...description }) => description));
}

/** Makes a key useless at once, also for a service that is running. Throws `KEY_UNKNOWN` and what {@link listKeys} does. */
export function revokeKey(dataFile: string, keyId: string): void {
  checkExists(dataFile);
  withStore(dataFile, (store) => {
    if (store.revokeKey(keyId)) return;
    throw new LecternError('KEY_UNKNOWN', `no active key has the id ${keyId}`, {
      hint: 'list the ids with lectern keys list',
    });
  });
}

function checkExists(dataFile: string): void {
  if (existsSync(dataFile)) return;
  throw new LecternError('DATA_FILE_MISSING', `the file ${dataFile} does not exist`, {
    hint: 'pass the file of the service with --data; lectern serve and lectern keys create create one',
    exitCode: 2,
  });
}

function withStore<T>(dataFile: string, work: (store: Store) => T): T {
  const store = openSqliteStore(resolve(dataFile), { defaultLanguage: 'en', clock: Date.now });
  try {
    return work(store);
  } finally {
    store.close();
  }
}
