import { escapeText } from '../../foundation/html.ts';
import { fold } from '../../foundation/search-tokens.ts';

/** Characters of context before the first match, and of the whole snippet. */
const leadLength = 60;
const snippetLength = 220;
/** Characters that are searched for a match. */
const maxScanned = 50_000;
/** Characters of a text of which its snippet is made: one more than are searched, so that it says where it was cut. */
export const snippetSource = maxScanned + 1;

/**
 * A short piece of a text around the first match, as HTML whose only element is `<mark>`.
 * @param words folded words of the search.
 */
export function makeSnippet(text: string, words: readonly string[]): string {
  const scanned = text.slice(0, maxScanned).replace(/\s+/g, ' ').trim();
  const match = finderOf(scanned, words)(scanned, 0);
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
  const find = finderOf(piece, words);
  let html = '';
  let from = 0;
  for (let match = find(piece, from); match; match = find(piece, from)) {
    html += `${escapeText(piece.slice(from, match.start))}<mark>${escapeText(piece.slice(match.start, match.end))}</mark>`;
    from = match.end;
  }
  return html + escapeText(piece.slice(from));
}

/** Finds the first word of a text, from a place in it, that begins with one that is searched for. */
type Finder = (text: string, from: number) => Match | null;

/** In ASCII, where folding is lower case, one pattern finds what else every word of a text is looked at for. */
function finderOf(text: string, words: readonly string[]): Finder {
  const found = words.filter((word) => /^[a-z0-9]+$/.test(word));
  const isPlain = /^[\0-\x7f]*$/.test(text) && found.length > 0 && found.every((word) => /^[a-z]/.test(word));
  if (!isPlain) return (text, from) => findMatch(text, words, from);
  const pattern = new RegExp(`(?<![a-z0-9])(?:${found.join('|')})[a-z0-9]*`, 'gi');
  return (text, from) => {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    return match && { start: match.index, end: pattern.lastIndex };
  };
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

function findMatch(text: string, words: readonly string[], from: number): Match | null {
  wordPattern.lastIndex = from;
  for (let found = wordPattern.exec(text); found; found = wordPattern.exec(text)) {
    const folded = fold(found[0]);
    for (const word of words) {
      if (folded.startsWith(word)) return { start: found.index, end: found.index + found[0].length };
      // In a script without spaces the word may be anywhere in the run; folding keeps its length there.
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
