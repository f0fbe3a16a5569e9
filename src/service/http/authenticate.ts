import type { Caller, CheckKey } from '../keys/check-key.ts';
import { HttpError } from './http-error.ts';
import type { Query } from './router.ts';

/** Where a request may carry its key. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly query: Query;
}

/** Longest key that is looked at, in characters. */
const maxKeyLength = 256;

/**
 * Finds out who calls, from `Authorization: Bearer KEY` or else the query parameter `key`.
 * Throws 401 when there is no key or it is not valid.
 */
export function authenticate(request: Credentials, checkKey: CheckKey): Caller {
  const key = readKey(request);
  if (key === null) {
    throw unauthorized('missing_key', 'Send an API key as "Authorization: Bearer KEY" or as ?key=KEY.');
  }
  const caller = key.length <= maxKeyLength ? checkKey(key) : null;
  if (caller === null) throw unauthorized('invalid_key', 'The API key is not valid.');
  return caller;
}

function readKey({ authorization, query }: Credentials): string | null {
  if (authorization !== undefined) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
  const { key } = query;
  return typeof key === 'string' && key !== '' ? key : null;
}

function unauthorized(code: string, message: string): HttpError {
  return new HttpError(401, code, message, { 'www-authenticate': 'Bearer realm="lectern"' });
}
