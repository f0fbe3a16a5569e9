import { fold, isPair, tokenize } from '../../foundation/search-tokens.ts';

/** A word or a beginning of words that is searched for. */
export interface SearchTerm {
  /** One index term, or those of a run of a script without spaces, which follow one another in the text. Letters and digits only. */
  readonly terms: readonly string[];
  /** Whether terms that begin so count, too; with one term only. */
  readonly isPrefix: boolean;
}

/** What the index is asked for. */
export interface SearchAttempt {
  readonly terms: readonly SearchTerm[];
  /** Whether a text must have all of them, or any. */
  readonly match: 'all' | 'any';
}

/** A search text as the index is asked. */
export interface ParsedSearch {
  /** The words searched for, folded. */
  readonly words: readonly string[];
  readonly isTruncated: boolean;
  /** To try one after another until one finds something; none when there is no word. */
  readonly attempts: readonly SearchAttempt[];
}

/** Longest search text that is read, in characters, and most words. */
const maxCharacters = 500;
const maxWords = 16;
/** Shorter words are prefixes of too much to be searched as such; the last word may still be being typed. */
const minPrefixLength = { last: 2, others: 3 };

/**
 * Turns what somebody typed into attempts: all words, the last one perhaps unfinished; else all words as
 * beginnings of words; else any of them, since a question in whole sentences rarely has all its words in one article.
 * A word that occurs twice counts once.
 */
export function parseSearch(text: string): ParsedSearch {
  const all = listWords(text.slice(0, maxCharacters));
  const words = all.slice(0, maxWords);
  const last = words.length - 1;
  const prefixes = words.map((word, index) =>
    toSearchTerm(word, minPrefixLength[index === last ? 'last' : 'others']),
  );
  const finished = words.map((word, index) =>
    toSearchTerm(word, index === last ? minPrefixLength.last : Number.POSITIVE_INFINITY),
  );
  return {
    words: words.map((word) => word.text),
    isTruncated: text.length > maxCharacters || all.length > maxWords,
    attempts: listAttempts(finished, prefixes),
  };
}

/** Without those that find nothing more than the one before. */
function listAttempts(
  finished: readonly SearchTerm[],
  prefixes: readonly SearchTerm[],
): readonly SearchAttempt[] {
  if (finished.length === 0) return [];
  const isSame = finished.every(({ isPrefix }, index) => isPrefix === prefixes[index]?.isPrefix);
  return [
    { terms: finished, match: 'all' },
    ...(isSame ? [] : [{ terms: prefixes, match: 'all' } as const]),
    ...(prefixes.length === 1 ? [] : [{ terms: prefixes, match: 'any' } as const]),
  ];
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

function toSearchTerm({ text, terms }: Word, minPrefix: number): SearchTerm {
  if (terms.length > 1) return { terms, isPrefix: false };
  const isPrefix = isPair(text) ? [...text].length === 1 : text.length >= minPrefix;
  return { terms: [text], isPrefix };
}
