import type { Access, Store } from '../store/store.ts';
import { hashKey, isSameHash, keyIdOf } from './api-key.ts';

/** Who a request comes from. */
export interface Caller {
  readonly keyId: string;
  readonly access: Access;
}

/** Tells whose key it is, or `null`. */
export type CheckKey = (key: string) => Caller | null;

/**
 * Checks keys against the store on every request, so that a key revoked by another process is refused at once.
 * @param runKey a full key for this run that is not in the store.
 */
export function createCheckKey(store: Pick<Store, 'readKey'>, runKey: string): CheckKey {
  const runHash = hashKey(runKey);
  return (key) => {
    const hash = hashKey(key);
    if (isSameHash(hash, runHash)) return { keyId: 'run', access: 'write' };
    const keyId = keyIdOf(key);
    const stored = keyId === null ? null : store.readKey(keyId);
    if (stored === null || stored.revokedAt !== null || !isSameHash(hash, stored.hash)) return null;
    return { keyId: stored.keyId, access: stored.access };
  };
}
