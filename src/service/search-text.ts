import { escapeText } from '../core/html.ts';
import { charactersOf, fold, isPair, tokenize } from '../core/search/language-words.ts';

/** A word of a search. */
export interface SearchWord {
  /** The folded word. */
  readonly text: string;
  /** Its index words: several for text in a script without spaces, which must all occur. Letters and digits only. */
  readonly terms: readonly string[];
  /** Minimum length from which it may be the beginning of a word; 0: it always may. */
  readonly minPrefix: number;
}

/** A search text, parsed into words. */
interface ParsedSearch {
  /** The part that is searched. */
  readonly text: string;
  readonly words: readonly SearchWord[];
  readonly isTruncated: boolean;
}

/** Maximum length of a search text in characters, and maximum number of words. */
const maxCharacters = 500;
const maxWords = 16;
/** Minimum length of a word that is searched as a prefix: shorter ones match too much. The last word may be incomplete. */
const minPrefixLength = { last: 2, others: 3 };

/** Splits a search text into words. Duplicate words count once. */
export function parseSearch(text: string): ParsedSearch {
  const searched = text.slice(0, maxCharacters);
  const all = listWords(searched);
  const words = all.slice(0, maxWords);
  return {
    text: searched,
    words: words.map((word, at) => ({
      ...word,
      minPrefix: minPrefixOf(word, minPrefixLength[at === words.length - 1 ? 'last' : 'others']),
    })),
    isTruncated: text.length > maxCharacters || all.length > maxWords,
  };
}

type Word = Omit<SearchWord, 'minPrefix'>;

function listWords(text: string): readonly Word[] {
  const words = new Map<string, Word>();
  const add = (terms: readonly string[]) => {
    // Pairs overlap by one character: the first characters of all pairs, and the end of the last one, form the text.
    const text =
      terms.map(firstOf).join('') +
      charactersOf(terms.at(-1) ?? '')
        .slice(1)
        .join('');
    // If a word occurs twice, only the last occurrence may be incomplete.
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
  return charactersOf(text)[0] ?? '';
}

/** A single character of a script without spaces is the beginning of a pair. */
function minPrefixOf({ text, terms }: Word, usual: number): number {
  if (terms.length === 1 && isPair(text))
    return charactersOf(text).length === 1 ? 0 : Number.POSITIVE_INFINITY;
  return usual;
}

/** Maximum characters before the first match; maximum characters of the snippet. */
const leadLength = 60;
const snippetLength = 220;
/** Maximum characters that are searched for a match. */
const maxScanned = 50_000;
/** Characters of the text that a snippet needs: one more than are searched, to detect that the text was cut. */
export const snippetSource = maxScanned + 1;

/**
 * A short part of a text around the first match, as HTML whose only element is `<mark>`.
 * @param words folded words of the search
 */
export function makeSnippet(text: string, words: readonly string[]): string {
  // Like /\s+/, but without a match for every single space.
  const scanned = text
    .slice(0, maxScanned)
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim();
  const match = findMatch(scanned, words, 0);
  const from = startOfSnippet(scanned, match?.start ?? 0);
  const piece = scanned.slice(from, from + snippetLength);
  const isCut = from + piece.length < text.length;
  return `${from > 0 ? '… ' : ''}${mark(piece, words)}${isCut ? ' …' : ''}`;
}

interface Match {
  readonly start: number;
  readonly end: number;
}

function mark(piece: string, words: readonly string[]): string {
  let html = '';
  let from = 0;
  for (let match = findMatch(piece, words, from); match; match = findMatch(piece, words, from)) {
    html += `${escapeText(piece.slice(from, match.start))}<mark>${escapeText(piece.slice(match.start, match.end))}</mark>`;
    from = match.end;
  }
  return html + escapeText(piece.slice(from));
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Finds the first word from an offset that starts with a search term. */
function findMatch(text: string, words: readonly string[], from: number): Match | null {
  wordPattern.lastIndex = from;
  for (let found = wordPattern.exec(text); found; found = wordPattern.exec(text)) {
    const folded = fold(found[0]);
    for (const word of words) {
      if (folded.startsWith(word)) return { start: found.index, end: found.index + found[0].length };
      // In a script without spaces, the word may be anywhere in the match; folding does not change the length there.
      const inside = found[0].indexOf(word);
      if (inside > 0 && !/^[a-z]/i.test(word)) {
        return { start: found.index + inside, end: found.index + inside + word.length };
      }
    }
  }
  return null;
}

function startOfSnippet(text: string, match: number): number {
  if (match <= leadLength) return 0;
  const from = match - leadLength;
  const space = text.indexOf(' ', from);
  return space !== -1 && space < match ? space + 1 : from;
}
