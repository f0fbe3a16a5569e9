import { hasCompounds } from '../../core/search/compounds.ts';
import { helpSynonyms } from '../../core/search/help-synonyms.ts';
import type { LanguageWords } from '../../core/search/language-words.ts';
import {
  type Alternatives,
  b,
  headingWeight,
  type IndexedTerms,
  indexTerms,
  k1,
  rankPassages,
  type TermField,
  type TermIndex,
} from '../../core/search/rank-passages.ts';
import { busyFeed, invalidFeed } from '../../feed/read/read-feed.ts';
import type { ChunkRecord } from '../../feed/records/record-schemas.ts';
import { isText, parseLine, type RecordFile } from './record-file.ts';
import { countIn, createPostings, inHeading, inHints, inText, withoutMarkup } from './term-postings.ts';

/** Chunks that stay split into terms. */
const maxSplit = 2000;

/** The words that each chunk of a language has. Records are read from the file when they are needed. */
interface ChunkIndex {
  /** The chunks of a document. */
  of(document: number): readonly ChunkRecord[];
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

type Postings = ReturnType<ReturnType<typeof createPostings>['finish']>;

/** The documents of a language, by number, for the index of its chunks. */
interface ChunkOwners {
  readonly tag: string;
  readonly words: LanguageWords;
  readonly ids: readonly string[];
  /** What descriptions and tags have. */
  readonly hints: Postings;
  hintsOf(document: number): string;
}

/**
 * Makes the index of the chunks of a language.
 * @param file its `chunks.jsonl`
 * @param onTurn called now and then; may throw to stop
 * @throws FEED_INVALID, FEED_BUSY
 */
export async function makeChunkIndex(
  { tag, words, ids, hints, hintsOf }: ChunkOwners,
  file: RecordFile,
  onTurn: () => Promise<void>,
): Promise<ChunkIndex> {
  const { lineOf, owners, firsts, table } = await countWords(tag, words, ids, file, onTurn);
  const documentOf = (number: number) => owners[number] as number;
  const chunk = (number: number): ChunkRecord => toChunk(lineOf(number), ids[documentOf(number)]);
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
  return {
    of: (number) => rangeOf(number).map(chunk),
    async rank(query, synonyms) {
      const index = createTermIndex(tag, table, hints, {
        ...{ documentOf, rangeOf, split },
        hintsOf: (document) => indexTerms(hintsOf(document), words),
      });
      const ranked = await rankPassages(query, index, words, [...synonyms, ...helpSynonyms(tag)]);
      return ranked.map(({ id, document: number }) => ({ id, document: Number(number) }));
    },
    count: (terms) => terms.map((term) => countIn(table.having(words.stem(term)), inText)),
  };
}

async function countWords(
  tag: string,
  words: LanguageWords,
  ids: readonly string[],
  file: RecordFile,
  onTurn: () => Promise<void>,
) {
  /** The document of each chunk; the first chunk of each document, and the number of all chunks. */
  const owners: number[] = [];
  const firsts: number[] = [];
  const postings = createPostings(tag, words);
  const lineOf = await file.eachLine((block, start) => {
    let text = firsts.length === 0 ? null : findText(block, start, ids[firsts.length - 1]);
    while (text === null) {
      if (firsts.length === ids.length)
        throw invalidFeed(`chunks.jsonl (${tag}) has chunks of an unknown document`);
      firsts.push(owners.length);
      text = findText(block, start, ids[firsts.length - 1]);
    }
    postings.add(block, inText, postings.add(block, inHeading, text, true));
    postings.next();
    owners.push(firsts.length - 1);
  }, onTurn);
  while (firsts.length <= ids.length) firsts.push(owners.length);
  return { lineOf, owners, firsts, table: postings.finish() };
}

const beforeText = Buffer.from(',"text":"');

/** The position of the text of a chunk in its line; `null` if it belongs to another document. */
function findText(lines: Buffer, start: number, documentId: string | undefined): number | null {
  const comma = lines.indexOf(',', start);
  const owner = `,"document_id":"${documentId}",`;
  if (lines.toString('latin1', comma, comma + owner.length) !== owner) return null;
  return lines.indexOf(beforeText, comma) + beforeText.length;
}

/** Checks only what the index reads. @param owner id of its document */
function toChunk(line: string, owner: string | undefined): ChunkRecord {
  const chunk = parseLine(line) as ChunkRecord;
  const { id, document_id, title, url, text } = chunk;
  if (document_id !== owner) throw busyFeed();
  if (![id, document_id, title, url, text].every(isText) || !Number.isInteger(chunk.start + chunk.end))
    throw invalidFeed('chunks.jsonl contains a line that is not a chunk');
  return chunk;
}

const bitsOf: Readonly<Record<TermField, number>> = { text: inText, heading: inHeading, hints: inHints };

/** What ranking asks of one language for one query. */
function createTermIndex(
  tag: string,
  table: Postings,
  hints: Postings,
  {
    documentOf,
    rangeOf,
    split,
    hintsOf,
  }: {
    readonly documentOf: (chunk: number) => number;
    /** The chunks of a document. */
    readonly rangeOf: (document: number) => readonly number[];
    readonly split: (chunk: number) => IndexedTerms;
    readonly hintsOf: (document: number) => { readonly terms: string; readonly count: number };
  },
): TermIndex {
  const { having, stems, lengths, sizes } = table;
  const count = lengths.length;
  const meanLength = sizes.text / Math.max(1, count);
  let found: readonly IndexedTerms[] = [];
  /** The numbers in a table that have all terms of one of the alternatives in a field. */
  const numbersWith = (table: Postings, field: TermField, alternatives: Alternatives): Set<number> => {
    const numbersOf = (term: string) =>
      new Set(
        Array.from(
          table.having(term).filter((posting) => (posting & bitsOf[field]) > 0),
          (posting) => posting >>> 8,
        ),
      );
    return new Set(
      alternatives.flatMap((terms) => {
        const [first = new Set<number>(), ...others] = terms.map(numbersOf);
        return [...first].filter((number) => others.every((other) => other.has(number)));
      }),
    );
  };
  // Hints are texts of documents.
  const tableOf = (field: TermField) => (field === 'hints' ? hints : table);
  /** The score of each chunk with the term in its text or heading, which only chooses the chunks that are ranked. */
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
    size: (field) => ({ texts: tableOf(field).lengths.length, terms: tableOf(field).sizes[field] }),
    count: (field, phrases) =>
      phrases.map((phrase) =>
        phrase.length === 1
          ? countIn(tableOf(field).having(phrase[0] ?? ''), bitsOf[field])
          : countPair(phrase.join(' ')),
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
      [...numbersWith(hints, 'hints', alternatives)].slice(0, limit).map((document) => {
        const { terms, count: length } = hintsOf(document);
        return { document: String(document), hints: terms, length };
      }),
    passagesOf: (ids) => ids.flatMap((document) => rangeOf(Number(document)).map(split)),
    withText(alternatives, ids) {
      const having = new Set(Array.from(numbersWith(table, 'text', alternatives), documentOf));
      return ids.filter((document) => having.has(Number(document)));
    },
    termsEnding: (end) => (hasCompounds(tag) ? [...stems.keys()].filter((stem) => stem.endsWith(end)) : []),
    termsLike: (start, shortest, longest) =>
      [...stems.keys()].filter(
        (stem) => stem.startsWith(start) && stem.length >= shortest && stem.length <= longest,
      ),
  };
}
