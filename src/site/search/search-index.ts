import { hash } from 'node:crypto';
import type { RenderedFile } from '../assets.ts';
import { fieldCount } from './posting.ts';
import { countSections, type TermRunSummary } from './term-run.ts';
import { firstHash, hashPrime } from './term-table.ts';

/** The run of one partition. Its terms (see `TermRun`) are read on demand, in blocks of whole lines. */
export interface SearchPartition extends TermRunSummary {
  readonly partition: number;
  readTerms(): Iterable<string>;
}

export interface SearchIndexOptions {
  /** Folder for files with hashed names. */
  readonly folder: string;
  /** Path of the file that lists them. */
  readonly path: string;
  readonly basePath: string;
  /** The number of partitions is `2 ** bits`. */
  readonly bits: number;
  /** Interface texts of the search. */
  readonly texts: unknown;
  /** Groups of synonyms. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Stop words of the language: they count little beside other words, and nothing if they are also common on the site. */
  readonly stopWords?: ReadonlySet<string>;
  /** Average size of a file of terms, in bytes before compression. */
  readonly termBytes?: number;
  /** Characters of the runs' terms that are merged at a time. */
  readonly mergedChars?: number;
}

/** With this size, the first result for a language with 1,500 articles loads less than 150 KB (compressed), also for several words. */
const defaultTermBytes = 24 * 1024;

/** Terms are merged in ranges, so that only this much of the runs is in memory besides a block of each. */
const defaultMergedChars = 512 * 1024;

/**
 * The search index of one language, merged from the runs of its partitions: files with hashed names, then `path`, which lists them and the
 * partitions' files of articles. The sorted terms are divided into files. A query loads only the files with its words, and the files of the
 * articles it shows. Common stop words, a third of the index, are in separate files. Section numbers are `partition * 2 ** sectionBits +
 * number within the partition`.
 * @param partitions those that have a page in the language, in order
 */
export function* renderSearchIndex(
  partitions: readonly SearchPartition[],
  options: SearchIndexOptions,
): Generator<RenderedFile> {
  const { folder, path, basePath, bits, texts, synonyms = [], stopWords = new Set() } = options;
  const { termBytes = defaultTermBytes, mergedChars = defaultMergedChars } = options;
  const hashed = (content: string): RenderedFile & { readonly href: string } => {
    const name = `${folder}/${hash('sha256', content).slice(0, 10)}.json`;
    return { path: name, content, href: `${basePath}/${name}` };
  };
  const sectionBits = bitsOf(partitions);
  const termFiles: (readonly [first: string, href: string])[] = [];
  const size = partitions.reduce((sum, { termChars }) => sum + termChars, 0);
  const sections = partitions.reduce((sum, { lengths }) => sum + countSections(lengths), 0);
  const weak: string[] = [];
  const ignoredFiles: (readonly [href: string, terms: readonly string[]])[] = [];
  const isIgnored = (term: string, textPostings: string) => {
    if (!stopWords.has(term)) return false;
    const isCommon = countPostings(textPostings) >= sections * commonShare;
    if (!isCommon) weak.push(term);
    return isCommon;
  };
  const merged = mergeRuns(partitions, sectionBits, Math.ceil(size / mergedChars), isIgnored);
  for (const { isIgnored, terms, content } of divideTerms(merged, termBytes)) {
    const { href, ...rendered } = hashed(content);
    if (isIgnored) ignoredFiles.push([href, terms]);
    else termFiles.push([terms[0] ?? '', href]);
    yield rendered;
  }
  const lengths = new Array<string>(2 ** bits).fill('');
  const articleFiles = new Array<readonly (string | number)[]>(2 ** bits).fill([]);
  for (const { partition, lengths: letters, articleHash, articleCounts } of partitions) {
    lengths[partition] = letters;
    articleFiles[partition] = [articleHash, ...articleCounts];
  }
  const categories = [...new Set(partitions.flatMap(({ categoryTitles }) => categoryTitles))].sort();
  const numbers = new Map(categories.map((title, at) => [title, at]));
  const articleCategories = partitions.flatMap(({ categoryTitles, categoryNumbers }) =>
    categoryNumbers.map((at) => numbers.get(categoryTitles[at] ?? '') ?? 0),
  );
  const articleFolder = `${basePath}/${folder}`;
  const manifest = {
    sectionBits,
    lengths,
    articleFolder,
    articleFiles,
    // If all articles are in one category, there is nothing to choose.
    ...(categories.length > 1 ? { categories, articleCategories } : {}),
    termFiles,
    synonyms,
    ignoredFiles,
    weak,
    texts,
  };
  yield { path, content: `${JSON.stringify(manifest)}\n` };
}

