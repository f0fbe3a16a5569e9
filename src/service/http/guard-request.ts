import type { CheckKey } from '../keys/check-key.ts';
import { authenticate, type Credentials } from './authenticate.ts';
import { HttpError } from './http-error.ts';
import type { RateLimit } from './rate-limit.ts';

const readMethods = new Set(['GET', 'HEAD']);

/** What of a request says who sends it. */
export interface GuardedRequest extends Credentials {
  readonly method: string;
  readonly ip: string;
}

/**
 * Lets a request in or throws: 401 without a valid key, or (the interface's "not authorized for this route") when a
 * read-only key is to write; 429 with `Retry-After` when the key, or an address that sends wrong keys, asks too often.
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
