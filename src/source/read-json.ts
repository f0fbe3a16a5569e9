import type { HttpResponse } from './http.ts';
import { jsonFault } from './json-elements.ts';
import { JsonFault } from './json-fault.ts';

/** One record with all its translations is never larger; Node's longest string is about twice as long. */
const longestAnswerBytes = 256 * 1024 * 1024;

/**
 * A whole answer as one JSON value.
 * @throws NOT_JSON, JSON_CUT, JSON_INVALID, and what reading the body throws
 */
export async function readJson(response: HttpResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > longestAnswerBytes) {
      throw jsonFault(new JsonFault(`it is longer than ${longestAnswerBytes} bytes`, bytes), response);
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks, bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw jsonFault(new JsonFault(...describe(text, bytes, cause)), response);
  }
}

function describe(
  text: string,
  bytes: number,
  cause: unknown,
): [message: string, offset: number, isCut: boolean] {
  if (text.trimStart().startsWith('<')) return ['it is a web page', 0, false];
  const message = cause instanceof Error ? cause.message : '';
  const isCut = text.trim() === '' || /end of JSON|Unterminated/.test(message);
  return [isCut ? 'it ends in the middle' : 'it is not valid', isCut ? bytes : 0, isCut];
}
