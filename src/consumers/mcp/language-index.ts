import type { ReadRange } from '../../core/file-system.ts';
import { firstHash, hashPrime } from '../../core/hash-slots.ts';
import { hasCompounds } from '../../core/search/compounds.ts';
import { helpSynonyms } from '../../core/search/help-synonyms.ts';
import { hasSyllables, type LanguageWords, tokenize } from '../../core/search/language-words.ts';
import {
  type Alternatives,
  type IndexedTerms,
  indexTerms,
  rankPassages,
  type TermField,
  type TermIndex,
} from '../../core/search/rank-passages.ts';
import { invalidFeed } from '../../feed/read/read-feed.ts';
import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';

/** Chunks that stay split into terms. */
const maxSplit = 2000;
/** Between so many documents, requests get their turn. */
const documentsPerTurn = 250;

/** A file of records, of which ranges can be read again. */
export interface RecordFile {
  /** The whole file. */
  readonly bytes: Uint8Array;
  readonly read: ReadRange;
}

/** What lists show of a document. */
interface ListedRecord {
  readonly id: string;
  readonly articleId: string;
  readonly title: string;
  readonly url: string;
  readonly categoryPath: readonly string[];
}

/**
 * The published documents of one language, and the words that each chunk has. Records are not in memory: they are read from the files when they are needed.
 */
export interface LanguageIndex {
  readonly tag: string;
  readonly words: LanguageWords;
  /** All documents in the order of the file, which numbers them. */
  readonly listed: readonly ListedRecord[];
  /** Number of chunks. */
  readonly chunks: number;
  document(number: number): DocumentRecord;
  chunksOf(number: number): readonly ChunkRecord[];
  /**
   * Chunks that share a term with the query, best first, with the numbers of their documents.
   * @param synonyms groups, used beside those of the language
   */
  rank(
    query: string,
    synonyms: readonly (readonly string[])[],
  ): Promise<readonly { readonly id: string; readonly document: number }[]>;
  /** For each term, the number of chunks that have it in any form. */
  count(terms: readonly string[]): readonly number[];
}

/**
 * Makes the index of a language.
 * @param documents its `documents.jsonl`, the third parameter; its `chunks.jsonl` is the fourth
 * @param onTurn called now and then with the number of documents so far; may throw to stop
 * @throws FEED_INVALID
 */
export async function makeLanguageIndex(
  tag: string,
  words: LanguageWords,
  { bytes: documentBytes, read: readDocuments }: RecordFile,
  { bytes: chunkBytes, read: readChunks }: RecordFile,
  onTurn: (documents: number) => Promise<void> = async () => {},
): Promise<LanguageIndex> {
  const [documentLines, chunkLines] = [asBuffer(documentBytes), asBuffer(chunkBytes)];
  const documentRanges = findLines(documentLines);
  const chunkRanges = findLines(chunkLines);
  const listed: ListedRecord[] = [];
  /** The first chunk of each document, and the number of all chunks. */
  const firsts: number[] = [];
  const postings = createPostings(tag, words);
  const chunkCount = chunkRanges.length / 2;
  let next = 0;
  for (let at = 0; at < documentRanges.length; at += 2) {
    const record = toDocument(documentLines.toString('utf8', documentRanges[at], documentRanges[at + 1]));
    const { id, article_id, title, url, category, description = '', tags, markdown } = record;
    firsts.push(next);
    listed.push({ id, articleId: article_id, title, url, categoryPath: category?.path ?? [] });
    // The first chunk stands for the document.
    postings.add([description, ...tags].join('\n'), inHints);
    for (; next < chunkCount; next += 1) {
      const chunk = headOf(chunkLines, chunkRanges[2 * next] ?? 0, chunkRanges[2 * next + 1] ?? 0);
      if (chunk.document_id !== id) break;
      postings.add(chunk.title, inHeading);
      for (const heading of chunk.heading_path ?? []) postings.add(heading, inHeading);
      for (const [from, to] of chunk.repeats ?? []) postings.add(markdown, inText, from, to);
      postings.add(markdown, inText, chunk.start, chunk.end);
      postings.next();
    }
    if (listed.length % documentsPerTurn === 0) await onTurn(listed.length);
  }
  if (next < chunkCount) throw invalidFeed(`chunks.jsonl (${tag}) has chunks of an unknown document`);
  firsts.push(next);
  const table = postings.finish();

  const document = (number: number): DocumentRecord => {
    const record = toDocument(
      readDocuments(documentRanges[2 * number] ?? 0, documentRanges[2 * number + 1] ?? 0).toString(),
    );
    if (record.id !== listed[number]?.id) throw changed();
    return record;
  };
  const chunk = (number: number): ChunkRecord =>
    toChunk(
      readChunks(chunkRanges[2 * number] ?? 0, chunkRanges[2 * number + 1] ?? 0).toString(),
      listed[documentOf(number)]?.id,
    );
  const documentOf = (number: number) => findLast(firsts, number);
  const rangeOf = (number: number) =>
    Array.from(
      { length: (firsts[number + 1] ?? 0) - (firsts[number] ?? 0) },
      (_, at) => (firsts[number] ?? 0) + at,
    );
  /** Chunks split into terms; the oldest go. */
  const splits = new Map<number, IndexedTerms>();
  const split = (number: number): IndexedTerms => {
    const known = splits.get(number);
    if (known !== undefined) return known;
    const { id, title, heading_path = [], text: published } = chunk(number);
    const text = indexTerms(withoutMarkup(published), words);
    const heading = indexTerms([title, ...heading_path].join(' '), words);
    const made = {
      ...{ id, document: String(documentOf(number)), text: text.terms, heading: heading.terms },
      ...{ textLength: text.count, headingLength: heading.count },
    };
    if (splits.size >= maxSplit) splits.delete(splits.keys().next().value as number);
    splits.set(number, made);
    return made;
  };
  const hintsOf = (number: number) => {
    const { description = '', tags } = document(number);
    return indexTerms([description, ...tags].join('\n'), words);
  };
  return {
    ...{ tag, words, listed, document },
    chunks: table.lengths.length,
    chunksOf: (number) => rangeOf(number).map(chunk),
    async rank(query, synonyms) {
      const index = createTermIndex(tag, table, {
        ...{ documents: listed.length, documentOf, rangeOf, split, hintsOf },
      });
      const ranked = await rankPassages(query, index, words, [...synonyms, ...helpSynonyms(tag)]);
      return ranked.map(({ id, document: number }) => ({ id, document: Number(number) }));
    },
    count: (terms) => terms.map((term) => countIn(table.having(words.stem(term)), inText)),
  };
}