/** A stop word is common if it occurs in this share of the sections. Others matter: "off" is a stop word, but needed in "turn off". */
const commonShare = 0.1;

/** @param list postings of a field; a negative number is not a posting itself, see `TermRun` */
function countPostings(list: string): number {
  if (list === '') return 0;
  let count = 1;
  for (let at = list.indexOf(','); at >= 0; at = list.indexOf(',', at + 1)) {
    if (list.charCodeAt(at + 1) !== minus) count += 1;
  }
  return count;
}

/** Number of bits for the sections of the largest partition. */
function bitsOf(partitions: readonly SearchPartition[]): number {
  const most = partitions.reduce((max, { lengths }) => Math.max(max, countSections(lengths)), 1);
  return Math.ceil(Math.log2(most + 1));
}

/** A term and its line in a file of terms: JSON, `[term, postings by field…]`. */
interface TermLine {
  readonly term: string;
  readonly line: string;
  readonly isIgnored: boolean;
}

/**
 * The terms of all runs, in code-unit order.
 * @param ranges number of ranges that are merged one after the other
 * @param isIgnored called with each term and its number of postings in texts
 */
function* mergeRuns(
  partitions: readonly SearchPartition[],
  sectionBits: number,
  ranges: number,
  isIgnored: TermTest,
): Generator<TermLine> {
  const [first] = partitions;
  const sample = ranges > 1 && first !== undefined ? [...first.readTerms()].join('') : '';
  const cursors = partitions.map((run) => new RunCursor(run, 2 ** sectionBits));
  for (const end of chooseRanges(sample, ranges)) yield* mergeRange(cursors, end, isIgnored);
}

/** Terms that end ranges of about equal size; the last range ends with `null`. */
function chooseRanges(sample: string, ranges: number): readonly (string | null)[] {
  const lines = sample.split('\n');
  const ends = Array.from({ length: ranges - 1 }, (_, at) => {
    const line = lines[Math.floor(((at + 1) * lines.length) / ranges)] ?? '';
    return line.slice(0, line.indexOf('\t'));
  });
  return [...new Set(ends.filter((end) => end !== '')), null];
}

type TermTest = (term: string, textPostings: string) => boolean;

/** Postings of a term by field, as text, with the partition of the last posting of each field. */
interface MergedTerm {
  readonly fields: string[];
  readonly last: number[];
}

/** @param end first term after the range; `null` for the last range */
function* mergeRange(
  cursors: readonly RunCursor[],
  end: string | null,
  isIgnored: TermTest,
): Generator<TermLine> {
  const merged = new Map<string, MergedTerm>();
  for (const cursor of cursors) cursor.addTo(merged, end);
  for (const term of [...merged.keys()].sort()) {
    const { fields } = merged.get(term) as MergedTerm;
    const ignored = isIgnored(term, fields[fieldCount - 1] ?? '');
    while (fields.at(-1) === '') fields.pop();
    const line = `[${JSON.stringify(term)},${fields.map((list) => `[${list}]`).join(',')}]`;
    yield { term, line, isIgnored: ignored };
  }
}

/** Read position in a run. */
class RunCursor {
  private readonly partition: number;
  private readonly step: number;
  private readonly blocks: Iterator<string>;
  private block = '';
  private at = 0;

  constructor({ partition, readTerms }: SearchPartition, step: number) {
    this.partition = partition;
    this.step = step;
    this.blocks = readTerms()[Symbol.iterator]();
  }

