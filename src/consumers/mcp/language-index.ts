import { hasCompounds } from '../../core/search/compounds.ts';
import { helpSynonyms } from '../../core/search/help-synonyms.ts';
import type { LanguageWords } from '../../core/search/language-words.ts';
import {
  type IndexedTerms,
  indexTerms,
  rankPassages,
  type TermField,
  type TermIndex,
} from '../../core/search/rank-passages.ts';
import { invalidFeed } from '../../feed/read/read-feed.ts';
import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';
import { WordCounts, withoutUrls } from './word-counts.ts';

/** Chunks that stay split into terms. */
const maxSplit = 2000;
/** Between so many documents, requests get their turn. */
const documentsPerTurn = 250;

/** A chunk without its text, which is made of ranges of its document. */
type ShortChunk = Omit<ChunkRecord, 'text'>;

/** What lists show of a document. */
interface ListedRecord {
  readonly id: string;
  readonly articleId: string;
  readonly title: string;
  readonly url: string;
  readonly categoryPath: readonly string[];
}

/**
 * The published documents of one language, and the words that each chunk has. The lines of both files stay in memory, without the texts of chunks; a
 * record is parsed when it is needed.
 */
export interface LanguageIndex {
  readonly tag: string;
  /** All documents in the order of the file, which numbers them. */
  readonly listed: readonly ListedRecord[];
  /** Number of chunks. */
  readonly chunks: number;
  document(number: number): DocumentRecord;
  chunksOf(number: number): readonly ShortChunk[];
  /**
   * Chunks that share a term with the query, best first, with the numbers of their documents.
   * @param synonyms groups, used beside those of the language
   */
  rank(
    query: string,
    words: LanguageWords,
    synonyms: readonly (readonly string[])[],
  ): Promise<readonly { readonly id: string; readonly document: number }[]>;
  /** For each term, the number of chunks that have it in any form. */
  count(words: LanguageWords, terms: readonly string[]): readonly number[];
}

type Fields = Readonly<Record<TermField, WordCounts>>;

/**
 * Makes the index of a language.
 * @param documentBytes of its `documents.jsonl`; kept
 * @param chunkBytes of its `chunks.jsonl`; overwritten
 * @param onTurn called now and then with the number of documents so far; may throw to stop
 * @throws FEED_INVALID
 */
