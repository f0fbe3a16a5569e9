import { isUtf8 } from 'node:buffer';

/** Objects whose bytes were not valid UTF-8. */
const damaged = new WeakSet<object>();

/**
 * Parses JSON bytes. Invalid UTF-8 (RFC 8259, 8.1) becomes U+FFFD. Then {@link hasDamagedText} is true for every object of the value,
 * because the bytes do not show which text they belong to.
 * @throws SyntaxError
 */
export function decodeJson(bytes: Buffer): unknown {
  const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!isUtf8(bytes)) markDamaged(value);
  return value;
}

/** Whether a record from {@link decodeJson}, or a copy marked by {@link copyDamage}, came from bytes that were not valid UTF-8. */
export function hasDamagedText(record: object): boolean {
  return damaged.has(record);
}

/** Returns `record`, which was made from `source`, and marks it as damaged if `source` is. */
export function copyDamage<T extends object | null>(source: unknown, record: T): T {
  if (record !== null && typeof source === 'object' && source !== null && damaged.has(source))
    damaged.add(record);
  return record;
}

function markDamaged(value: unknown): void {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    damaged.add(next);
    for (const inner of Object.values(next)) open.push(inner);
  }
}

/** A text that is not the expected JSON; `offset` counts bytes from its start. */
export class JsonFault extends Error {
  readonly offset: number;
  /** The text ends too early; a retry may return all of it. */
  readonly isCut: boolean;

  constructor(message: string, offset: number, isCut = false) {
    super(message);
    this.offset = offset;
    this.isCut = isCut;
  }
}

/** The structural bytes of JSON (RFC 8259, 2). */
export const jsonByte = {
  quote: 0x22,
  backslash: 0x5c,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  comma: 0x2c,
  colon: 0x3a,
} as const;

/** Whether a byte is JSON's white space. */
export function isJsonBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const { quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma } = jsonByte;

/** Largest accepted record; Node's longest string is about twice as long. */
const longestValueBytes = 256 * 1024 * 1024;

interface ValueScanner {
  isOpen(): boolean;
  /** Starts a value at the next byte given to `scan`. */
  open(): void;
  /**
   * Reads the bytes from `start` that belong to the value. Returns the index after its last one, or -1 if the value continues in the next
   * chunk. @throws JsonFault if the value is far too long
   */
  scan(bytes: Buffer, start: number): number;
  /** Parses the completed value; `endOffset` is its end in the text, for messages. @throws JsonFault */
  parse(endOffset: number): unknown;
}

/**
 * Finds the end of one JSON value, given in pieces, by its brackets and quotes; `JSON.parse` then checks whether it is valid. Inside
 * strings, which are most of a knowledge base, it jumps from quote to quote.
 */
export function createValueScanner(): ValueScanner {
  let kind: 'none' | 'unknown' | 'string' | 'nested' | 'literal' = 'none';
  let depth = 0;
  let inString = false;
  /** Whether the bytes before the current chunk end in an odd number of backslashes. */
  let isEscaped = false;
  let parts: Buffer[] = [];
  let length = 0;

  /** Index after the closing quote of the string that is open at `at`, or -1 if the quote is not in these bytes. */
  function endOfString(bytes: Buffer, at: number): number {
    let from = at;
    for (;;) {
      const end = bytes.indexOf(quote, from);
      const stop = end === -1 ? bytes.length : end;
      let first = stop;
      while (first > at && bytes[first - 1] === backslash) first -= 1;
      const isOdd = ((stop - first) & 1) === 1;
      const escaped = first === at && isEscaped ? !isOdd : isOdd;
      if (end === -1) {
        isEscaped = escaped;
        return -1;
      }
      if (!escaped) {
        isEscaped = false;
        return end + 1;
      }
      from = end + 1;
    }
  }

  function findEnd(bytes: Buffer, start: number): number {
    let at = start;
    if (kind === 'unknown') {
      const byte = bytes[at];
      kind = byte === quote ? 'string' : byte === openBrace || byte === openBracket ? 'nested' : 'literal';
      if (kind === 'string') {
        inString = true;
        at += 1;
      }
    }
    if (kind === 'literal') {
      while (at < bytes.length && !endsLiteral(bytes[at] as number)) at += 1;
      return at < bytes.length ? at : -1;
    }
    for (;;) {
      if (inString) {
        at = endOfString(bytes, at);
        if (at === -1) return -1;
        inString = false;
        if (kind === 'string') return at;
      }
      while (at < bytes.length) {
        const byte = bytes[at] as number;
        at += 1;
        if (byte === quote) {
          inString = true;
          break;
        }
        if (byte === openBrace || byte === openBracket) depth += 1;
        else if (byte === closeBrace || byte === closeBracket) {
          depth -= 1;
          if (depth === 0) return at;
        }
      }
      if (at >= bytes.length) return -1;
    }
  }

  return {
    isOpen: () => kind !== 'none',
    open() {
      kind = 'unknown';
      depth = 0;
      inString = false;
      isEscaped = false;
      parts = [];
      length = 0;
    },
    scan(bytes, start) {
      const end = findEnd(bytes, start);
      const part = bytes.subarray(start, end === -1 ? bytes.length : end);
      length += part.length;
      if (length > longestValueBytes)
        throw new JsonFault(`a value is longer than ${longestValueBytes} bytes`, length);
      parts.push(part);
      return end;
    },
    parse(endOffset) {
      const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length);
      kind = 'none';
      parts = [];
      try {
        return decodeJson(bytes);
      } catch {
        // The parser's own message quotes the text, which may be part of a draft.
        throw new JsonFault('a value is not valid', endOffset - length);
      }
    },
  };
}

function endsLiteral(byte: number): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace || byte <= 0x20;
}
