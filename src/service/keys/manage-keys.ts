import { existsSync } from 'node:fs';
import { LecternError } from '../../foundation/errors.ts';
import { isPostgres, openStore } from '../store/open-store.ts';
import type { Access, Store, StoredKey } from '../store/store.ts';
import { makeKey } from './api-key.ts';

/** The public fields of a key: everything but its hash. */
export type KeyDescription = Omit<StoredKey, 'hash'>;

/** A new key: the whole of it is given once, here. */
export interface CreatedKey extends Pick<StoredKey, 'keyId' | 'name' | 'access' | 'expiresAt'> {
  readonly key: string;
}

/**
 * Makes a key in a data file or database.
 * @param expires `90d` (days from now), a day (to its end, UTC) or a moment with its offset; `null`: the key never expires
 * @throws `EXPIRY_INVALID` (exit 2), `DATA_FILE_UNUSABLE`, `DATABASE_UNUSABLE`
 */
export async function createKey(
  data: string,
  name: string,
  access: Access,
  expires: string | null = null,
): Promise<CreatedKey> {
  const expiresAt = expires === null ? null : readExpiry(expires, Date.now());
  return withStore(data, async (store) => {
    const { key, stored } = makeKey(name, access, expiresAt);
    await store.createKey(stored);
    return { keyId: stored.keyId, key, name, access, expiresAt };
  });
}

const dayMs = 86_400_000;

function readExpiry(text: string, now: number): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? readEnd(text) : now + Number(days) * dayMs;
  if (at > now) return new Date(at).toISOString();
  throw new LecternError('EXPIRY_INVALID', `--expires ${text} is no time in the future`, {
    hint: 'give for instance 90d, 2030-12-31 or 2030-12-31T18:00:00Z',
    exitCode: 2,
  });
}

/** The end of a day, or a moment that says its offset; `NaN` for anything else. */
function readEnd(text: string): number {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  const start = Date.parse(day ?? '');
  // JavaScript reads 31 February as 3 March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(String(day))) return Number.NaN;
  return time === undefined ? start + dayMs : Date.parse(text);
}

/**
 * Every key of a data file, revoked ones too, oldest first. Throws `DATA_FILE_MISSING` (exit 2), `DATA_FILE_UNUSABLE`, `DATABASE_UNUSABLE`.
 */
export async function listKeys(data: string): Promise<readonly KeyDescription[]> {
  checkExists(data);
  return withStore(data, async (store) =>
    (await store.listKeys()).map(({ hash: _, ...description }) => description),
  );
}

/** Makes a key useless at once, also for a service that is running. Throws `KEY_UNKNOWN` and what {@link listKeys} does. */
export async function revokeKey(data: string, keyId: string): Promise<void> {
  checkExists(data);
  await withStore(data, async (store) => {
    if (await store.revokeKey(keyId)) return;
    throw new LecternError('KEY_UNKNOWN', `no active key has the id ${keyId}`, {
      hint: 'list the ids with lectern keys list',
    });
  });
}

function checkExists(data: string): void {
  if (isPostgres(data) || existsSync(data)) return;
  throw new LecternError('DATA_FILE_MISSING', `the file ${data} does not exist`, {
    hint: 'pass the file of the service with --data; lectern serve and lectern keys create create one',
    exitCode: 2,
  });
}

async function withStore<T>(data: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(data, { defaultLanguage: 'en', clock: Date.now });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
