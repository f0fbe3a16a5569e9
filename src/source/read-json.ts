import { decodeJson, isJsonBlank, JsonFault } from './decode-json.ts';
import type { HttpResponse } from './http.ts';
import { jsonFault } from './json-elements.ts';
import { createValueScanner } from './value-scanner.ts';

/** One record with all its translations is never larger; Node's longest string is about twice as long. */
const longestAnswerBytes = 256 * 1024 * 1024;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const lessThan = 0x3c;

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
  const answer = Buffer.concat(chunks, bytes);
  try {
    return decodeJson(answer);
  } catch {
    throw jsonFault(describe(answer), response);
  }
}

/** An answer that ends before its value does was cut off. The words of the JSON parser's error would not tell on every version of Node. */
function describe(answer: Buffer): JsonFault {
  let start = answer.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  while (start < answer.length && isJsonBlank(answer[start] as number)) start += 1;
  if (start === answer.length) return new JsonFault('it is empty', answer.length, true);
  if (answer[start] === lessThan) return new JsonFault('it is a web page', 0);
  const value = createValueScanner();
  value.open();
  if (value.scan(answer, start) === -1) return new JsonFault('it ends in the middle', answer.length, true);
  return new JsonFault('it is not valid', 0);
}
