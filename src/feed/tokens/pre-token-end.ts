/**
 * Unicode classes that the tokenizer distinguishes, as bits, so that one test can check several. Letters with case are `upper` (or title
 * case) or `lower`; `caseless` are other letters and modifiers.
 */
const upper = 1;
const lower = 2;
const caseless = 4;
const mark = 8;
const number = 16;
const lineBreak = 32;
const space = 64;
const other = 128;
/** Additional bit: the character is a surrogate pair. */
const wide = 256;

/** Letters and numbers. */
export const inWords = upper | lower | caseless | number;

/** Kind of the character at an offset of a text's UTF-16 units; 0 at the end of the text. */
export function kindAt(units: Uint16Array, at: number, end: number): number {
  if (at >= end) return 0;
  return kinds[units[at] as number] || unusualKindAt(units, at, end);
}

/** Number of UTF-16 units of a character of this kind. */
export function sizeOf(kind: number): number {
  return 1 + (kind >>> 8);
}

/** Kinds by UTF-16 unit; 0 if not looked up yet, and for surrogates. */
const kinds = new Uint8Array(0x10000);
/** Kinds of surrogate pairs, by code point minus 0x10000. */
const wideKinds = new Uint8Array(0x100000);

/** Kind of a character that was not looked up yet, or that is outside the basic plane. */
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

/** Half a pair is not a character, but may begin a pair elsewhere. */
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

/** Returns the UTF-16 units of a text at the start of an array that may be longer. The next call overwrites them. */
type ReadUnits = (text: string) => Uint16Array;

/** Creates a reader with its own buffer: reading units from a typed array is several times faster than from a string. */
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

const startsWord = upper | caseless | mark;
const endsWord = lower | caseless | mark;
const isSign = mark | other;
const isSpace = lineBreak | space;

const apostrophe = 0x27;
const slash = 0x2f;

/** Maximum digits of one pre-token. */
const maxDigits = 3;

/**
 * End of the pre-token that starts at an offset, equal to the match of the sticky `o200k_base` pattern there, but without a regular
 * expression. The encoding splits a text into pre-tokens and never merges across them.
 * @param units UTF-16 units of the text, up to `length`
 */
export function preTokenEnd(units: Uint16Array, start: number, length: number): number {
  const first = kindAt(units, start, length);
  if ((first & (upper | lower | caseless)) !== 0) return wordEnd(units, start, length, true);
  const next = start + sizeOf(first);
  if ((first & number) !== 0) return digitsEnd(units, next, length);
  if (first !== lineBreak) {
    // One sign or space belongs to the word after it. A mark is a word itself unless capitals follow.
    const end = wordEnd(units, next, length, (first & mark) === 0);
    if (end >= 0) return end;
    if ((first & mark) !== 0) return wordEnd(units, start, length, true);
    if ((first & other) !== 0) return signsEnd(units, next, length);
    if (units[start] === 0x20 && (kindAt(units, next, length) & isSign) !== 0)
      return signsEnd(units, next, length);
  }
  return spaceEnd(units, start, length);
}

/**
 * End of a word: capitals or caseless letters, then at least one small or caseless letter; or only capitals if allowed; -1 if there is no
 * word.
 */
function wordEnd(units: Uint16Array, start: number, length: number, capitalsAlone: boolean): number {
  let at = start;
  let lastCaseless = -1;
  let kind = kindAt(units, at, length);
  while ((kind & startsWord) !== 0) {
    at += sizeOf(kind);
    if ((kind & upper) === 0) lastCaseless = at;
    kind = kindAt(units, at, length);
  }
  if ((kind & lower) !== 0) {
    do {
      at += sizeOf(kind);
      kind = kindAt(units, at, length);
    } while ((kind & endsWord) !== 0);
  } else if (lastCaseless >= 0) at = lastCaseless;
  else if (at === start || !capitalsAlone) return -1;
  return at < length && units[at] === apostrophe ? contractionEnd(units, at, length) : at;
}

/** End of `'s`, `'d`, `'m`, `'t`, `'ll`, `'ve` or `'re` in either case, starting at the `'`; the offset itself if there is none. */
function contractionEnd(units: Uint16Array, at: number, length: number): number {
  switch (lowerAt(units, at + 1, length)) {
    case 0x73:
    case 0x64:
    case 0x6d:
    case 0x74:
      return at + 2;
    case 0x6c:
      return lowerAt(units, at + 2, length) === 0x6c ? at + 3 : at;
    case 0x76:
    case 0x72:
      return lowerAt(units, at + 2, length) === 0x65 ? at + 3 : at;
    default:
      return at;
  }
}

/** A unit with the lower-case bit set; 0 at the end of the text. */
function lowerAt(units: Uint16Array, at: number, length: number): number {
  return at < length ? (units[at] as number) | 0x20 : 0;
}

function digitsEnd(units: Uint16Array, afterFirst: number, length: number): number {
  let at = afterFirst;
  for (let digits = 1; digits < maxDigits; digits += 1) {
    const kind = kindAt(units, at, length);
    if ((kind & number) === 0) break;
    at += sizeOf(kind);
  }
  return at;
}

/** End of a run of signs and marks, and of the line feeds and slashes after it. */
function signsEnd(units: Uint16Array, from: number, length: number): number {
  let at = from;
  for (let kind = kindAt(units, at, length); (kind & isSign) !== 0; kind = kindAt(units, at, length))
    at += sizeOf(kind);
  while (at < length && (kindAt(units, at, length) === lineBreak || units[at] === slash)) at += 1;
  return at;
}

/** White space ends after its last line feed; without a line feed, its last space belongs to the next pre-token. */
function spaceEnd(units: Uint16Array, start: number, length: number): number {
  let at = start;
  let lastBreak = -1;
  for (let kind = kindAt(units, at, length); (kind & isSpace) !== 0; kind = kindAt(units, at, length)) {
    at += 1;
    if (kind === lineBreak) lastBreak = at;
  }
  if (lastBreak >= 0) return lastBreak;
  return at === length || at === start + 1 ? at : at - 1;
}
