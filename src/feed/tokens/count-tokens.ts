import { fileURLToPath } from 'node:url';
import { builtFile } from '../../core/threads.ts';
import { createUnitCache } from './unit-cache.ts';
import { readVocabulary, unknownRank } from './vocabulary.ts';

/** Counts the tokens of a text. Pure; the same text always gives the same number. */
export type CountTokens = (text: string) => number;

/** Merging byte pairs takes quadratic time in the length of a word; longer words are counted in windows. */
const longWordChars = 1000;
const windowChars = 250;

/** Matches much of what the expression of the encoding takes for one word, in a fraction of its time. */
const isWord = /^ ?[A-Z]?[a-z]{1,50}$/;

let counter: Promise<CountTokens> | undefined;

/**
 * Loads the tokenizer, once in each thread. It counts tokens as the models of OpenAI do (o200k_base). Counts are exact, except that an unbroken run of over 1,000
 * letters or signs is counted in windows.
 */
export function loadTokenCounter(): Promise<CountTokens> {
  counter ??= createCounter();
  return counter;
}

async function createCounter(): Promise<CountTokens> {
  // gpt-tokenizer has the rules and the vocabulary of the encoding; its code would take 60 MB in each thread.
  const { O200K_TOKEN_SPLIT_REGEX } = await import('gpt-tokenizer/encodingParams/constants');
  const vocabulary = readVocabulary(
    fileURLToPath(builtFile(import.meta.url, '../../bundled/o200k_base.bin')),
  );
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(longWordChars * 3);
  const starts = new Int32Array(bytes.length + 1);
  const ranks = new Int32Array(bytes.length);

  /** Tokens of a word, to which all merges are confined: the pair of the lowest rank is merged first. */
  function countWord(word: string): number {
    const { written } = encoder.encodeInto(word, bytes);
    if (vocabulary.rankOf(bytes, 0, written) !== unknownRank) return 1;
    let parts = written;
    for (let at = 0; at <= written; at += 1) starts[at] = at;
    const rankPair = (at: number): number =>
      at + 2 > parts ? unknownRank : vocabulary.rankOf(bytes, starts[at] as number, starts[at + 2] as number);
    for (let at = 0; at < parts; at += 1) ranks[at] = rankPair(at);
    for (;;) {
      let lowest = unknownRank;
      let first = 0;
      for (let at = 0; at < parts - 1; at += 1) {
        const rank = ranks[at] as number;
        if (rank < lowest) {
          lowest = rank;
          first = at;
        }
      }
      if (lowest === unknownRank) return parts;
      starts.copyWithin(first + 1, first + 2, parts + 1);
      ranks.copyWithin(first + 1, first + 2, parts);
      parts -= 1;
      ranks[first] = rankPair(first);
      if (first > 0) ranks[first - 1] = rankPair(first - 1);
    }
  }

  // The encoding first splits a text into words and never merges across them, so the sum over words is exact.
  return createUnitCache((unit) => {
    if (isWord.test(unit)) return countWord(unit);
    let tokens = 0;
    for (const word of unit.match(O200K_TOKEN_SPLIT_REGEX) ?? []) {
      const window = word.length > longWordChars ? windowChars : longWordChars;
      for (let at = 0; at < word.length; at += window) tokens += countWord(word.slice(at, at + window));
    }
    return tokens;
  });
}
