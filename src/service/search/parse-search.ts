import { fold, isPair, tokenize } from '../../foundation/search-tokens.ts';

/** A search text as the index is asked. */
export interface ParsedSearch {
  /** The words searched for, folded. */
  readonly words: readonly string[];
  readonly isTruncated: boolean;
  /**
   * Full-text expressions to try one after another until one finds something; none when there is no word. They hold
   * nothing but quoted words of letters and digits, so that no input can be syntax.
   */
  readonly attempts: readonly string[];
}

/** Longest search text that is read, in characters, and most words. */
const maxCharacters = 500;
const maxWords = 16;
/** Shorter words are prefixes of too much to be searched as such; the last word may still be being typed. */
const minPrefixLength = { last: 2, others: 3 };

/**
 * Turns what somebody typed into full-text expressions: all words, the last one perhaps unfinished; else all words as
 * beginnings of words; else any of them, since a question in whole sentences rarely has all its words in one article.
 * A word that occurs twice counts once.
 */
export function parseSearch(text: string): ParsedSearch {
  const all = listWords(text.slice(0, maxCharacters));
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

interface Word {
  readonly text: string;
  /** Its index terms; several for a run of a script without spaces, which is searched for as a phrase. */
  readonly terms: readonly string[];
}

function listWords(text: string): readonly Word[] {
  const words = new Map<string, Word>();
  const add = (terms: readonly string[]) => {
    // Pairs overlap by one character: the first of each and the end of the last one spell the run.
    const text = terms.map(firstOf).join('') + [...(terms.at(-1) ?? '')].slice(1).join('');
    // The last of two equal words is the one that may be unfinished.
    words.delete(text);
    words.set(text, { text, terms });
  };
  for (const [chunk] of fold(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    let run: string[] = [];
    for (const term of tokenize(chunk, true)) {
      if (isPair(term)) {
        run.push(term);
        continue;
      }
      if (run.length > 0) add(run);
      run = [];
      add([term]);
    }
    if (run.length > 0) add(run);
  }
  return [...words.values()];
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

function toExpression({ text, terms }: Word, minLength: number): string {
  if (terms.length > 1) return `"${terms.join(' ')}"`;
  if (isPair(text)) return [...text].length > 1 ? `"${text}"` : `"${text}"*`;
  return text.length >= minLength ? `"${text}"*` : `"${text}"`;
}
