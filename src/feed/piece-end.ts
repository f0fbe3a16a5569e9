import {
  caseless,
  kindAt,
  lineBreak,
  lower,
  mark,
  number,
  other,
  sizeOf,
  space,
  upper,
} from './character-kinds.ts';

const startsWord = upper | caseless | mark;
const endsWord = lower | caseless | mark;
const isSign = mark | other;
const isSpace = lineBreak | space;

/** Digits of one piece. */
const maxDigits = 3;

/**
 * Where the piece of a text that starts at an offset ends: what the sticky `o200k_base` pattern matches there, found
 * without a regular expression. Pieces are what the encoding splits a text into and never merges across.
 */
export function pieceEnd(text: string, start: number): number {
  const first = kindAt(text, start);
  if ((first & (upper | lower | caseless)) !== 0) return wordEnd(text, start, true);
  const next = start + sizeOf(first);
  if ((first & number) !== 0) return digitsEnd(text, next);
  if (first !== lineBreak) {
    // One sign or space goes with the word after it; a mark is a word by itself before it takes capitals along.
    const end = wordEnd(text, next, (first & mark) === 0);
    if (end >= 0) return end;
    if ((first & mark) !== 0) return wordEnd(text, start, true);
    if ((first & other) !== 0) return signsEnd(text, next);
    if (text.charCodeAt(start) === 0x20 && (kindAt(text, next) & isSign) !== 0) return signsEnd(text, next);
  }
  return spaceEnd(text, start);
}

/**
 * End of a word: capitals or caseless letters, then small or caseless ones, of these at least one; or
 * capitals alone where they are allowed; -1 when there is none.
 */
function wordEnd(text: string, start: number, capitalsAlone: boolean): number {
  let at = start;
  let lastCaseless = -1;
  let kind = kindAt(text, at);
  while ((kind & startsWord) !== 0) {
    at += sizeOf(kind);
    if ((kind & upper) === 0) lastCaseless = at;
    kind = kindAt(text, at);
  }
  if ((kind & lower) !== 0) {
    do {
      at += sizeOf(kind);
      kind = kindAt(text, at);
    } while ((kind & endsWord) !== 0);
  } else if (lastCaseless >= 0) at = lastCaseless;
  else if (at === start || !capitalsAlone) return -1;
  return text.charCodeAt(at) === 0x27 ? contractionEnd(text, at) : at;
}

/** End of `'s`, `'d`, `'m`, `'t`, `'ll`, `'ve` or `'re` in either case, from the `'`; its offset without one. */
function contractionEnd(text: string, at: number): number {
  switch (text.charCodeAt(at + 1) | 0x20) {
    case 0x73:
    case 0x64:
    case 0x6d:
    case 0x74:
      return at + 2;
    case 0x6c:
      return (text.charCodeAt(at + 2) | 0x20) === 0x6c ? at + 3 : at;
    case 0x76:
    case 0x72:
      return (text.charCodeAt(at + 2) | 0x20) === 0x65 ? at + 3 : at;
    default:
      return at;
  }
}

function digitsEnd(text: string, afterFirst: number): number {
  let at = afterFirst;
  for (let digits = 1; digits < maxDigits; digits += 1) {
    const kind = kindAt(text, at);
    if ((kind & number) === 0) break;
    at += sizeOf(kind);
  }
  return at;
}

/** End of signs and marks and of the line feeds and slashes after them. */
function signsEnd(text: string, from: number): number {
  let at = from;
  for (let kind = kindAt(text, at); (kind & isSign) !== 0; kind = kindAt(text, at)) at += sizeOf(kind);
  while (kindAt(text, at) === lineBreak || text.charCodeAt(at) === 0x2f) at += 1;
  return at;
}

/** White space goes to its last line feed, or else leaves its last space to what follows. */
function spaceEnd(text: string, start: number): number {
  let at = start;
  let lastBreak = -1;
  for (let kind = kindAt(text, at); (kind & isSpace) !== 0; kind = kindAt(text, at)) {
    at += 1;
    if (kind === lineBreak) lastBreak = at;
  }
  if (lastBreak >= 0) return lastBreak;
  return at === text.length || at === start + 1 ? at : at - 1;
}
