import type { Caller, CheckKey } from '../keys/api-key.ts';
import { HttpError } from './http-error.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Query } from './router.ts';

/** What of a request says who sends it. */
export interface GuardedRequest {
  readonly method: string;
  readonly ip: string;
  readonly authorization: string | undefined;
  readonly query: Query;
}

/** Longest key that is checked, in characters. */
const maxKeyLength = 256;

/** The caller, from `Authorization: Bearer KEY` or else the query parameter `key`. Throws 401 without a valid key. */
function authenticate(request: GuardedRequest, checkKey: CheckKey): Caller {
  const key = readKey(request);
  if (key === null) {
    throw unauthorized('missing_key', 'Send an API key as "Authorization: Bearer KEY" or as ?key=KEY.');
  }
  const caller = key.length <= maxKeyLength ? checkKey(key) : null;
  if (caller === null) throw unauthorized('invalid_key', 'The API key is not valid.');
  return caller;
}

function readKey({ authorization, query }: GuardedRequest): string | null {
  if (authorization !== undefined) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
  const { key } = query;
  return typeof key === 'string' && key !== '' ? key : null;
}

function unauthorized(code: string, message: string): HttpError {
  return new HttpError(401, code, message, { 'www-authenticate': 'Bearer realm="lectern"' });
}

const readMethods = new Set(['GET', 'HEAD']);

/**
 * Throws 401 for a request without a valid key, or for a write with a read-only key (the interface's "not authorized for this
 * route"); 429 with `Retry-After` when the key, or an IP address that sends wrong keys, sends too many requests.
 */
export function guardRequest(request: GuardedRequest, checkKey: CheckKey, rateLimit: RateLimit): void {
  let keyId: string;
  let access: string;
  try {
    ({ keyId, access } = authenticate(request, checkKey));
  } catch (error) {
    takeTurn(`address ${request.ip}`, rateLimit);
    throw error;
  }
  takeTurn(`key ${keyId}`, rateLimit);
  if (access === 'read' && !readMethods.has(request.method)) {
    throw new HttpError(401, 'read_only_key', 'This API key may only read.');
  }
}

function takeTurn(caller: string, rateLimit: RateLimit): void {
  const waitSeconds = rateLimit(caller);
  if (waitSeconds === null) return;
  throw new HttpError(429, 'rate_limited', `Too many requests; try again in ${waitSeconds} seconds.`, {
    'retry-after': String(waitSeconds),
  });
}
