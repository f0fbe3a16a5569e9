import { createValueScanner, decodeJson, isJsonBlank, JsonFault, jsonByte } from './decode-json.ts';
import type { HttpResponse } from './http.ts';
import { NetworkFault } from './network-fault.ts';

/** Larger than any record with all its translations; Node's longest string is about twice as long. */
const longestAnswerBytes = 256 * 1024 * 1024;

/** No help centre has as much white space in a row, not even in a text. */
const longestBlankBytes = 1024 * 1024;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const lessThan = 0x3c;

/**
 * Reads a response as one JSON value.
 * @throws NOT_JSON, JSON_CUT, JSON_INVALID, ANSWER_ENDLESS, and what reading the body throws
 */
export async function readJson(response: HttpResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readUntilBlank(response)) {
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

/** The body of a response, given up if white space does not end. Only chunks of nothing else count, so most are told by one byte. */
async function* readUntilBlank({ body, url, status }: HttpResponse): AsyncGenerator<Uint8Array> {
  let blankBytes = 0;
  for await (const chunk of body) {
    blankBytes = chunk.every(isJsonBlank) ? blankBytes + chunk.byteLength : 0;
    if (blankBytes > longestBlankBytes) {
      throw new NetworkFault(
        'ANSWER_ENDLESS',
        `${url} answered ${status} with more than 1 MiB of white space`,
        {
          hint: 'ask the service operator what the server sends, and check for a proxy that sends white space while it waits',
          retry: 'never',
        },
      );
    }
    yield chunk;
  }
}

/** A response that ends before its value does was cut off. The message of the JSON parser would not show this in every version of Node. */
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

/**
 * The elements of the array in a response, `{"<key>": […]}` or the array alone, in a batch for every piece that arrives. Memory is bounded
 * by the largest element.
 * @throws NOT_JSON, JSON_CUT, JSON_INVALID with URL and byte offset, ANSWER_ENDLESS, and what reading the body throws
 */
export async function* readElements(
  response: HttpResponse,
  key: string,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const splitter = createElementSplitter(key);
  try {
    for await (const chunk of readUntilBlank(response)) {
      const elements = splitter.push(chunk);
      if (elements.length > 0) yield elements;
    }
    splitter.end();
  } catch (error) {
    throw error instanceof JsonFault ? jsonFault(error, response) : error;
  }
}

/** The user's error for a response that is not JSON of the expected shape. */
export function jsonFault(fault: JsonFault, { url, status, headers }: HttpResponse): NetworkFault {
  const what = fault.isCut ? 'truncated JSON' : `unexpected JSON: ${fault.message}`;
  const message = `${url} answered ${status} with ${what} (at byte ${fault.offset})`;
  if (fault.isCut) {
    return new NetworkFault('JSON_CUT', message, {
      hint: 'the response was truncated; run again, and check for a proxy that limits the size of responses',
      retry: 'reads',
      cause: fault,
    });
  }
  const isPage = fault.message === 'it is a web page' || headers['content-type']?.startsWith('text/html');
  return new NetworkFault(isPage ? 'NOT_JSON' : 'JSON_INVALID', message, {
    hint: isPage
      ? 'check that the base URL is the API, not the help centre or a sign-in page'
      : 'ask the service operator; the response does not follow the API',
    retry: 'never',
    cause: fault,
  });
}

const { quote, openBrace, closeBrace, openBracket, closeBracket, comma, colon } = jsonByte;

interface ElementSplitter {
  /** Takes the next bytes and returns the elements they complete. @throws JsonFault */
  push(chunk: Uint8Array): unknown[];
  /** Marks the end of the text. @throws JsonFault if it is incomplete */
  end(): void;
}

type ReaderState =
  | 'start'
  | 'key-or-end'
  | 'key'
  | 'colon'
  | 'value'
  | 'comma-or-end'
  | 'element-or-end'
  | 'element'
  | 'element-comma-or-end'
  | 'done';

/**
 * Splits JSON text, given in pieces of any size, into the parsed elements of one array: that under `key` of the top-level object, or the
 * top-level array itself. Only the current value is in memory. `JSON.parse` parses each one, so it accepts exactly valid JSON.
 */
export function createElementSplitter(key: string): ElementSplitter {
  let state: ReaderState = 'start';
  /** Whether the array is a property of an object. */
  let isWrapped = true;
  let wasFound = false;
  let currentKey = '';
  /** Bytes before the current chunk. */
  let base = 0;
  const value = createValueScanner();

  function push(chunk: Uint8Array): unknown[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const elements: unknown[] = [];
    let at = 0;
    if (base === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
    while (at < bytes.length) {
      if (value.isOpen()) {
        const end = value.scan(bytes, at);
        if (end === -1) break;
        takeValue(value.parse(base + end), elements);
        at = end;
        continue;
      }
      const byte = bytes[at] as number;
      if (isJsonBlank(byte)) at += 1;
      else at += takeToken(byte, base + at);
    }
    base += bytes.length;
    return elements;
  }

  /** Processes one byte between values. Returns the number of consumed bytes: 0 if a value begins. */
  function takeToken(byte: number, offset: number): 0 | 1 {
    switch (state) {
      case 'start':
        if (byte === openBrace) state = 'key-or-end';
        else if (byte === openBracket) {
          isWrapped = false;
          wasFound = true;
          state = 'element-or-end';
        } else if (byte === lessThan) throw new JsonFault('it is a web page', offset);
        else throw new JsonFault('it is neither an object nor a list', offset);
        return 1;
      case 'key-or-end':
      case 'key':
        if (byte === quote) {
          value.open();
          return 0;
        }
        if (byte === closeBrace && state === 'key-or-end') return finish();
        break;
      case 'colon':
        if (byte === colon) {
          state = 'value';
          return 1;
        }
        break;
      case 'value':
        if (currentKey === key) {
          if (byte !== openBracket) throw new JsonFault(`"${key}" is not an array`, offset);
          if (wasFound) throw new JsonFault(`it has "${key}" twice`, offset);
          wasFound = true;
          state = 'element-or-end';
          return 1;
        }
        value.open();
        return 0;
      case 'comma-or-end':
        if (byte === comma) {
          state = 'key';
          return 1;
        }
        if (byte === closeBrace) return finish();
        break;
      case 'element-or-end':
      case 'element':
        if (byte === closeBracket && state === 'element-or-end') return finish();
        value.open();
        return 0;
      case 'element-comma-or-end':
        if (byte === comma) {
          state = 'element';
          return 1;
        }
        if (byte === closeBracket) return finish();
        break;
      case 'done':
        break;
    }
    throw new JsonFault(`an unexpected ${JSON.stringify(String.fromCharCode(byte))}`, offset);
  }

  /** Closes the list or the object around it. */
  function finish(): 1 {
    const isList = state === 'element-or-end' || state === 'element-comma-or-end';
    state = isList && isWrapped ? 'comma-or-end' : 'done';
    return 1;
  }

  function takeValue(parsed: unknown, elements: unknown[]): void {
    if (state === 'key' || state === 'key-or-end') {
      currentKey = parsed as string;
      state = 'colon';
    } else if (state === 'value') {
      state = 'comma-or-end';
    } else {
      elements.push(parsed);
      state = 'element-comma-or-end';
    }
  }

  function end(): void {
    if (state === 'start') throw new JsonFault('it is empty', base, true);
    if (state !== 'done') throw new JsonFault('it ends in the middle', base, true);
    if (!wasFound) throw new JsonFault(`"${key}" is missing`, base);
  }

  return { push, end };
}
