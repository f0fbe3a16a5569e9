import type { IncomingMessage } from 'node:http';
// secure-json-parse refuses JSON that would set the prototype of an object. A reviver would end at deep nesting.
import { parse } from 'secure-json-parse';
import { findIllFormedText } from '../../core/api/record-text.ts';
import { HttpError } from '../../core/net/http-error.ts';
import { unreadable } from './router.ts';

/** A longer path is cut in the message. */
const maxNames = 10;

/**
 * Reads the JSON body of a request; `undefined` if it has none. An empty body counts as none, whatever its content type. Throws
 * `HttpError`: 413 above `maxBytes`, 415 unless it is `application/json` in UTF-8, 400 for text that is not JSON, that sets a prototype, or
 * that contains half a surrogate pair or NUL.
 * @param mayBeForm also reads the fields of an HTML form, which a page may send to another origin without asking
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  mayBeForm = false,
): Promise<unknown> {
  const { 'content-type': type, 'content-length': length = '0' } = request.headers;
  if (type === undefined && length === '0' && request.headers['transfer-encoding'] === undefined)
    return undefined;
  const isForm = mayBeForm && /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type ?? '');
  if (!isForm && !/^application\/json\s*(?:;|$)/i.test(type ?? '')) {
    throw unsupported('Send the body as application/json.');
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type ?? '')?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw unsupported(`Send the body in UTF-8, not in ${charset}.`);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw unsupported('Send the body without Content-Encoding.');
  if (Number(length) > maxBytes) throw tooLarge();
  const bytes = await readBytes(request, maxBytes);
  const text = decode(bytes);
  if (text === '') return undefined;
  if (isForm) return Object.fromEntries(new URLSearchParams(text.replaceAll(/%00/g, '')));
  const body = parseJson(text);
  // In JSON text, these characters can only be escapes.
  const path = /\\u(?:d[89a-f]|0000)/i.test(text) ? findIllFormedText(body) : null;
  if (path === null) return body;
  const name = path
    .slice(0, maxNames)
    .join('.')
    .replaceAll(/[\p{Cs}\0]/gu, '\ufffd');
  throw new HttpError(400, 'invalid_field', `The field ${name} contains NUL or half a surrogate pair.`);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, 'invalid_body', 'The request body is not UTF-8.');
  }
}

function unsupported(message: string): HttpError {
  return new HttpError(415, 'unsupported_media_type', message);
}

function parseJson(text: string): unknown {
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new HttpError(400, 'invalid_body', 'The request body is not JSON.');
  }
}

// Uses listeners, because leaving a `for await` loop would destroy the socket before the error is sent.
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.pause().removeAllListeners('data');
      reject(tooLarge());
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    // The client closed the connection; no one reads this response.
    request.once('error', () => reject(unreadable()));
  });
}

/** The rest of the body is not read, so the connection cannot be reused. */
function tooLarge(): HttpError {
  return new HttpError(413, 'body_too_large', 'The request body is too large.', { connection: 'close' });
}
