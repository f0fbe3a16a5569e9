import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { LecternError } from '../core/errors.ts';
import { DatabaseUnavailable } from '../core/sqlite/sqlite.ts';
import { makeId } from './records.ts';
import { dataUnusable, isPostgres, openStore } from './store/open-store.ts';
import type { Access, NewKey, Store, StoredKey } from './store/store.ts';

/** The fields of a key except its hash. */
type KeyDescription = Omit<StoredKey, 'hash'>;

/** A new key; only this object contains it completely. */
interface CreatedKey extends Pick<StoredKey, 'keyId' | 'name' | 'access'> {
  readonly key: string;
}

/**
 * Creates a key in the data file or database of a service. A missing file is not created: with a wrong name, the key would be one that the
 * service refuses.
 * @throws `USAGE`, `DATA_UNUSABLE` (exit 2)
 */
export async function createKey(data: string, name: string, access: Access): Promise<CreatedKey> {
  if (name.trim() === '' || name.length > maxNameLength) {
    throw new LecternError('USAGE', `the name of a key must have 1 to ${maxNameLength} characters`, {
      hint: 'name it after who uses it, e.g. lectern service keys create export',
    });
  }
  return withStore(data, async (store) => {
    const { key, stored } = makeKey(name, access);
    await store.createKey(stored);
    return { keyId: stored.keyId, key, name, access };
  });
}

const maxNameLength = 200;

/**
 * All keys of a data file, including revoked ones, oldest first. Throws `DATA_UNUSABLE`.
 */
export async function listKeys(data: string): Promise<readonly KeyDescription[]> {
  return withStore(data, async (store) =>
    (await store.listKeys()).map(({ hash: _, ...description }) => description),
  );
}

/** Revokes a key immediately, also for a running service. Throws `USAGE` and the errors of {@link listKeys}. */
export async function revokeKey(data: string, keyId: string): Promise<void> {
  await withStore(data, async (store) => {
    if (await store.revokeKey(keyId)) return;
    throw new LecternError('USAGE', `no active key has the id ${keyId}`, {
      hint: 'list the ids with lectern service keys list',
      exitCode: 1,
    });
  });
}

async function withStore<T>(data: string, work: (store: Store) => Promise<T>): Promise<T> {
  if (!isPostgres(data) && !existsSync(data)) {
    throw new LecternError('DATA_UNUSABLE', `the file ${data} does not exist`, {
      hint: 'pass the same --data as to lectern serve, which creates the file',
      exitCode: 2,
    });
  }
  const store = await openStore(data, { defaultLanguage: 'en', clock: Date.now, isForKeys: true });
  try {
    return await work(store);
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? await dataUnusable(data, error) : error;
  } finally {
    await store.close();
  }
}

/**
 * Generates an API key `lk_<id>_<secret>`, or `lc_…` for a counting key, which may be public. The id identifies the stored hash. The secret
 * has 256 random bits, so a plain SHA-256 is as secure as a slow hash. The key is shown once and not stored.
 */
export function makeKey(name: string, access: Access): { readonly key: string; readonly stored: NewKey } {
  const keyId = makeId();
  const key = `${access === 'count' ? 'lc' : 'lk'}_${keyId}_${randomBytes(32).toString('base64url')}`;
  return { key, stored: { keyId, name, access, hash: hashKey(key) } };
}

function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer');
}

/** The id in a key, or `null` for text of another form. */
function keyIdOf(key: string): string | null {
  return /^l[ck]_([A-Za-z0-9]{10})_[\w-]{43}$/.exec(key)?.[1] ?? null;
}

/** Compares two hashes in constant time. */
function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** The sender of a request. */
export interface Caller {
  readonly keyId: string;
  readonly access: Access;
}

/** The caller of a key; `null` for an invalid key. */
export type CheckKey = (key: string) => Promise<Caller | null>;

/**
 * Checks keys against the store on every request, so that a key revoked by another process is rejected immediately.
 * @param runKey a key with full access for this run, not in the store
 */
export function createCheckKey(store: Pick<Store, 'readKey'>, runKey: string): CheckKey {
  const runHash = hashKey(runKey);
  return async (key) => {
    const given = hashKey(key);
    if (isSameHash(given, runHash)) return { keyId: 'run', access: 'write' };
    const keyId = keyIdOf(key);
    const stored = keyId === null ? null : await store.readKey(keyId);
    if (stored === null || stored.revokedAt !== null || !isSameHash(given, stored.hash)) return null;
    return { keyId: stored.keyId, access: stored.access };
  };
}
