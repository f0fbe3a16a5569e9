import { isRecord } from '../unknown-record.ts';
import type { HttpResponse } from './http.ts';
import { NetworkFault } from './network-fault.ts';
import { readFirst } from './response-body.ts';

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
  const body = await readFirst(readUntilBlank(response), maxValueBytes + 1);
  try {
    if (body.length > maxValueBytes) throw new JsonFault(`it is longer than ${maxValueBytes} bytes`);
    // Bytes that are not UTF-8 (RFC 8259, 8.1) become U+FFFD, which is reported with the record that contains it.
    return parseText(new TextDecoder().decode(body));
  } catch (error) {
    throw error instanceof JsonFault ? refuse(error, response, body.length) : error;
  }
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

/** What is wrong with a text that is not JSON. The message of `JSON.parse` would not show in every version of Node that it was cut off. */
function findFault(text: string): JsonFault {
  if (/^\s*</.test(text)) return new JsonFault('it is a web page');
  return isCutOff(text) ? new JsonFault('it ends in the middle', true) : new JsonFault('it is not valid');
}

/** Whether a text ends before the brackets or quotes with which it begins are closed. */
function isCutOff(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') isInString = !isInString;
    else if (isInString) at += char === '\\' ? 1 : 0;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return false;
    }
  }
  return depth > 0 || isInString || text.trim() === '';
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
  // No content: an empty list.
  if (response.status === 204) return;
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

const byte = {
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  open: 0x7b,
  close: 0x7d,
};

/** Depth of elements outside of the array: no depth is equal to it. */
const noDepth = Number.POSITIVE_INFINITY;

/**
 * Splits JSON text, given in pieces of any size, into the parsed elements of one array: that under `key` of the top-level object, or the
 * top-level array itself. It counts brackets outside of strings to find where elements end; `JSON.parse` checks the elements, and in the end
 * the text around them. Only the current element and the last piece are in memory.
 */
export function createElementSplitter(key: string): ElementSplitter {
  const decoder = new TextDecoder();
  /** The first character that is not white space. */
  let first = '';
  /** The text around the elements. */
  let wrapper = '';
  /** What follows it, or the last comma between elements. */
  let unread: Uint8Array[] = [];
  let depth = 0;
  let elementDepth = noDepth;
  let isAfterComma = false;
  let isInString = false;
  /** Whether the next byte is escaped by the last one of the piece before. */
  let isEscaped = false;
  /** The last string directly in the top-level object, in quotes: the name of the field whose array begins. */
  let field = '""';
  let bytesSinceElement = 0;

  /** Reads the elements up to a comma, or to the end of the array. */
  function parseElements(text: string, isEnd: boolean): readonly unknown[] {
    const elements = parseText(`[${text}]`) as readonly unknown[];
    if (elements.length === 0 && (isAfterComma || !isEnd)) throw new JsonFault('it is not valid');
    isAfterComma = !isEnd;
    return elements;
  }

  function readFirst(chunk: Uint8Array): void {
    first = decoder.decode(chunk, { stream: true }).trimStart().charAt(0);
    if (first === '<') throw new JsonFault('it is a web page');
    if (first !== '' && first !== '[' && first !== '{')
      throw new JsonFault('it is neither an object nor a list');
  }

  return {
    push(chunk) {
      if (first === '') readFirst(chunk);
      const batches: (readonly unknown[])[] = [];
      let from = 0;
      let comma = -1;
      const textUntil = (end: number): string => {
        const text = Buffer.concat([...unread, chunk.subarray(from, end)]).toString();
        unread = [];
        from = end + 1;
        return text;
      };
      let at = isEscaped ? 1 : 0;
      for (; at < chunk.length; at += 1) {
        const code = chunk[at];
        if (isInString) {
          at = endOfString(chunk, at);
          if (at >= chunk.length) break;
          isInString = false;
          if (depth === 1 && elementDepth === noDepth) wrapper += field = `${textUntil(at)}"`;
        } else if (code === byte.quote) {
          isInString = true;
          if (depth === 1 && elementDepth === noDepth) {
            wrapper += textUntil(at);
            from = at;
          }
        } else if (code === byte.comma) {
          if (depth === elementDepth) comma = at;
        } else if (code === byte.openList || code === byte.open) {
          const isValue =
            first === '[' ? depth === 0 : depth === 1 && elementDepth === noDepth && parseText(field) === key;
          depth += 1;
          if (isValue) {
            if (code === byte.open) throw new JsonFault(`"${key}" is not an array`);
            wrapper += `${textUntil(at)}[`;
            elementDepth = depth;
          }
        } else if (code === byte.closeList || code === byte.close) {
          if (depth === elementDepth) {
            batches.push(parseElements(textUntil(at), true));
            wrapper += String.fromCharCode(code);
            elementDepth = noDepth;
            comma = -1;
          }
          depth -= 1;
        }
      }
      isEscaped = at > chunk.length;
      if (comma >= 0) batches.push(parseElements(textUntil(comma), false));
      unread.push(chunk.subarray(from));
      const elements = batches.flat();
      bytesSinceElement = elements.length > 0 ? 0 : bytesSinceElement + chunk.byteLength;
      if (bytesSinceElement > maxValueBytes) {
        throw new JsonFault(`a value is longer than ${maxValueBytes} bytes`);
      }
      return elements;
    },
    end() {
      if (first === '') throw new JsonFault('it is empty', true);
      const text = wrapper + (isAfterComma ? '0,' : '') + Buffer.concat(unread).toString();
      const value = parseText(text.replace(/^\uFEFF/, ''));
      if (Array.isArray(value)) return;
      if (!isRecord(value) || !Object.hasOwn(value, key)) throw new JsonFault(`"${key}" is missing`);
      if (!Array.isArray(value[key])) throw new JsonFault(`"${key}" is not an array`);
    },
  };
}

/**
 * Position of the quote that ends a string in which a piece goes on at `from`; the length of the piece if the string goes on after it, and one
 * more if the first byte of the next piece is escaped.
 */
function endOfString(chunk: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    const quote = chunk.indexOf(byte.quote, at);
    const end = quote === -1 ? chunk.length : quote;
    let escapes = 0;
    while (end - escapes > at && chunk[end - escapes - 1] === byte.backslash) escapes += 1;
    const next = end + (escapes % 2);
    if (quote === -1 || next === quote) return next;
    at = quote + 1;
  }
}

/** @throws JsonFault */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw findFault(text);
  }
}