export async function makeLanguageIndex(
  tag: string,
  documentBytes: Uint8Array,
  chunkBytes: Uint8Array,
  onTurn: (documents: number) => Promise<void> = async () => {},
): Promise<LanguageIndex> {
  const documents = Buffer.from(documentBytes.buffer, documentBytes.byteOffset, documentBytes.length);
  const chunks = withoutTexts(chunkBytes);
  const fields: Fields = {
    text: new WordCounts(tag),
    heading: new WordCounts(tag),
    hints: new WordCounts(tag),
  };
  const listed: ListedRecord[] = [];
  /** Start and end of the line of each document. */
  const lines: number[] = [];
  /** The first chunk of each document, and the number of all. */
  const firsts: number[] = [];
  /** The start of the line of each chunk, and the end of the last one. */
  const starts: number[] = [];
  const rest = linesOf(chunks);
  let next = rest.next();
  for (const [start, end] of linesOf(documents)) {
    const record = readDocument(documents, start, end);
    const { id, article_id, title, url, category, description = '', tags } = record;
    lines.push(start, end);
    firsts.push(starts.length);
    listed.push({ id, articleId: article_id, title, url, categoryPath: category?.path ?? [] });
    for (const hint of [description, ...tags]) fields.hints.count(hint);
    fields.hints.next();
    while (next.done !== true) {
      const chunk = readChunk(chunks, ...next.value);
      if (chunk.document_id !== id) break;
      starts.push(next.value[0]);
      for (const heading of headingOf(chunk)) {
        fields.text.count(heading);
        fields.heading.count(heading);
      }
      for (const [from, to] of [...(chunk.repeats ?? []), [chunk.start, chunk.end] as const])
        fields.text.count(record.markdown, from, to);
      fields.text.next();
      fields.heading.next();
      next = rest.next();
    }
    if (listed.length % documentsPerTurn === 0) await onTurn(listed.length);
  }
  if (next.done !== true) throw invalidFeed(`chunks.jsonl (${tag}) has chunks of an unknown document`);
  const count = starts.length;
  firsts.push(count);
  starts.push(chunks.length);
  for (const field of Object.values(fields)) field.finish();

  const document = (number: number) =>
    readDocument(documents, lines[2 * number] as number, lines[2 * number + 1] as number);
  const chunk = (number: number) =>
    readChunk(chunks, starts[number] as number, (starts[number + 1] as number) - 1);
  const rangeOf = (number: number) =>
    Array.from(
      { length: (firsts[number + 1] ?? 0) - (firsts[number] ?? 0) },
      (_, at) => (firsts[number] ?? 0) + at,
    );
  const documentOf = (number: number) => findLast(firsts, number);
  let stems: StemTable | null = null;
  const stemsOf = (words: LanguageWords): StemTable => {
    stems ??= createStemTable(fields, words);
    return stems;
  };
  /** Chunks split into terms; the oldest go. */
  const splits = new Map<number, IndexedTerms>();
  const split = (number: number, words: LanguageWords): IndexedTerms => {
    const known = splits.get(number);
    if (known !== undefined) return known;
    const record = chunk(number);
    const owner = documentOf(number);
    const text = indexTerms(withoutMarkup(textOf(record, document(owner))), words);
    const heading = indexTerms(headingOf(record).join(' '), words);
    const made = {
      ...{ id: record.id, document: String(owner), text: text.terms, heading: heading.terms },
      ...{ textLength: text.count, headingLength: heading.count },
    };
    if (splits.size >= maxSplit) splits.delete(splits.keys().next().value as number);
    splits.set(number, made);
    return made;
  };
  return {
    ...{ tag, listed, chunks: count, document },
    chunksOf: (number) => rangeOf(number).map(chunk),
    async rank(query, words, synonyms) {
      const index = createTermIndex(tag, fields, stemsOf(words), {
        rangeOf,
        split: (number) => split(number, words),
        hintsOf(number) {
          const { description = '', tags } = document(number);
          return indexTerms([description, ...tags].join('\n'), words);
        },
      });
      const ranked = await rankPassages(query, index, words, [...synonyms, ...helpSynonyms(tag)]);
      return ranked.map(({ id, document: number }) => ({ id, document: Number(number) }));
    },
    count: (words, terms) => terms.map((term) => stemsOf(words).having('text', words.stem(term)).size),
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

function* linesOf(bytes: Buffer): Generator<readonly [start: number, end: number]> {
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf(10, start);
    const end = next === -1 ? bytes.length : next;
    if (end > start) yield [start, end];
    start = end + 1;
  }
}

/** Checks only what the index reads. */
function readDocument(bytes: Buffer, start: number, end: number): DocumentRecord {
  const record = parseLine(bytes, start, end) as DocumentRecord;
  const { id, article_id, title, url, tags, markdown } = record;
  if (![id, article_id, title, url, markdown].every(isText) || !Array.isArray(tags))
    throw invalidFeed('documents.jsonl contains a line that is not a document');
  return record;
}

/** Checks only what the index reads. */
function readChunk(bytes: Buffer, start: number, end: number): ShortChunk {
  const chunk = parseLine(bytes, start, end) as ShortChunk;
  const { id, document_id, title, url } = chunk;
  if (![id, document_id, title, url].every(isText) || !Number.isInteger(chunk.start + chunk.end))
    throw invalidFeed('chunks.jsonl contains a line that is not a chunk');
  return chunk;
}

function parseLine(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) ?? {};
  } catch (cause) {
    throw invalidFeed('a file of records contains a line that is not JSON', cause);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Title and headings of a chunk. */
function headingOf({ title, heading_path = [] }: ShortChunk): readonly string[] {
  return [title, ...heading_path];
}

/** The text of a chunk as published. */
function textOf(chunk: ShortChunk, { markdown }: DocumentRecord): string {
  return `${headingOf(chunk).join(' › ')}\n\n${leadOf(chunk, markdown)}${markdown.slice(chunk.start, chunk.end)}`;
}

/** What a chunk repeats from before it: the sentence that introduces a list, or the header of a table; `''` if nothing. */
export function leadOf({ repeats = [] }: ShortChunk, markdown: string): string {
  return repeats.map(([start, end]) => markdown.slice(start, end)).join('');
}

/** The words of Markdown: no URLs of links, and no backslashes that would take words apart. */
function withoutMarkup(markdown: string): string {
  return withoutUrls(markdown).replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

const textKey = Buffer.from(',"text":"');
const [quote, backslash] = [0x22, 0x5c];

/** The lines of chunks without their texts, which are most of the bytes. @param bytes overwritten */
function withoutTexts(bytes: Uint8Array): Buffer {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let size = 0;
  for (const [start, end] of linesOf(lines)) {
    const found = lines.indexOf(textKey, start);
    const cut = found === -1 || found > end ? end : found;
    const rest = cut === end ? end : endOfString(lines, cut + textKey.length);
    lines.copyWithin(size, start, cut);
    lines.copyWithin(size + cut - start, rest, end);
    size += cut - start + end - rest;
    lines[size++] = 10;
  }
  return Buffer.from(lines.subarray(0, size));
}

/** The position after the quotation mark that ends a string of JSON. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let before = at;
    while (bytes[before - 1] === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return bytes.length;
}

/** The texts with a term, whatever its form, and how often they have it. Texts and headings are numbered as chunks, hints as documents. */
interface StemTable {
  having(field: TermField, stem: string): ReadonlyMap<number, number>;
  /** All terms of texts and hints. */
  readonly stems: readonly string[];
}

function createStemTable(fields: Fields, words: LanguageWords): StemTable {
  const tableOf = (field: TermField): ReadonlyMap<string, readonly number[]> => {
    const numbers = new Map<string, number[]>();
    for (const [number, word] of fields[field].words.entries()) {
      const stem = words.stem(word);
      const known = numbers.get(stem);
      if (known === undefined) numbers.set(stem, [number]);
      else known.push(number);
    }
    return numbers;
  };
  const tables = { text: tableOf('text'), heading: tableOf('heading'), hints: tableOf('hints') };
  return {
    stems: [...new Set([...tables.text.keys(), ...tables.hints.keys()])],
    having(field, stem) {
      const found = new Map<number, number>();
      for (const word of tables[field].get(stem) ?? [])
        for (const posting of fields[field].postingsOf(word))
          found.set(posting >>> 8, (found.get(posting >>> 8) ?? 0) + (posting & 255));
      return found;
    },
  };
}

/** Of BM25, as in `rankPassages`; here it only chooses the chunks that are ranked. */
const k1 = 1.2;
const b = 0.75;
const headingWeight = 0.6;

/** What ranking asks of one language for one query. */
function createTermIndex(
  tag: string,
  fields: Fields,
  table: StemTable,
  {
    rangeOf,
    split,
    hintsOf,
  }: {
    /** The chunks of a document. */
    readonly rangeOf: (document: number) => readonly number[];
    readonly split: (chunk: number) => IndexedTerms;
    readonly hintsOf: (document: number) => { readonly terms: string; readonly count: number };
  },
): TermIndex {
  const count = fields.text.lengths.length;
  const meanLength = fields.text.terms / Math.max(1, count);
  const known = new Map<string, ReadonlyMap<number, number>>();
  const having = (field: TermField, stem: string) => {
    const key = `${field} ${stem}`;
    const found = known.get(key) ?? table.having(field, stem);
    known.set(key, found);
    return found;
  };
  let found: readonly IndexedTerms[] = [];
  const hasAll = (field: TermField, terms: readonly string[], number: number) =>
    terms.every((term) => having(field, term).has(number));

  /** The score of each chunk with the term in its text or heading. */
  const scoresOf = (term: string): ReadonlyMap<number, number> => {
    const scores = new Map<number, number>();
    const inText = having('text', term);
    const idf = Math.log(1 + (count - inText.size + 0.5) / (inText.size + 0.5));
    for (const [chunk, times] of inText) {
      const length = k1 * (1 - b + (b * (fields.text.lengths[chunk] ?? 0)) / Math.max(1, meanLength));
      scores.set(chunk, (idf * times * (k1 + 1)) / (times + length));
    }
    for (const chunk of having('heading', term).keys())
      scores.set(chunk, (scores.get(chunk) ?? 0) + idf * headingWeight);
    return scores;
  };
  /** Chunks with two adjacent terms, among those that were found: the index does not know the order of words. */
  const countPair = (pair: string): number =>
    found.filter(({ text }) => ` ${text.split('|', 1)[0]} `.includes(` ${pair} `)).length;

  return {
    size(field) {
      const { terms, lengths } = fields[field];
      return { terms, texts: field === 'hints' ? lengths.filter((length) => length > 0).length : count };
    },
    count: (field, phrases) =>
      phrases.map((phrase) =>
        phrase.length === 1 ? having(field, phrase[0] ?? '').size : countPair(phrase.join(' ')),
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
    findHinted(alternatives, limit) {
      const documents = alternatives.flatMap((terms) =>
        [...having('hints', terms[0] ?? '').keys()].filter((document) => hasAll('hints', terms, document)),
      );
      return [...new Set(documents)].slice(0, limit).map((document) => {
        const { terms, count: length } = hintsOf(document);
        return { document: String(document), hints: terms, length };
      });
    },
    passagesOf: (documents) => documents.flatMap((document) => rangeOf(Number(document)).map(split)),
    withText: (alternatives, documents) =>
      documents.filter((document) =>
        rangeOf(Number(document)).some((chunk) => alternatives.some((terms) => hasAll('text', terms, chunk))),
      ),
    termsEnding: (end) => (hasCompounds(tag) ? table.stems.filter((stem) => stem.endsWith(end)) : []),
    termsLike: (start, shortest, longest) =>
      table.stems.filter(
        (stem) => stem.startsWith(start) && stem.length >= shortest && stem.length <= longest,
      ),
  };
}
