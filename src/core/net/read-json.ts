// @streamparser/json reads a list record by record, so that memory does not grow with the list. It is five times slower than JSON.parse.
import { JSONParser } from '@streamparser/json';
import { isRecord } from '../unknown-record.ts';
import type { HttpResponse } from './http.ts';
import { NetworkFault } from './network-fault.ts';

/** Larger than any record with all its translations; Node's longest string is about twice as long. */
const maxValueBytes = 256 * 1024 * 1024;

/** Maximum white space in a row. No help centre has as much, not even in a text. */
const maxBlankBytes = 1024 * 1024;

/** What an answer is instead of the expected JSON. The text itself is not quoted, because it may be that of a draft. */
class JsonFault extends Error {
  /** The answer ends too early; a retry may return all of it. */
  readonly isCut: boolean;

  constructor(message: string, isCut = false) {
    super(message);
    this.isCut = isCut;
  }
}

/**
 * Reads a response as one JSON value.
 * @throws BAD_RESPONSE, and what reading the body throws
 */
export async function readJson(response: HttpResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readUntilBlank(response)) {
    bytes += chunk.byteLength;
    if (bytes > maxValueBytes) {
      throw refuse(new JsonFault(`it is longer than ${maxValueBytes} bytes`), response, bytes);
    }
    chunks.push(chunk);
  }
  const answer = Buffer.concat(chunks, bytes);
  try {
    return JSON.parse(decodeText(answer));
  } catch {
    throw refuse(findFault(decodeText(answer)), response, bytes);
  }
}

/**
 * The text of an answer without its byte order mark. Bytes that are not UTF-8 (RFC 8259, 8.1) become U+FFFD, which is reported with the
 * record that contains it.
 */
function decodeText(answer: Buffer): string {
  return new TextDecoder().decode(answer);
}

/** The body of a response, given up if white space does not end. Only chunks of nothing else count, so most are told by one byte. */
async function* readUntilBlank({ body, url, status }: HttpResponse): AsyncGenerator<Uint8Array> {
  let blankBytes = 0;
  for await (const chunk of body) {
    blankBytes = chunk.every(isBlank) ? blankBytes + chunk.byteLength : 0;
    if (blankBytes > maxBlankBytes) {
      throw new NetworkFault(
        'BAD_RESPONSE',
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

/** White space of JSON (RFC 8259, 2). */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** What is wrong with an answer that is not JSON. The message of `JSON.parse` would not show in every version of Node that it was cut off. */
function findFault(text: string): JsonFault {
  if (/^\s*</.test(text)) return new JsonFault('it is a web page');
  const parser = new JSONParser({ paths: [] });
  try {
    parser.write(text);
  } catch {
    return new JsonFault('it is not valid');
  }
  return new JsonFault('it ends in the middle', !parser.isEnded);
}

/**
 * The elements of the array in a response, `{"<key>": […]}` or the array alone, in a batch for every piece that arrives. Memory is bounded
 * by the largest element.
 * @throws BAD_RESPONSE with URL and number of bytes, and what reading the body throws
 */
export async function* readElements(
  response: HttpResponse,
  key: string,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const splitter = createElementSplitter(key);
  let bytes = 0;
  try {
    for await (const chunk of readUntilBlank(response)) {
      bytes += chunk.byteLength;
      const elements = splitter.push(chunk);
      if (elements.length > 0) yield elements;
    }
    splitter.end();
  } catch (error) {
    throw error instanceof JsonFault ? refuse(error, response, bytes) : error;
  }
}

/** The user's error for a response that is not JSON of the expected shape. */
function refuse(fault: JsonFault, { url, status, headers }: HttpResponse, bytes: number): NetworkFault {
  const what = fault.isCut ? 'truncated JSON' : `unexpected JSON: ${fault.message}`;
  const message = `${url} answered ${status} with ${what} (${bytes} bytes were read)`;
  if (fault.isCut) {
    return new NetworkFault('BAD_RESPONSE', message, {
      hint: 'the response was truncated; run again, and check for a proxy that limits the size of responses',
      retry: 'reads',
      cause: fault,
    });
  }
  const isPage = fault.message === 'it is a web page' || headers['content-type']?.startsWith('text/html');
  return new NetworkFault('BAD_RESPONSE', message, {
    hint: isPage
      ? 'check that the base URL is the API, not the help centre or a sign-in page'
      : 'ask the service operator; the response does not follow the API',
    retry: 'never',
    cause: fault,
  });
}

interface ElementSplitter {
  /** Takes the next bytes and returns the elements they complete. @throws JsonFault */
  push(chunk: Uint8Array): readonly unknown[];
  /** Marks the end of the text. @throws JsonFault if it is incomplete, or has no such array */
  end(): void;
}

/**
 * Splits JSON text, given in pieces of any size, into the parsed elements of one array: that under `key` of the top-level object, or the
 * top-level array itself. Only the current element is in memory.
 */
export function createElementSplitter(key: string): ElementSplitter {
  let elements: unknown[] = [];
  /** The text up to its first element, with which {@link ElementSplitter.end} tells an empty array from none. */
  let start: string | null = '';
  let lengthSinceElement = 0;
  const decoder = new TextDecoder();
  let parser: JSONParser | null = null;

  const open = (text: string): JSONParser | null => {
    const first = text.trimStart().charAt(0);
    if (first === '') return null;
    if (first === '<') throw new JsonFault('it is a web page');
    if (first !== '[' && first !== '{') throw new JsonFault('it is neither an object nor a list');
    const opened = new JSONParser({ paths: [first === '[' ? '$.*' : `$.${key}.*`], keepStack: false });
    opened.onValue = ({ value, parent }) => {
      if (!Array.isArray(parent)) throw new JsonFault(`"${key}" is not an array`);
      elements.push(value);
    };
    return opened;
  };

  return {
    push(chunk) {
      elements = [];
      const text = decoder.decode(chunk, { stream: true });
      parser ??= open(text);
      if (parser === null) return elements;
      try {
        parser.write(text);
      } catch (error) {
        throw error instanceof JsonFault ? error : new JsonFault('it is not valid');
      }
      if (elements.length > 0) start = null;
      else if (start !== null) start += text;
      lengthSinceElement = elements.length > 0 ? 0 : lengthSinceElement + chunk.byteLength;
      if (lengthSinceElement > maxValueBytes) {
        throw new JsonFault(`a value is longer than ${maxValueBytes} bytes`);
      }
      return elements;
    },
    end() {
      if (parser === null) throw new JsonFault('it is empty', true);
      if (!parser.isEnded) throw new JsonFault('it ends in the middle', true);
      if (start === null) return;
      const value: unknown = JSON.parse(start);
      if (Array.isArray(value)) return;
      if (!isRecord(value) || !Object.hasOwn(value, key)) throw new JsonFault(`"${key}" is missing`);
      if (!Array.isArray(value[key])) throw new JsonFault(`"${key}" is not an array`);
    },
  };
}
