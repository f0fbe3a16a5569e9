import { Readable } from 'node:stream';
import { createServer, type TLSSocket } from 'node:tls';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  deflateSync,
  gzipSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { listen } from '../support/serve.ts';
import { errorOf, openHttp, serveTo } from './support/open-http.ts';
import { type Handler, sharedCertificate } from './support/test-server.ts';

const json = Buffer.from(JSON.stringify({ text: 'é'.repeat(1000) }));

function encoded(encoding: string, body: Buffer): Handler {
  return (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body);
}

/** Answers every connection with bytes of the test's own making. */
async function serveRaw(answer: (socket: TLSSocket) => void) {
  const { ca, cert, key } = await sharedCertificate();
  const server = createServer({ cert, key }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  return openHttp({ baseUrl: `https://localhost:${await listen(server)}/v1`, ca });
}

describe('a compressed answer', () => {
  test.each([
    ['gzip', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    ['GZIP', gzipSync(json)],
    ['br', brotliCompressSync(json)],
    ['deflate', deflateSync(json)],
    ['identity', json],
  ])('(%s) is unpacked', async (encoding, body) => {
    const { get } = await serveTo(encoded(encoding, body));
    expect(await get()).toEqual(JSON.parse(json.toString()));
  });

  test.each([
    ['gzip', gzipSync(json)],
    ['br', brotliCompressSync(json)],
  ])('(%s) that is cut off is asked for again', async (encoding, body) => {
    const { get, waits } = await serveTo(encoded(encoding, body.subarray(0, 12)));
    expect((await errorOf(get())).code).toBe('CONNECTION_FAILED');
    expect(waits).toHaveLength(4);
  });

  test.each(['gzip', 'br'])('that is not %s at all is refused', async (encoding) => {
    const { get } = await serveTo(encoded(encoding, Buffer.from('hello, hello, hello, hello')));
    expect((await errorOf(get())).code).toBe('BAD_RESPONSE');
  });

  test.each([
    ['gzip', () => createGzip()],
    ['br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('(%s) that is a bomb is refused before it is unpacked', async (encoding, createCompressor) => {
    const { get, waits } = await serveTo((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      const block = Buffer.alloc(1024 * 1024, '1');
      Readable.from(Array.from({ length: 200 }, () => block))
        .pipe(createCompressor())
        .pipe(response);
    });
    expect((await errorOf(get())).code).toBe('BAD_RESPONSE');
    expect(waits).toEqual([]);
  });
});

describe('a faulty peer', () => {
  test('that speaks HTTP/1.0 and ends its answer by hanging up is understood', async () => {
    const { get } = await serveRaw((socket) =>
      socket.end('HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{"a":1}'),
    );
    expect(await get()).toEqual({ a: 1 });
  });

  test('that speaks HTTP/1.0 and hangs up too early is noticed', async () => {
    const { get } = await serveRaw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\n{"a":'));
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "BAD_RESPONSE",
        "hint": "the response was truncated; run again, and check for a proxy that limits the size of responses",
        "message": "https://localhost:PORT/v1/article answered 200 with truncated JSON (5 bytes were read) (5 attempts)",
      }
    `);
  });

  test('without the last chunk is noticed', async () => {
    const { get } = await serveRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n'),
    );
    expect((await errorOf(get())).code).toBe('CONNECTION_FAILED');
  });
});
