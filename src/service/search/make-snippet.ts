import { escapeText } from '../../foundation/html.ts';
import { fold } from '../../foundation/search-tokens.ts';

/** Characters of context before the first match, and of the whole snippet. */
const leadLength = 60;
const snippetLength = 220;
/** Characters that are searched for a match. */
const maxScanned = 50_000;

/**
 * A short piece of a text around the first match, as HTML whose only element is `<mark>`.
 * @param words folded words of the search.
 */
export function makeSnippet(text: string, words: readonly string[]): string {
  const scanned = text.slice(0, maxScanned).replace(/\s+/g, ' ').trim();
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
