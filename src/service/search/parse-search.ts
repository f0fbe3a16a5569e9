import { pairsOf, splitWords, type Word } from './split-words.ts';

/** A search text as the index is asked. */
export interface ParsedSearch {
  /** What was understood, for the answer. */
  readonly words: readonly string[];
  readonly isTruncated: boolean;
  /**
   * Full-text expressions to try one after another until one finds something; none when there is no word. They hold
   * nothing but quoted words of letters and digits, so that no input can be syntax.
   */
  readonly attempts: readonly string[];
}

/** Longest search text that is looked at, in characters, and most words. */
const maxCharacters = 500;
const maxWords = 16;
/** Shorter words are prefixes of too much to be searched as such; the last word may still be being typed. */
const minPrefixLength = { last: 2, others: 3 };

/**
 * Turns what somebody typed into full-text expressions: all words, the last one perhaps unfinished; else all words as
 * beginnings of words; else any of them, since a question in whole sentences rarely has all its words in one article.
 * Runs of unspaced scripts are phrases.
 */
export function parseSearch(text: string): ParsedSearch {
  const all = splitWords(text.slice(0, maxCharacters));
  const words = all.slice(0, maxWords);
  const last = words.length - 1;
  const prefixes = words.map((word, index) =>
    toExpression(word, minPrefixLength[index === last ? 'last' : 'others']),
  );
  const finished = words.map((word, index) =>
    index === last ? prefixes[index] : toExpression(word, Number.POSITIVE_INFINITY),
  );
  const attempts =
    words.length === 0 ? [] : [finished.join(' AND '), prefixes.join(' AND '), prefixes.join(' OR ')];
  return {
    words: words.map((word) => word.text),
    isTruncated: text.length > maxCharacters || all.length > maxWords,
    attempts: [...new Set(attempts)],
  };
}

function toExpression({ text, isUnspaced }: Word, minLength: number): string {
  if (isUnspaced) {
    const pairs = pairsOf(text);
    return pairs.length > 0 ? `"${pairs.join(' ')}"` : `"${text}"*`;
  }
  return text.length >= minLength ? `"${text}"*` : `"${text}"`;
}