/** The position of the last number that is not larger, in a sorted list; of equal ones, that before a larger one. */
function findLast(sorted: readonly number[], most: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) <= most) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Start and end of each line that is not empty. */
function findLines(bytes: Buffer): readonly number[] {
  const ranges: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf(10, start);
    const end = next === -1 ? bytes.length : next;
    if (end > start) ranges.push(start, end);
    start = end + 1;
  }
  return ranges;
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

const afterHead = Buffer.from(',"tokens":');

/** The fields of a chunk before its text, which is most of the line. */
function headOf(lines: Buffer, start: number, end: number): ChunkRecord {
  const found = lines.indexOf(afterHead, start);
  if (found === -1 || found > end) throw invalidFeed('chunks.jsonl contains a line that is not a chunk');
  return toChunk(`${lines.toString('utf8', start, found)},"text":""}`);
}

/** Checks only what the index reads. */
function toDocument(line: string): DocumentRecord {
  const record = parseLine(line) as DocumentRecord;
  const { id, article_id, title, url, tags, markdown } = record;
  if (![id, article_id, title, url, markdown].every(isText) || !Array.isArray(tags))
    throw invalidFeed('documents.jsonl contains a line that is not a document');
  return record;
}

/** Checks only what the index reads. @param owner id of its document, if it must have one */
function toChunk(line: string, owner?: string): ChunkRecord {
  const chunk = parseLine(line) as ChunkRecord;
  const { id, document_id, title, url, text } = chunk;
  if (owner !== undefined && document_id !== owner) throw changed();
  if (![id, document_id, title, url, text].every(isText) || !Number.isInteger(chunk.start + chunk.end))
    throw invalidFeed('chunks.jsonl contains a line that is not a chunk');
  return chunk;
}

function changed(): Error {
  return invalidFeed('a file of records was overwritten while it was read');
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) ?? {};
  } catch (cause) {
    throw invalidFeed('a file of records contains a line that is not JSON', cause);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** The words of Markdown: no URLs of links, and no backslashes that would take words apart. */
function withoutMarkup(markdown: string): string {
  return markdown.replace(/\]\((?:<[^>\n]*>|[^()\s]*)\)/g, '] ').replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/**
 * A posting is a chunk that has a stem: `chunk << 8`, how often its text with title and headings has it, up to 63, whether its title or headings have it,
 * and whether the description or tags of its document have it, of which it is the first chunk.
 */
const inText = 63;
const inHints = 64;
const inHeading = 128;

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
function createPostings(tag: string, words: LanguageWords) {
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
    /** Sorts by stem what was collected. */
    finish(): PostingTable {
      const starts = new Uint32Array(stems.size + 1);
      for (let at = 0; at < size; at += 1) (starts[((entries[at] as number) >>> 8) + 1] as number) += 1;
      for (let stem = 0; stem < stems.size; stem += 1) (starts[stem + 1] as number) += starts[stem] as number;
      const sorted = new Uint32Array(size);
      const next = starts.slice();
      let at = 0;
      for (const [chunk, end] of ends.entries())
        for (; at < end; at += 1) {
          const entry = entries[at] as number;
          sorted[next[entry >>> 8] as number] = chunk * 256 + (entry & 255);
          (next[entry >>> 8] as number) += 1;
        }
      const none = new Uint32Array(0);
      return {
        ...{ stems, lengths, sizes },
        having(stem) {
          const number = stems.get(stem);
          return number === undefined ? none : sorted.subarray(starts[number], starts[number + 1]);
        },
      };
    },
  };
}

