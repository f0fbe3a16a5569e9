import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { mapNetworkError, NetworkFault } from './network-fault.ts';

export interface BodyLimits {
  /** Longest time in which fewer than `minimumBytes` may arrive. */
  readonly slowMs: number;
  /** Maximum size of the response, decompressed. */
  readonly maxBytes: number;
  readonly now: () => number;
}

/** Bytes that must arrive within `slowMs`. */
const minimumBytes = 1024;

/** Longest time for one response. */
const maxAnswerMs = 3_600_000;

/** Normal text does not compress to less than a 200th. Short responses are exempt because they are harmless. */
const bombLimits = { ratio: 200, exemptBytes: 64 * 1024 * 1024 } as const;

/**
 * The bytes of a response, decompressed. Throws {@link NetworkFault} if the connection breaks, the server sends too slowly, or the
 * compressed data is invalid or a decompression bomb.
 * @param what names the request in messages
 */
export async function* readBytes(
  stream: Readable,
  encoding: string | undefined,
  what: string,
  limits: BodyLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const paced = watchPace(stream, what, limits);
    const name = encoding?.trim().toLowerCase() ?? '';
    const plain = name === '' || name === 'identity' ? paced : decompress(stream, name, what, limits);
    let bytes = 0;
    for await (const chunk of plain) {
      bytes += chunk.byteLength;
      if (bytes > limits.maxBytes) {
        const otherwise = '; set source.listing to "paged" if the knowledge base is that large';
        throw endless(what, `is longer than ${limits.maxBytes} bytes`, otherwise);
      }
      yield chunk;
    }
  } catch (error) {
    throw mapNetworkError(error, what) ?? error;
  } finally {
    stream.destroy();
  }
}

/** All bytes of a body; of a longer one the first `enough`, and up to one piece more. */
export async function readFirst(body: AsyncIterable<Uint8Array>, enough = Infinity): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= enough) break;
  }
  return Buffer.concat(chunks);
}

async function* decompress(
  stream: Readable,
  encoding: string,
  what: string,
  limits: BodyLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const inflater = createDecompressor(encoding, what);
  // Errors of either stream end the iteration below; the callback only prevents that they are thrown twice.
  pipeline(watchPace(stream, what, limits), inflater, () => {});
  let bytes = 0;
  for await (const chunk of inflater as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > bombLimits.exemptBytes && bytes > inflater.bytesWritten * bombLimits.ratio) {
      throw new NetworkFault(
        'BAD_RESPONSE',
        `${what}: the response expands more than ${bombLimits.ratio}-fold, to over ${bytes} bytes`,
        {
          hint: 'refused as a decompression bomb; ask the service operator what the server sends',
          retry: 'never',
        },
      );
    }
    yield chunk;
  }
}

function createDecompressor(encoding: string, what: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  throw new NetworkFault(
    'BAD_RESPONSE',
    `${what}: the answer is compressed with ${JSON.stringify(encoding)}`,
    {
      hint: 'the server used an unsupported content encoding; only gzip and br are offered',
      retry: 'never',
    },
  );
}

function endless(what: string, fault: string, otherwise = ''): NetworkFault {
  return new NetworkFault('BAD_RESPONSE', `${what}: the answer ${fault}`, {
    hint: `ask the service operator what the server sends${otherwise}`,
    retry: 'never',
  });
}

/** Counts only time spent waiting for the server, not time the reader needs for the last piece. */
async function* watchPace(
  stream: Readable,
  what: string,
  { slowMs, now }: BodyLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waitedMs = 0;
  let totalMs = 0;
  let bytes = 0;
  let since = now();
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    const waited = now() - since;
    waitedMs += waited;
    totalMs += waited;
    if (totalMs > maxAnswerMs) throw endless(what, `has not ended after ${maxAnswerMs / 1000} s`);
    bytes += chunk.byteLength;
    if (bytes >= minimumBytes) {
      waitedMs = 0;
      bytes = 0;
    } else if (waitedMs > slowMs) {
      throw new NetworkFault(
        'TIMEOUT',
        `${what}: received only ${bytes} bytes in ${Math.round(waitedMs / 1000)} s`,
        {
          hint: 'run again later; ask the service operator why the server is so slow',
          retry: 'reads-once',
        },
      );
    }
    yield chunk;
    since = now();
  }
}
