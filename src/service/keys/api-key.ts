import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { makeId } from '../records/record-rules.ts';
import type { Access, NewKey, Store } from '../store/store.ts';

/**
 * Makes an API key `lk_<id>_<secret>`, or `lc_…` one that only counts and so may be published: the id finds the stored hash, the secret has 256 random bits, so that a plain
 * SHA-256 is as good as a slow hash. The key is shown once and stored nowhere.
 */
export function makeKey(
  name: string,
  access: Access,
  expiresAt: string | null = null,
): { readonly key: string; readonly stored: NewKey } {
  const keyId = makeId();
  const key = `${access === 'count' ? 'lc' : 'lk'}_${keyId}_${randomBytes(32).toString('base64url')}`;
  return { key, stored: { keyId, name, access, hash: hashKey(key), expiresAt } };
}

function hashKey(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}

/** The id inside a key, or `null` when the key has another form. */
function keyIdOf(key: string): string | null {
  return /^l[ck]_([A-Za-z0-9]{10})_[\w-]{43}$/.exec(key)?.[1] ?? null;
}

/** Compares two hashes in constant time. */
function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** Who a request comes from. */
export interface Caller {
  readonly keyId: string;
  readonly access: Access;
}

/** The caller a key belongs to; `expired`: it was valid once; `null` for an invalid key. */
export type CheckKey = (key: string) => Promise<Caller | 'expired' | null>;

/**
 * Checks keys against the store on every request, so that a key revoked by another process is refused at once.
 * @param runKey a full key for this run that is not in the store.
 * @param clock milliseconds since 1970
 */
export function createCheckKey(store: Pick<Store, 'readKey'>, runKey: string, clock: () => number): CheckKey {
  const runHash = hashKey(runKey);
  return async (key) => {
    const hash = hashKey(key);
    if (isSameHash(hash, runHash)) return { keyId: 'run', access: 'write' };
    const keyId = keyIdOf(key);
    const stored = keyId === null ? null : await store.readKey(keyId);
    if (stored === null || stored.revokedAt !== null || !isSameHash(hash, stored.hash)) return null;
    if (stored.expiresAt !== null && Date.parse(stored.expiresAt) <= clock()) return 'expired';
    return { keyId: stored.keyId, access: stored.access };
  };
}
