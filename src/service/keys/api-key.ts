import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { makeId } from '../store/make-id.ts';
import type { Access, NewKey } from '../store/store.ts';

/**
 * Makes an API key `lk_<id>_<secret>`: the id finds the stored hash, the secret has 256 random bits, so that a plain
 * SHA-256 is as good as a slow hash. The key is shown once and stored nowhere.
 */
export function makeKey(name: string, access: Access): { readonly key: string; readonly stored: NewKey } {
  const keyId = makeId();
  const key = `lk_${keyId}_${randomBytes(32).toString('base64url')}`;
  return { key, stored: { keyId, name, access, hash: hashKey(key) } };
}

/** SHA-256 of a key. */
export function hashKey(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}

/** The id inside a key, or `null` when it is not shaped like one of ours. */
export function keyIdOf(key: string): string | null {
  return /^lk_([A-Za-z0-9]{10})_[\w-]{43}$/.exec(key)?.[1] ?? null;
}

/** Compares two hashes in constant time. */
export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
