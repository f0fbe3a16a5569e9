import { isUtf8 } from 'node:buffer';

/** Objects whose bytes held something that is not UTF-8. */
const damaged = new WeakSet<object>();

/**
 * Parses JSON bytes. Bytes that are not UTF-8 (RFC 8259, 8.1) become U+FFFD, and {@link hasDamagedText} is true for every object of
 * the value, as the bytes do not tell which of its texts they belong to.
 * @throws SyntaxError
 */
export function decodeJson(bytes: Buffer): unknown {
  const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!isUtf8(bytes)) markDamaged(value);
  return value;
}

/** Whether a record that {@link decodeJson} gave, or one made from it by {@link copyDamage}, came in bytes that are not UTF-8. */
export function hasDamagedText(record: object): boolean {
  return damaged.has(record);
}

/** Gives `record`, made from `source`, and marks it as damaged when that is. */
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

/** A text that is not the JSON it should be; `offset` counts bytes from its beginning. */
export class JsonFault extends Error {
  readonly offset: number;
  /** The text ends too early: it may be whole the next time. */
  readonly isCut: boolean;

  constructor(message: string, offset: number, isCut = false) {
    super(message);
    this.offset = offset;
    this.isCut = isCut;
  }
}

/** The bytes that JSON's structure is made of (RFC 8259, 2). */
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