function widened<Numbers extends Uint8Array | Uint32Array>(values: Numbers, wider: Numbers): Numbers {
  wider.set(values);
  return wider;
}

/** Number of postings with some of these bits. */
function countIn(postings: Uint32Array, bits: TermPlace): number {
  return postings.reduce((count, posting) => ((posting & bits) > 0 ? count + 1 : count), 0);
}

/** Of BM25, as in `rankPassages`; here it only chooses the chunks that are ranked. */
const k1 = 1.2;
const b = 0.75;
const headingWeight = 0.6;

const placeOf: Readonly<Record<TermField, TermPlace>> = { text: inText, heading: inHeading, hints: inHints };

/** What ranking asks of one language for one query. */
function createTermIndex(
  tag: string,
  { having, stems, lengths, sizes }: PostingTable,
  {
    documents,
    documentOf,
    rangeOf,
    split,
    hintsOf,
  }: {
    /** Number of documents. */
    readonly documents: number;
    readonly documentOf: (chunk: number) => number;
    /** The chunks of a document. */
    readonly rangeOf: (document: number) => readonly number[];
    readonly split: (chunk: number) => IndexedTerms;
    readonly hintsOf: (document: number) => { readonly terms: string; readonly count: number };
  },
): TermIndex {
  const count = lengths.length;
  const meanLength = sizes.text / Math.max(1, count);
  let found: readonly IndexedTerms[] = [];
  /** The documents of which a chunk has all these terms in a field. */
  const documentsWith = (field: TermField, alternatives: Alternatives): ReadonlySet<number> => {
    const chunksWith = (term: string) =>
      new Set(
        Array.from(
          having(term).filter((posting) => (posting & placeOf[field]) > 0),
          (posting) => posting >>> 8,
        ),
      );
    const chunks = alternatives.flatMap((terms) => {
      const [first = new Set<number>(), ...others] = terms.map(chunksWith);
      return [...first].filter((chunk) => others.every((other) => other.has(chunk)));
    });
    return new Set(chunks.map(documentOf));
  };
  /** The score of each chunk with the term in its text or heading. */
  const scoresOf = (term: string): ReadonlyMap<number, number> => {
    const scores = new Map<number, number>();
    const postings = having(term);
    const texts = countIn(postings, inText);
    const idf = Math.log(1 + (count - texts + 0.5) / (texts + 0.5));
    for (const posting of postings) {
      const chunk = posting >>> 8;
      const times = posting & inText;
      const length = k1 * (1 - b + (b * (lengths[chunk] as number)) / Math.max(1, meanLength));
      const inTitle = (posting & inHeading) > 0 ? headingWeight : 0;
      if (times > 0) scores.set(chunk, idf * ((times * (k1 + 1)) / (times + length) + inTitle));
    }
    return scores;
  };
  /** Chunks with two adjacent terms, among those that were found: the index does not know the order of words. */
  const countPair = (pair: string): number =>
    found.filter(({ text }) => ` ${text.split('|', 1)[0]} `.includes(` ${pair} `)).length;

  return {
    // Hints are texts of documents.
    size: (field) => ({ texts: field === 'hints' ? documents : count, terms: sizes[field] }),
    count: (field, phrases) =>
      phrases.map((phrase) =>
        phrase.length === 1 ? countIn(having(phrase[0] ?? ''), placeOf[field]) : countPair(phrase.join(' ')),
      ),
    find(alternatives, limit) {
      const scores = new Map<number, number>();
      for (const terms of alternatives) {
        const [first = new Map<number, number>(), ...others] = terms.map(scoresOf);
        for (const [chunk, own] of first) {
          if (!others.every((other) => other.has(chunk))) continue;
          const sum = others.reduce((total, other) => total + (other.get(chunk) ?? 0), own);
          scores.set(chunk, (scores.get(chunk) ?? 0) + sum);
        }
      }
      const best = [...scores].sort(([one, a], [other, b]) => b - a || one - other);
      found = best.slice(0, limit).map(([chunk]) => split(chunk));
      return found;
    },
    findHinted: (alternatives, limit) =>
      [...documentsWith('hints', alternatives)].slice(0, limit).map((document) => {
        const { terms, count: length } = hintsOf(document);
        return { document: String(document), hints: terms, length };
      }),
    passagesOf: (ids) => ids.flatMap((document) => rangeOf(Number(document)).map(split)),
    withText(alternatives, ids) {
      const having = documentsWith('text', alternatives);
      return ids.filter((document) => having.has(Number(document)));
    },
    termsEnding: (end) => (hasCompounds(tag) ? [...stems.keys()].filter((stem) => stem.endsWith(end)) : []),
    termsLike: (start, shortest, longest) =>
      [...stems.keys()].filter(
        (stem) => stem.startsWith(start) && stem.length >= shortest && stem.length <= longest,
      ),
  };
}
