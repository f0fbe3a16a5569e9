/**
 * What a character is, in the Unicode classes that the tokenizer distinguishes; bits, so that one test asks for several.
 * Letters with case are `upper` (or title case) or `lower`; `caseless` are other letters and modifiers.
 */
export const upper = 1;
export const lower = 2;
export const caseless = 4;
export const mark = 8;
export const number = 16;
export const lineBreak = 32;
export const space = 64;
export const other = 128;
/** Beside one of the others: written as a surrogate pair. */
const wide = 256;

/** Letters and numbers. */
export const inWords = upper | lower | caseless | number;

/** Kind of the character at an offset of a text's UTF-16 units; 0 at the end of the text. */
export function kindAt(units: Uint16Array, at: number, end: number): number {
  if (at >= end) return 0;
  return kinds[units[at] as number] || unusualKindAt(units, at, end);
}

/** UTF-16 units of a character of this kind. */
export function sizeOf(kind: number): number {
  return 1 + (kind >>> 8);
}

/** By UTF-16 unit; 0 where nobody asked yet, and for surrogates. */
const kinds = new Uint8Array(0x10000);
/** Of characters written as a surrogate pair, by their offset after U+FFFF. */
const wideKinds = new Uint8Array(0x100000);

/** Of a character not seen before, or of one outside the basic plane. */
function unusualKindAt(units: Uint16Array, at: number, end: number): number {
  const character = String.fromCharCode(...units.subarray(at, Math.min(at + 2, end)));
  const point = character.codePointAt(0) ?? 0;
  if (point > 0xffff) {
    const offset = point - 0x10000;
    wideKinds[offset] ||= kindOf(String.fromCodePoint(point));
    return (wideKinds[offset] as number) | wide;
  }
  const kind = kindOf(String.fromCodePoint(point));
  if (!isSurrogate(point)) kinds[point] = kind;
  return kind;
}

/** Half a pair is no character, but may begin a pair elsewhere. */
function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

function kindOf(character: string): number {
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return upper;
  if (/\p{Ll}/u.test(character)) return lower;
  if (/[\p{Lm}\p{Lo}]/u.test(character)) return caseless;
  if (/\p{M}/u.test(character)) return mark;
  if (/\p{N}/u.test(character)) return number;
  if (/[\r\n]/.test(character)) return lineBreak;
  return /\s/.test(character) ? space : other;
}

/** Gives the UTF-16 units of a text, from the start of an array that may be longer; the next call overwrites them. */
export type ReadUnits = (text: string) => Uint16Array;

/** Makes a reader with a buffer of its own: reading every unit of a typed array is several times as fast as of a string. */
export function createUnitReader(): ReadUnits {
  let units = new Uint16Array(1 << 12);
  let bytes = Buffer.from(units.buffer);
  return (text) => {
    if (text.length > units.length) {
      units = new Uint16Array(2 * text.length);
      bytes = Buffer.from(units.buffer);
    }
    bytes.write(text, 'utf16le');
    return units;
  };
}
