import { foldText } from './fold-text.ts';

/** A piece of folded text that is searched for as a whole. */
export interface Word {
  readonly text: string;
  /** The script writes no spaces between words, so that any two neighbouring characters may be a word. */
  readonly isUnspaced: boolean;
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const letter = '[\\p{L}\\p{N}\\p{M}]';
// Scripts hold signs too (the CJK radicals, for one), which are no letters and would be lost in the index.
const wordPattern = new RegExp(`(?:(?=${letter})[${unspaced}])+|(?:(?![${unspaced}])${letter})+`, 'gu');
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u');

/** Splits a text into folded words; a run of an unspaced script is one word. */
export function splitWords(text: string): readonly Word[] {
  return Array.from(foldText(text).matchAll(wordPattern), ([word]) => ({
    text: word,
    isUnspaced: unspacedStart.test(word),
  }));
}

/** Pairs of neighbouring characters: `ABCD` → `AB`, `BC`, `CD`. A single character gives nothing. */
export function pairsOf(word: string): readonly string[] {
  const characters = [...word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/**
 * A text as the search index stores it: folded words with spaces between; unspaced runs as pairs of characters and
 * their last character, so that one character can be found as the beginning of a pair.
 */
export function toIndexText(text: string): string {
  return splitWords(text)
    .flatMap((word) => (word.isUnspaced ? [...pairsOf(word.text), [...word.text].at(-1)] : [word.text]))
    .join(' ');
}
