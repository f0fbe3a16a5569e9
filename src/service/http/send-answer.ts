import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Answer } from './router.ts';

/** A content coding of responses. */
type Encoding = 'br' | 'gzip';

/** Shorter responses are not compressed, because they fit into one packet anyway. */
const minBytes = 1024;
/** Brotli 4 takes no longer than gzip and compresses better. */
const brotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const encode = {
  br: (body: string | Uint8Array) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body: string | Uint8Array) => promisify(gzip)(body),
};
const streamed = { br: () => createBrotliCompress(brotliOptions), gzip: () => createGzip() };

/** The coding that the `Accept-Encoding` of a request prefers (RFC 9110, 12.5.3), Brotli if equal; `null`: none. */
export function chooseEncoding({ headers }: Pick<IncomingMessage, 'headers'>): Encoding | null {
  const weights = new Map<string, number>();
  for (const part of (headers['accept-encoding'] ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    if (name !== '') weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  const of = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = of('gzip') > of('br') ? 'gzip' : 'br';
  return of(best) > 0 && of(best) >= (weights.get('identity') ?? 0) ? best : null;
}

/** The ETag of the same response in a coding: other bytes need another strong validator (RFC 9110, 8.8.3.3). */
function encodedTag(etag: string, encoding: Encoding): string {
  return etag.replace(/"$/, `.${encoding}"`);
}

/**
 * The tag in `If-None-Match` that matches the response to this request, in its coding or uncompressed; `*` matches any. `null` if none
 * matches.
 */
export function findTag(etag: string, headers: IncomingMessage['headers']): string | null {
  const encoding = chooseEncoding({ headers });
  const current = encoding === null ? [etag] : [encodedTag(etag, encoding), etag];
  const known = listTags(headers['if-none-match']).map((tag) => tag.replace(/^W\//, ''));
  return current.find((tag) => known.includes(tag) || known.includes('*')) ?? null;
}

/**
 * The record tags in `If-Match`, in any coding, without quotes. Weak tags never match (RFC 9110, 13.1.1). `undefined` if any record
 * matches.
 */
export function parseIfMatch(header: string | undefined): readonly string[] | undefined {
  const tags = listTags(header);
  if (header === undefined || tags.includes('*')) return undefined;
  return tags.flatMap((tag) => nameOfTag(tag) ?? []);
}

function nameOfTag(tag: string): string | undefined {
  return /^"([^"]*?)(?:\.(?:br|gzip))?"$/.exec(tag)?.[1];
}

/** The tags of a list, or `*`. A tag may contain a comma or a star. */
function listTags(header = ''): readonly string[] {
  return header.trim() === '*' ? ['*'] : (header.match(/(?:W\/)?"[^"]*"/g) ?? []);
}

/** Compresses the response if it is long enough. All responses with content get `Vary: Accept-Encoding`. */
export async function compressAnswer(answer: Answer, encoding: Encoding | null): Promise<Answer> {
  const { status, body } = answer;
  if (status !== 200 && status !== 304) return answer;
  const { vary, etag } = answer.headers;
  const headers = {
    ...answer.headers,
    vary: vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`,
  };
  if (status === 304) return { status, headers, body };
  // If a list fails at its start, the error is returned, because nothing was sent yet.
  const { start, rest } = body instanceof Readable ? await readStart(body) : { start: body, rest: null };
  const whole = { status, headers, body: start };
  if (encoding === null) return rest === null ? whole : { ...whole, body: Readable.from(join(start, rest)) };
  const tag = etag === undefined ? {} : { etag: encodedTag(etag, encoding) };
  const encoded = { status, headers: { ...headers, ...tag, 'content-encoding': encoding } };
  if (rest === null) {
    const isLong = Buffer.byteLength(start) >= minBytes;
    return isLong ? { ...encoded, body: await encode[encoding](start) } : whole;
  }
  // A failure is passed on to the reader of the encoder.
  return { ...encoded, body: pipeline(Readable.from(join(start, rest)), streamed[encoding](), () => {}) };
}

/** The first chunks of a body, and the rest; `null` if there is no rest, so that the body is short. */
async function readStart(body: Readable): Promise<{ start: string; rest: AsyncIterator<string> | null }> {
  const chunks: AsyncIterator<string> = body[Symbol.asyncIterator]();
  let start = '';
  while (start.length < minBytes) {
    const next = await chunks.next();
    if (next.done === true) return { start, rest: null };
    start += next.value;
  }
  return { start, rest: chunks };
}

async function* join(
  start: string | Uint8Array,
  rest: AsyncIterator<string>,
): AsyncGenerator<string | Uint8Array> {
  yield start;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Sends a response. Rejects if the client disconnects before its end. */
export async function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  if (!(body instanceof Readable)) {
    const length = status === 304 || status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...headers, ...length }).end(body);
    return;
  }
  response.writeHead(status, headers);
  if (response.req.method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  // Node does not tell an answer that waits for earlier ones of its connection when the client disconnects.
  const { socket } = response.req;
  const stop = () => void (response.socket === null && response.emit('close'));
  socket.once('close', stop);
  await pipe(body, response).finally(() => socket.off('close', stop));
}
