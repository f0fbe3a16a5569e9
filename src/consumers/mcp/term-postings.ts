import { firstHash, hashPrime } from '../../core/hash-slots.ts';
import { hasSyllables, type LanguageWords, tokenize } from '../../core/search/language-words.ts';
import type { TermField } from '../../core/search/rank-passages.ts';

/** The words of Markdown: no URLs of links, and no backslashes that would take words apart. */
export function withoutMarkup(markdown: string): string {
  return markdown.replace(/\]\((?:<[^>\n]*>|[^()\s]*)\)/g, '] ').replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/**
 * A posting is a chunk that has a stem: `chunk << 8`, how often its text with title and headings has it, up to 63, whether its title or headings have it,
 * and whether the description or tags of its document have it, of which it is the first chunk.
 */
export const inText = 63;
export const inHints = 64;
export const inHeading = 128;

type TermPlace = typeof inText | typeof inHints | typeof inHeading;

/** The chunks that have a stem. */
interface PostingTable {
  having(stem: string): Uint32Array;
  readonly stems: ReadonlyMap<string, number>;
  /** Terms of each chunk. */
  readonly lengths: readonly number[];
  /** Terms in all chunks, headings, and descriptions and tags. */
  readonly sizes: Readonly<Record<TermField, number>>;
}

/** The terms of so many pieces of text are remembered, if they are short: longer ones are text without spaces, which seldom occurs twice. */
const maxPieces = 1 << 17;
const maxPieceChars = 32;
/** Numbers of a slot: two hashes, and where the terms of the piece begin and end in a list. */
const slotNumbers = 4;

/** Collects the stems of chunks, one chunk after the other. */
export function createPostings(tag: string, words: LanguageWords) {
  const stems = new Map<string, number>();
  /** The known pieces, in a table with open addressing. A piece is known by both of its hashes, and needs no string. */
  const slots = new Int32Array(2 * maxPieces * slotNumbers);
  let known = 0;
  let terms = [0];
  const lengths: number[] = [];
  const sizes = { text: 0, heading: 0, hints: 0 };
  /** What the current chunk has of each stem, and which stems it has. */
  let times = new Uint8Array(1 << 12);
  let seen: number[] = [];
  let length = 0;
  /** `stem << 8` and what a chunk has of it, one chunk after another; and where each one ends. */
  let entries = new Uint32Array(1 << 16);
  let size = 0;
  const ends: number[] = [];

  const note = (number: number, place: TermPlace): void => {
    if (number >= times.length) times = widened(times, new Uint8Array(2 * number));
    const before = times[number] as number;
    if (before === 0) seen.push(number);
    if (place !== inHints) {
      length += 1;
      times[number] = (before & inText) < inText ? before + 1 : before;
    }
    if (place !== inText) {
      sizes[place === inHints ? 'hints' : 'heading'] += 1;
      (times[number] as number) |= place;
    }
  };
  const addTerms = (text: string, place: TermPlace): void => {
    for (const term of tokenize(withoutMarkup(text), false, tag)) {
      const stem = words.stem(term);
      const number = stems.get(stem) ?? stems.size;
      if (number === stems.size) stems.set(stem, number);
      terms.push(number);
      note(number, place);
    }
  };
  const addPiece = (
    text: string,
    start: number,
    end: number,
    hash: number,
    other: number,
    place: TermPlace,
  ): void => {
    const isShort = end - start <= maxPieceChars;
    let slot = slotNumbers * ((hash ^ (hash >>> 15)) & (2 * maxPieces - 1));
    while (isShort && slots[slot + 3] !== 0) {
      if (slots[slot] === hash && slots[slot + 1] === other) {
        const last = slots[slot + 3] as number;
        for (let at = slots[slot + 2] as number; at < last; at += 1) note(terms[at] as number, place);
        return;
      }
      slot = (slot + slotNumbers) & (slots.length - 1);
    }
    const first = terms.length;
    addTerms(text.slice(start, end), place);
    if (!isShort) terms.length = first;
    else if (known === maxPieces) {
      slots.fill(0);
      [known, terms] = [0, [0]];
    } else {
      slots.set([hash, other, first, terms.length], slot);
      known += 1;
    }
  };
  return {
    /** Adds a range of a text to the current chunk. */
    add(text: string, place: TermPlace, from = 0, to = text.length): void {
      // No term crosses a space, but those of syllables.
      if (hasSyllables(tag)) {
        addTerms(text.slice(from, to), place);
        return;
      }
      let start = from;
      let hash = firstHash | 0;
      let other = 0;
      for (let at = from; at <= to; at += 1) {
        const unit = at === to ? 0 : text.charCodeAt(at);
        if (unit > 32 && (unit < 0x3000 || unit > 0x3002)) {
          hash = Math.imul(hash ^ unit, hashPrime);
          other = (Math.imul(other, 31) + unit) | 0;
          continue;
        }
        if (at > start) addPiece(text, start, at, hash, other, place);
        start = at + 1;
        hash = firstHash | 0;
        other = 0;
      }
    },
    /** Ends the current chunk. */
    next(): void {
      if (size + seen.length > entries.length)
        entries = widened(entries, new Uint32Array(2 * (size + seen.length)));
      for (const number of seen) {
        entries[size++] = number * 256 + (times[number] as number);
        times[number] = 0;
      }
      ends.push(size);
      lengths.push(length);
      sizes.text += length;
      [seen, length] = [[], 0];
    },
    finish: () => sortPostings(entries.subarray(0, size), ends, { stems, lengths, sizes }),
  };
}

/** Sorts entries by stem. A function of its own, because what it returns would keep everything that the functions above use in memory. */
function sortPostings(
  entries: Uint32Array,
  ends: readonly number[],
  facts: Omit<PostingTable, 'having'>,
): PostingTable {
  const { stems } = facts;
  const starts = new Uint32Array(stems.size + 1);
  for (const entry of entries) (starts[(entry >>> 8) + 1] as number) += 1;
  for (let stem = 0; stem < stems.size; stem += 1) (starts[stem + 1] as number) += starts[stem] as number;
  const sorted = new Uint32Array(entries.length);
  const next = starts.slice();
  let at = 0;
  for (const [chunk, end] of ends.entries())
    for (; at < end; at += 1) {
      const entry = entries[at] as number;
      sorted[next[entry >>> 8] as number] = chunk * 256 + (entry & 255);
      (next[entry >>> 8] as number) += 1;
    }
  return {
    ...facts,
    having(stem) {
      const number = stems.get(stem);
      return number === undefined ? new Uint32Array(0) : sorted.subarray(starts[number], starts[number + 1]);
    },
  };
}

function widened<Numbers extends Uint8Array | Uint32Array>(values: Numbers, wider: Numbers): Numbers {
  wider.set(values);
  return wider;
}

/** Number of postings with some of these bits. */
export function countIn(postings: Uint32Array, bits: number): number {
  return postings.reduce((count, posting) => ((posting & bits) > 0 ? count + 1 : count), 0);
}
