import { firstHash, hashPrime } from '../../core/hash-slots.ts';
import { hasSyllables, type LanguageWords, tokenize } from '../../core/search/language-words.ts';
import type { TermField } from '../../core/search/rank-passages.ts';

/** The words of Markdown: no URLs of links, and no backslashes that would take words apart. */
export function withoutMarkup(markdown: string): string {
  return markdown.replace(/\]\((?:<[^>\n]*>|[^()\s]*)\)/g, '] ').replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/**
 * A posting is a text that has a stem: `number << 8`, how often its passage, title and headings have it, up to 63, whether its title or headings have it,
 * and whether its description or tags have it. A table has postings of chunks, which have no description, or of documents, which have no passage.
 */
export const inText = 63;
export const inHints = 64;
export const inHeading = 128;

type TermPlace = typeof inText | typeof inHints | typeof inHeading;

/** The texts that have a stem. */
interface PostingTable {
  having(stem: string): Uint32Array;
  readonly stems: ReadonlyMap<string, number>;
  /** Terms of each text. */
  readonly lengths: readonly number[];
  /** Terms in all passages, headings, and descriptions and tags. */
  readonly sizes: Readonly<Record<TermField, number>>;
}

/** The terms of so many pieces of text are remembered, if they are short: longer ones are text without spaces, which seldom occurs twice. */
const maxPieces = 1 << 17;
const maxPieceBytes = 160;
/** Numbers of a slot: two hashes, and where the terms of the piece begin and end in a list. */
const slotNumbers = 4;

const quote = 0x22;
const backslash = 0x5c;
/** Line feed, tab and carriage return as JSON writes them: the letter after a backslash. */
const isSpaceEscape = (letter: number | undefined): boolean =>
  letter === 0x6e || letter === 0x74 || letter === 0x72;

/** Collects the stems of texts, one after the other. */
export function createPostings(tag: string, words: LanguageWords) {
  const stems = new Map<string, number>();
  /** The known pieces, in a table with open addressing. A piece is known by both of its hashes, and needs no string. */
  const slots = new Int32Array(2 * maxPieces * slotNumbers);
  let known = 0;
  let terms = [0];
  const lengths: number[] = [];
  const sizes = { text: 0, heading: 0, hints: 0 };
  /** What the current text has of each stem, and which stems it has. */
  let times = new Uint8Array(1 << 12);
  let seen: number[] = [];
  let length = 0;
  /** `stem << 8` and what a text has of it, one text after another; and where each one ends. */
  let entries = new Uint32Array(1 << 16);
  let size = 0;
  const ends: number[] = [];
  const isWhole = hasSyllables(tag);

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
  /** @param json what JSON has between the quotes of a text */
  const addTerms = (json: string, place: TermPlace): void => {
    const text = json.includes('\\') ? (JSON.parse(`"${json}"`) as string) : json;
    for (const term of tokenize(withoutMarkup(text), false, tag)) {
      const stem = words.stem(term);
      const number = stems.get(stem) ?? stems.size;
      if (number === stems.size) stems.set(stem, number);
      terms.push(number);
      note(number, place);
    }
  };
  const addPiece = (
    json: Buffer,
    start: number,
    end: number,
    hash: number,
    other: number,
    place: TermPlace,
  ): void => {
    const isShort = end - start <= maxPieceBytes;
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
    addTerms(json.toString('utf8', start, end), place);
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
    /**
     * Adds a string to the current text. It is read as JSON has it: parsing it would take as long as counting its words.
     * @param json bytes with a string in JSON
     * @param from behind its first quote
     * @param isLine whether only its first line is added
     * @returns where the string or its line ends
     */
    add(json: Buffer, place: TermPlace, from: number, isLine = false): number {
      let start = from;
      let hash = firstHash | 0;
      let other = 0;
      for (let at = from; ; at += 1) {
        const byte = json[at];
        let isEnd = byte === quote || byte === undefined;
        let isSpace = isEnd || (byte as number) <= 32;
        let last = at;
        if (byte === backslash) {
          last += 1;
          isSpace = isSpaceEscape(json[last]);
          isEnd = isSpace && isLine;
        } else if (byte === 0xe3 && json[at + 1] === 0x80 && (json[at + 2] as number) <= 0x82) {
          // U+3000 to U+3002: the space of Chinese and Japanese, the comma and the full stop.
          last += 2;
          isSpace = true;
        }
        // No term crosses a space, but those of syllables.
        if (isEnd || (isSpace && !isWhole)) {
          if (at > start) addPiece(json, start, at, hash, other, place);
          if (isEnd) return at;
          start = last + 1;
          hash = firstHash | 0;
          other = 0;
        } else {
          hash = Math.imul(hash ^ (byte as number), hashPrime);
          other = (Math.imul(other, 31) + (byte as number)) | 0;
          if (byte === backslash) {
            hash = Math.imul(hash ^ (json[last] as number), hashPrime);
            other = (Math.imul(other, 31) + (json[last] as number)) | 0;
          }
        }
        at = last;
      }
    },
    /** Ends the current text. */
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
  for (let at = 0; at < entries.length; at += 1) (starts[((entries[at] as number) >>> 8) + 1] as number) += 1;
  for (let stem = 0; stem < stems.size; stem += 1) (starts[stem + 1] as number) += starts[stem] as number;
  const sorted = new Uint32Array(entries.length);
  const next = starts.slice();
  let at = 0;
  for (const [text, end] of ends.entries())
    for (; at < end; at += 1) {
      const entry = entries[at] as number;
      sorted[next[entry >>> 8] as number] = text * 256 + (entry & 255);
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
