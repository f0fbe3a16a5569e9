import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from './router.ts';

/** Whether `If-None-Match` has the ETag of the response to this request; `*` matches any. */
export function isKnown(etag: string, { 'if-none-match': header }: IncomingMessage['headers']): boolean {
  const known = listTags(header).map((tag) => tag.replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/**
 * The record tags in `If-Match`, without quotes. Weak tags never match (RFC 9110, 13.1.1). `undefined` if any record matches.
 */
export function parseIfMatch(header: string | undefined): readonly string[] | undefined {
  const tags = listTags(header);
  if (header === undefined || tags.includes('*')) return undefined;
  return tags.flatMap((tag) => /^"([^"]*)"$/.exec(tag)?.[1] ?? []);
}

/** The tags of a list, or `*`. A tag may contain a comma or a star. */
function listTags(header = ''): readonly string[] {
  return header.trim() === '*' ? ['*'] : (header.match(/(?:W\/)?"[^"]*"/g) ?? []);
}

/** Waits for the start of a streamed response: if a list fails there, the error is returned, because nothing was sent yet. */
export async function awaitStart(answer: Answer): Promise<Answer> {
  const { body } = answer;
  if (!(body instanceof Readable)) return answer;
  const chunks: AsyncIterator<string> = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  return { ...answer, body: first.done === true ? '' : Readable.from(join(first.value, chunks)) };
}

async function* join(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
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
  await pipeline(body, response).finally(() => socket.off('close', stop));
}
