import { operations } from '../../core/api/operations.ts';
import { HttpError, refuseFor } from '../../core/net/http-error.ts';
import type { RateLimit } from '../../core/net/rate-limit.ts';
import type { Caller, CheckKey } from '../keys.ts';
import type { Access } from '../store/store.ts';
import { readerPaths } from './reader-routes.ts';
import type { QueryValues } from './router.ts';

/** The parts of a request that identify the sender. */
interface GuardedRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Result of `clientNetwork`. */
  readonly network: string;
  readonly authorization: string | undefined;
  readonly query: QueryValues;
}

/** Returns the caller, from `Authorization: Bearer KEY` or else the query parameter `key`. Throws 401 without a valid key. */
async function authenticate(request: GuardedRequest, checkKey: CheckKey): Promise<Caller> {
  const key = readKey(request);
  if (key === null) {
    throw unauthorized('missing_key', 'Send an API key as "Authorization: Bearer KEY" or as ?key=KEY.');
  }
  const caller = await checkKey(key);
  if (caller === null) throw unauthorized('invalid_key', 'The API key is not valid.');
  return caller;
}

function readKey({ authorization = '', query }: GuardedRequest): string | null {
  // `Basic` is the password of a proxy in front.
  if (/^Bearer\b/i.test(authorization)) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
  const { key } = query;
  return typeof key === 'string' && key !== '' ? key : null;
}

function unauthorized(code: string, message: string): HttpError {
  return new HttpError(401, code, message, { 'www-authenticate': 'Bearer realm="lectern"' });
}

/**
 * Throws 401 for a request without a valid key, or with a key whose access is insufficient (the interface document's "not authorized for
 * this route"). Throws 429 with `Retry-After` if the key, or a network that sends invalid keys, sends too many requests.
 */
export async function guardRequest(
  request: GuardedRequest,
  checkKey: CheckKey,
  limits: { readonly rateLimit: RateLimit; readonly countLimit: RateLimit },
): Promise<Caller> {
  const { rateLimit, countLimit } = limits;
  let caller: Caller;
  try {
    caller = await authenticate(request, checkKey);
  } catch (error) {
    refuseFor(rateLimit(`network ${request.network}`), 'requests');
    throw error;
  }
  // Every visitor of a site has its counting key, so the limit is per visitor.
  if (caller.access === 'count') refuseFor(countLimit(`${caller.keyId} ${request.network}`), 'requests');
  refuseFor(rateLimit(`key ${caller.keyId}`), 'requests');
  const needed = neededAccess(request);
  if (caller.access === 'read' && needed !== 'read')
    throw new HttpError(401, 'read_only_key', 'This API key may only read.');
  if (caller.access === 'count' && needed !== 'count')
    throw new HttpError(
      401,
      'count_only_key',
      'This API key is public: it may only count views, searches and feedback.',
    );
  return caller;
}

/** Throws 401 if a counting key, which is public, is used to count more than one view of today. */
export function guardCount({ access }: Caller, body: unknown, path: string): void {
  if (access !== 'count' || readerPaths.has(path) || Object.keys(body ?? {}).length === 0) return;
  throw new HttpError(
    401,
    'count_only_key',
    'This API key may only count one view of today, without a body.',
  );
}

const readMethods = new Set(['GET', 'HEAD']);
const countPath = new RegExp(`^/v1(?:/v1)?${operations.countViews.path.replace(/:\w+$/, '[^/]+$')}`);

/** The lowest access level that allows the request. */
function neededAccess({ method, path }: GuardedRequest): Access {
  if (readMethods.has(method)) return 'read';
  return method === 'POST' && (readerPaths.has(path) || countPath.test(path)) ? 'count' : 'write';
}
