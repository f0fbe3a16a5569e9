import { createRequire } from 'node:module';
import { createUnitReader, preTokenEnd } from './pre-token-end.ts';

/** Counts the tokens of a text. Pure; the same text always gives the same number. */
export type CountTokens = (text: string) => number;

/** The installed tokenizer. The manifest names it: another one may cut chunks elsewhere. */
export function describeTokenizer(): Tokenizer {
  const require = createRequire(import.meta.url);
  const { name, version } = require('gpt-tokenizer/package.json') as Pick<Tokenizer, 'name' | 'version'>;
  return { name, version, encoding: 'o200k_base' };
}

interface Tokenizer {
  readonly name: string;
  readonly version: string;
  readonly encoding: string;
}

/** Merging byte pairs takes quadratic time in the length of a pre-token; longer pre-tokens are counted in windows. */
const longPreTokenChars = 1000;
const windowChars = 250;

/**
 * Loads the tokenizer (120 ms and about 30 MB, so only for a feed). Counts are exact, except that an unbroken run of over 1,000 letters or
 * signs is counted in windows.
 */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text such as `<|endoftext|>` is content here, not a control token.
  const asText = { disallowedSpecial: new Set<string>() };
  const readUnits = createUnitReader();
  const countKnown = cachePreTokenCounts((preToken) => countTokens(preToken, asText));

  const countWindows = (preToken: string): number => {
    let tokens = 0;
    for (let at = 0; at < preToken.length; at += windowChars) {
      tokens += countTokens(preToken.slice(at, at + windowChars), asText);
    }
    return tokens;
  };
  // The encoding first splits a text into pre-tokens and never merges across them, so the sum over pre-tokens is exact.
  return (text) => {
    const units = readUnits(text);
    let tokens = 0;
    for (let at = 0; at < text.length; ) {
      const end = preTokenEnd(units, at, text.length);
      tokens += end - at > longPreTokenChars ? countWindows(text.slice(at, end)) : countKnown(units, at, end);
      at = end;
    }
    return tokens;
  };
}

/** Counts the tokens of the pre-token between two offsets of a text's UTF-16 units. */
export type CountPreToken = (text: Uint16Array, start: number, end: number) => number;

/** Slots of the hash table; a power of two. */
const slotCount = 131_072;
/** Pre-tokens in the cache; half of the slots stay free. */
const maxPreTokens = slotCount / 2;
/** UTF-16 units of all cached pre-tokens, with two numbers before each: 2 MB. */
const maxUnits = 1_048_576;
const headUnits = 2;
/** Most slots probed for one pre-token. After that, the text is counted without the cache. */
const maxProbes = 32;

/**
 * Caches the counts of pre-tokens, because prose repeats words. A pre-token is looked up by its UTF-16 units, so that a known one needs no
 * string. A full cache is cleared.
 * @param count counts an unknown pre-token of at most 65,535 units
 */
export function cachePreTokenCounts(count: (preToken: string) => number): CountPreToken {
  // Position of a pre-token in `units`: its length, its tokens, its units. 0 is a free slot.
  const slots = new Int32Array(slotCount);
  const units = new Uint16Array(maxUnits);
  let used = 1;
  let preTokens = 0;

  function isSame(entry: number, text: Uint16Array, start: number, end: number): boolean {
    if (units[entry] !== end - start) return false;
    const shift = entry + headUnits - start;
    for (let at = start; at < end; at += 1) if (units[at + shift] !== text[at]) return false;
    return true;
  }

  function store(slot: number, preToken: Uint16Array, tokens: number): void {
    slots[slot] = used;
    units[used] = preToken.length;
    units[used + 1] = tokens;
    units.set(preToken, used + headUnits);
    used += headUnits + preToken.length;
    preTokens += 1;
  }

  function clear(): void {
    slots.fill(0);
    used = 1;
    preTokens = 0;
  }

  return (text, start, end) => {
    let slot = hashUnits(text, start, end) & (slotCount - 1);
    let probes = 0;
    for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
      if (isSame(entry, text, start, end)) return units[entry + 1] as number;
      probes += 1;
      if (probes === maxProbes) return count(String.fromCharCode(...text.subarray(start, end)));
      slot = (slot + 1) & (slotCount - 1);
    }
    const preToken = text.subarray(start, end);
    const tokens = count(String.fromCharCode(...preToken));
    if (preTokens >= maxPreTokens || used + headUnits + preToken.length > maxUnits) clear();
    else store(slot, preToken, tokens);
    return tokens;
  };
}

/** FNV-1a, mixed so that the low bits depend on every unit. */
function hashUnits(text: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (text[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
