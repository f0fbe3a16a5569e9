import type { ReadRange } from '../../core/file-system.ts';
import { hasCompounds } from '../../core/search/compounds.ts';
import { helpSynonyms } from '../../core/search/help-synonyms.ts';
import type { LanguageWords } from '../../core/search/language-words.ts';
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
import { countIn, createPostings, inHeading, inHints, inText, withoutMarkup } from './term-postings.ts';

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
    // The first chunk represents the document.
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

/** Of BM25, as in `rankPassages`; here it only chooses the chunks that are ranked. */
const k1 = 1.2;
const b = 0.75;
const headingWeight = 0.7;

const bitsOf: Readonly<Record<TermField, number>> = { text: inText, heading: inHeading, hints: inHints };

/** What ranking asks of one language for one query. */
function createTermIndex(
  tag: string,
  { having, stems, lengths, sizes }: ReturnType<ReturnType<typeof createPostings>['finish']>,
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
          having(term).filter((posting) => (posting & bitsOf[field]) > 0),
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
        phrase.length === 1 ? countIn(having(phrase[0] ?? ''), bitsOf[field]) : countPair(phrase.join(' ')),
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
