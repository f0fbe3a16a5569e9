import { firstHash, hashPrime } from '../../core/hash-slots.ts';

/** Pairs of slots; a power of two. A new unit replaces the older one of its pair, so that no site makes the cache useless. */
const pairCount = 32_768;
/** UTF-16 units of a slot: the length, the tokens, and the text. */
const slotUnits = 32;
const headUnits = 2;

/** Kinds of characters. The other ones are of no kind, and no text is cut beside them. */
const letter = 1;
const digit = 2;
const sign = 3;
/** Matches the kind in a number of {@link characters}. */
const kindBits = 3;
/** Set in it if the character is no space: one that begins a word, or a line of text. */
const visibleBit = 4;

/**
 * Counts the tokens of texts unit by unit: a unit is about a word or a sign, and the split of the encoding never makes one token of two units: it
 * ends before a space that begins a word, after a line feed that begins a line of text, where letters end, and around digits, of which three are a
 * word. A unit is looked up by its characters, so that a known one needs no string.
 * @param count counts the tokens of one unit
 */
export function createUnitCache(count: (unit: string) => number): (text: string) => number {
  const characters = describeCharacters();
  const slots = new Uint16Array(2 * pairCount * slotUnits);
  // An array of numbers is read several times as fast as a string, which may be a part of another one.
  let bytes = Buffer.alloc(0);
  let codes = new Uint16Array();
  /** Whether a slot has the unit between two positions of the text. */
  const has = (slot: number, start: number, end: number): boolean => {
    if (slots[slot] !== end - start) return false;
    const shift = slot + headUnits - start;
    let same = start;
    while (same < end && slots[same + shift] === codes[same]) same += 1;
    return same === end;
  };

  return (text) => {
    const { length } = text;
    // After the text are two characters that are nothing.
    if (length + 2 > codes.length) {
      codes = new Uint16Array(Math.max(65_536, 2 * length));
      bytes = Buffer.from(codes.buffer);
    }
    bytes.write(text, 'utf16le');
    codes[length] = 0;
    codes[length + 1] = 0;
    const factsAt = (at: number): number => characters[codes[at] as number] as number;
    let tokens = 0;
    for (let start = 0, at = 0; at < length; start = at) {
      let hash = firstHash;
      let kind = factsAt(at) & kindBits;
      let isNumber = kind === digit;
      for (;;) {
        const code = codes[at] as number;
        hash = Math.imul(hash ^ code, hashPrime);
        at += 1;
        if (at === length) break;
        const facts = factsAt(at);
        const next = facts & kindBits;
        if (kind === letter && next === letter) continue;
        if (codes[at] === 0x20) {
          if ((factsAt(at + 1) & visibleBit) !== 0) break;
        } else if (code === 0x0a) {
          if (codes[at] !== 0x2f && (facts & visibleBit) !== 0) break;
        } else if (next === digit) {
          if (kind === digit ? isNumber && at - start === 3 : kind !== 0 || code === 0x20) break;
        } else if ((kind === letter || kind === digit) && next !== 0 && next !== kind) break;
        isNumber &&= next === digit;
        kind = next;
      }
      const size = at - start;
      if (size > slotUnits - headUnits) {
        tokens += count(text.slice(start, at));
        continue;
      }
      const first = ((hash ^ (hash >>> 15)) & (pairCount - 1)) * 2 * slotUnits;
      const second = first + slotUnits;
      let slot = first;
      if (!has(first, start, at)) {
        slot = second;
        if (!has(second, start, at)) {
          slots.copyWithin(second, first, second);
          slot = first;
          slots[first] = size;
          slots[first + 1] = count(text.slice(start, at));
          slots.set(codes.subarray(start, at), first + headUnits);
        }
      }
      tokens += slots[slot + 1] as number;
    }
    return tokens;
  };
}

/** The kind of every UTF-16 unit, and whether it is visible. */
function describeCharacters(): Uint8Array {
  const facts = new Uint8Array(65_536);
  for (const code of facts.keys()) facts[code] = kindOf(code) | (mayBeSpace(code) ? 0 : visibleBit);
  return facts;
}

function mayBeSpace(code: number): boolean {
  return !(code > 0x20 && code < 0x80) && (code < 0xc0 || isFarSpace(code));
}

function isFarSpace(code: number): boolean {
  return code === 0x1680 || (code >= 0x2000 && code <= 0x205f) || code === 0x3000 || code === 0xfeff;
}

/** Signs of Chinese and Japanese texts that are as wide as their letters. */
const wideSigns = new Set(Array.from('（），：！？', (sign) => sign.charCodeAt(0)));

/** Letters of Latin, Cyrillic, Chinese, Japanese and Korean; their marks and all other characters are of no kind. */
function kindOf(code: number): number {
  if (code < 0x80) return kindOfAscii(code);
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

function kindOfAscii(code: number): number {
  const character = String.fromCharCode(code);
  // Of `it's`, the second part is one token with the apostrophe.
  if (!/[!-~]/.test(character) || character === "'") return 0;
  if (/[a-z]/i.test(character)) return letter;
  return /\d/.test(character) ? digit : sign;
}
