import type { FastifyRequest } from 'fastify';
import type { Caller, CheckKey } from '../keys/check-key.ts';
import { HttpError } from './http-error.ts';

/** Longest key that is looked at, in characters. */
const maxKeyLength = 256;

/**
 * Finds out who calls, from `Authorization: Bearer KEY` or else the query parameter `key`.
 * Throws 401 when there is no key or it is not valid.
 */
export function authenticate(request: FastifyRequest, checkKey: CheckKey): Caller {
  const key = readKey(request);
  if (key === null) {
    throw unauthorized('missing_key', 'Send an API key as "Authorization: Bearer KEY" or as ?key=KEY.');
  }
  const caller = key.length <= maxKeyLength ? checkKey(key) : null;
  if (caller === null) throw unauthorized('invalid_key', 'The API key is not valid.');
  return caller;
}

function readKey(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header !== undefined) return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? null;
  const key = (request.query as Record<string, unknown>).key;
  return typeof key === 'string' && key !== '' ? key : null;
}

function unauthorized(code: string, message: string): HttpError {
  return new HttpError(401, code, message, { 'www-authenticate': 'Bearer realm="lectern"' });
}
