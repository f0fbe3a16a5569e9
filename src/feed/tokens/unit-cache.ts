import { firstHash, hashPrime } from '../../core/hash-slots.ts';

/** Slots of the cache; a power of two. Each has one unit, and a new one replaces it, so that no site makes the cache useless. */
const slotCount = 65_536;
/** UTF-16 units of a slot: the length, the tokens, and the text. */
const slotUnits = 32;
const headUnits = 2;

/** What {@link isCut} needs to know of a character. The other characters are of any kind, and no text is cut beside them. */
const letter = 1;
const digit = 2;
const sign = 3;

const ascii = new Uint8Array(128);
for (let code = 33; code < 127; code += 1) {
  const character = String.fromCharCode(code);
  ascii[code] = /[a-z]/i.test(character) ? letter : /\d/.test(character) ? digit : sign;
}
// Of `it's`, the second part is one token with the apostrophe.
ascii[0x27] = 0;

/**
 * Counts the tokens of texts unit by unit: a unit is about a word or a sign, and the split of the encoding never makes one token of two units. A unit is
 * looked up by its characters, so that a known one needs no string.
 * @param count counts the tokens of one unit
 */
export function createUnitCache(count: (unit: string) => number): (text: string) => number {
  const slots = new Uint16Array(slotCount * slotUnits);

  function countUnit(text: string, start: number, end: number, hash: number): number {
    const length = end - start;
    if (length > slotUnits - headUnits) return count(text.slice(start, end));
    const slot = ((hash ^ (hash >>> 15)) & (slotCount - 1)) * slotUnits;
    const shift = slot + headUnits - start;
    if (slots[slot] === length) {
      let at = start;
      while (at < end && slots[at + shift] === text.charCodeAt(at)) at += 1;
      if (at === end) return slots[slot + 1] as number;
    }
    const tokens = count(text.slice(start, end));
    slots[slot] = length;
    slots[slot + 1] = tokens;
    for (let at = start; at < end; at += 1) slots[at + shift] = text.charCodeAt(at);
    return tokens;
  }

  return (text) => {
    let tokens = 0;
    let start = 0;
    let hash = firstHash;
    for (let at = 0; at < text.length; at += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
      if (at + 1 === text.length || isCut(text, at)) {
        tokens += countUnit(text, start, at + 1, hash);
        start = at + 1;
        hash = firstHash;
      }
    }
    return tokens;
  };
}

/**
 * Whether no token has both the character at an offset and the next one, in any text: before a space that begins a word, after a line feed that begins a
 * line of text, and where letters and digits end.
 */
function isCut(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (next === 0x20) return !mayBeSpace(text.charCodeAt(at + 2));
  if (code === 0x0a) return next !== 0x2f && !mayBeSpace(next);
  const kind = kindOf(code);
  if (kind !== letter && kind !== digit) return false;
  const other = kindOf(next);
  return other !== 0 && other !== kind;
}

/** Also true at the end of a text. */
function mayBeSpace(code: number): boolean {
  return !(code > 0x20 && code < 0x80) && (Number.isNaN(code) || code < 0xc0 || isFarSpace(code));
}

function isFarSpace(code: number): boolean {
  return code === 0x1680 || (code >= 0x2000 && code <= 0x205f) || code === 0x3000 || code === 0xfeff;
}

/** Signs of Chinese and Japanese texts that are as wide as their letters. */
const wideSigns = new Set(Array.from('（），：！？', (sign) => sign.charCodeAt(0)));

/** Letters of Latin, Cyrillic, Chinese, Japanese and Korean; their marks and all other characters are of no kind. */
function kindOf(code: number): number {
  if (code < 0x80) return ascii[code] as number;
  if (code >= 0xc0 && code < 0x250) return code === 0xd7 || code === 0xf7 ? 0 : letter;
  if (code >= 0x410 && code < 0x450) return letter;
  if (code >= 0x4e00 && code <= 0x9fff) return letter;
  if ((code >= 0x3041 && code <= 0x3096) || (code >= 0x30a1 && code <= 0x30fe && code !== 0x30fb))
    return letter;
  if (code >= 0xac00 && code <= 0xd7a3) return letter;
  if ((code >= 0x3001 && code <= 0x3003) || (code >= 0x3008 && code <= 0x3011)) return sign;
  if (wideSigns.has(code)) return sign;
  return 0;
}