  /** Merges the remaining terms before `end`. */
  addTo(merged: Map<string, MergedTerm>, end: string | null): void {
    while (this.at < this.block.length || this.readBlock()) {
      const { block, at } = this;
      const lineEnd = block.indexOf('\n', at);
      const termEnd = block.indexOf('\t', at);
      const term = block.slice(at, termEnd);
      if (end !== null && term >= end) return;
      let entry = merged.get(term);
      if (entry === undefined) {
        entry = { fields: new Array(fieldCount).fill(''), last: new Array(fieldCount).fill(0) };
        merged.set(term, entry);
      }
      addPostings(entry, block, termEnd + 1, lineEnd, this.partition, this.step);
      this.at = lineEnd + 1;
    }
  }

  private readBlock(): boolean {
    const next = this.blocks.next();
    this.block = next.done ? '' : next.value;
    this.at = 0;
    return this.block !== '';
  }
}

/**
 * Adds the terms of a block from `start` to `end`. The first number of a partition is relative to the start of the partition of the
 * previous number.
 */
function addPostings(
  { fields, last }: MergedTerm,
  block: string,
  start: number,
  end: number,
  partition: number,
  step: number,
): void {
  for (let field = 0, at = start; at <= end; field += 1) {
    let first = 0;
    let code = block.charCodeAt(at);
    const from = at;
    for (; code >= zero && code <= nine; code = block.charCodeAt(at)) {
      first = 10 * first + code - zero;
      at += 1;
    }
    const tabAt = code === tab || at === end ? at : block.indexOf('\t', at);
    const listEnd = tabAt < 0 || tabAt > end ? end : tabAt;
    if (listEnd > from) {
      const number = (partition - (last[field] as number)) * step + first;
      const before = fields[field] as string;
      const rest = block.slice(at, listEnd);
      fields[field] = before === '' ? `${number}${rest}` : `${before},${number}${rest}`;
      last[field] = partition;
    }
    at = listEnd + 1;
  }
}

const tab = 9;
const minus = 45;
const zero = 48;
const nine = 57;

/** Average distance in terms between possible ends of a file. A file ends there if it has half its size. */
const termsPerEnd = 128;

/** Terms with the same first letters are in one file unless it becomes too large, because queries need them together. */
const sharedLetters = 3;

interface TermFile {
  readonly isIgnored: boolean;
  readonly terms: readonly string[];
  readonly content: string;
}

/**
 * Divides terms into files. The terms themselves decide where a file ends, so that an edit changes only the files of its terms and moves no
 * term to another file.
 */
function* divideTerms(lines: Iterable<TermLine>, termBytes: number): Generator<TermFile> {
  const open = [false, true].map((isIgnored) => {
    return { isIgnored, terms: [] as string[], lines: [] as string[], size: 0, mayEnd: false };
  });
  for (const { term, line, isIgnored } of lines) {
    const file = open[Number(isIgnored)] as (typeof open)[number];
    const isRelated = file.terms.at(-1)?.slice(0, sharedLetters) === term.slice(0, sharedLetters);
    if (file.size >= 2 * termBytes || (file.mayEnd && !isRelated)) {
      yield { ...file, content: `[${file.lines.join(',\n')}]\n` };
      Object.assign(file, { terms: [], lines: [], size: 0, mayEnd: false });
    }
    file.terms.push(term);
    file.lines.push(line);
    file.size += Buffer.byteLength(line) + 2;
    file.mayEnd ||= file.size >= termBytes / 2 && hashTerm(term) % termsPerEnd === 0;
  }
  for (const file of open)
    if (file.terms.length > 0) yield { ...file, content: `[${file.lines.join(',\n')}]\n` };
}

function hashTerm(term: string): number {
  let hashed = firstHash;
  for (let at = 0; at < term.length; at += 1) hashed = Math.imul(hashed ^ term.charCodeAt(at), hashPrime);
  return (hashed ^ (hashed >>> 15)) >>> 0;
}
