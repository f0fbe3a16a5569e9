import { createHash, hash } from 'node:crypto';
import { hashText } from '../../core/hash-slots.ts';
import type { LanguageTag } from '../../core/model.ts';
import { hasCompounds, listParts } from '../../core/search/compounds.ts';
import type { RenderedFile } from '../pages/assets.ts';
import { fieldCount, movePosting } from './posting.ts';
import type { SearchEntry } from './search-entry.ts';
import { countPostings, type KeptTerms, LineWriter } from './term-line.ts';
import { TermTable } from './term-table.ts';

/**
 * The articles of one part of the index, with their terms. Sections are numbered within a part, so that an edit or a new article changes
 * one part. Plain data.
 */
export interface SearchPart {
  readonly part: number;
  /** Number of its sections. */
  readonly sections: number;
  /** Lengths as letters: an upper-case letter for the title of each article, then a lower-case letter per section. */
  readonly lengths: string;
  /** Title of the top category of each article; empty without a category. */
  readonly topCategories: readonly string[];
  /** Hash in the names of its files of articles, then the number of articles in each. */
  readonly articleFiles: readonly [name: string, ...counts: number[]];
  /** UTF-16 units of the distinct terms, each followed by a line feed. */
  readonly terms: Uint16Array;
  /** For each term, where its postings end in `postings`. */
  readonly ends: Uint32Array;
  /** The encoded postings of one term after another; those of each field by section. */
  readonly postings: Uint32Array;
}

export interface SearchIndexOptions {
  /** It decides how a query is split into terms. */
  readonly language: LanguageTag;
  /** Folder for files with hashed names. */
  readonly folder: string;
  /** Path of the file that lists them. */
  readonly path: string;
  readonly basePath: string;
  /** The number of parts is `2 ** bits`. */
  readonly bits: number;
  /** Interface texts of the search. */
  readonly texts: unknown;
  /** Groups of synonyms. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Stop words of the language: they count little beside other words, and nothing if they are also common on the site. */
  readonly stopWords?: ReadonlySet<string>;
  /** Average size of a file of terms, in bytes before compression. */
  readonly termBytes?: number;
}

/** Folder of a language's search files. */
export function searchFolder(language: LanguageTag): string {
  return `assets/search/${language}`;
}

/** With this size, the first result for a language with 1,500 articles loads less than 150 KB (compressed), also for several words. */
const defaultTermBytes = 24 * 1024;

/** Makes a part from the entries of its articles, in order, and the files of these articles. Pure. */
export function makeSearchPart(
  folder: string,
  part: number,
  entries: readonly SearchEntry[],
): { readonly part: SearchPart; readonly files: readonly RenderedFile[] } {
  const divided = divideArticles(entries.map(({ article }) => article));
  const digest = createHash('sha256');
  for (const [at, { content }] of divided.entries()) {
    if (at > 0) digest.update('\0');
    digest.update(content);
  }
  const name = digest.digest('hex').slice(0, 10);
  const articleFiles: SearchPart['articleFiles'] = [name, ...divided.map(({ count }) => count)];
  const paths = articleFilePaths(folder, articleFiles);
  const lengths = entries.map((entry) => entry.lengths).join('');
  const topCategories = entries.map(({ topCategory }) => topCategory);
  return {
    part: {
      ...{ part, sections: countSections(lengths), lengths, topCategories, articleFiles },
      ...groupPostings(entries),
    },
    files: divided.map(({ content }, at) => ({ path: paths[at] as string, content })),
  };
}

/** The postings of articles by term. Sections are counted through all of them. */
function groupPostings(entries: readonly SearchEntry[]): Pick<SearchPart, 'terms' | 'ends' | 'postings'> {
  const table = new TermTable();
  let length = 0;
  let maxLines = 0;
  for (const { terms, postings } of entries) {
    length += postings.length / 2;
    maxLines = Math.max(maxLines, terms.length);
  }
  const ids = new Uint32Array(maxLines);
  const [termOf, moved] = [new Uint32Array(length), new Uint32Array(length)];
  let firstSection = 0;
  length = 0;
  for (const { terms, postings, lengths } of entries) {
    table.addLines(terms, ids);
    for (let at = 0; at < postings.length; at += 2) {
      termOf[length] = ids[postings[at] as number] as number;
      moved[length] = movePosting(postings[at + 1] as number, firstSection);
      length += 1;
    }
    firstSection += countSections(lengths);
  }
  const { order, ends } = groupBy(termOf, table.size);
  return { terms: table.lines, ends, postings: order.map((at) => moved[at] as number) };
}

/**
 * Sorts positions by a number each, and positions with the same number in ascending order.
 * @param count above every number
 * @returns the positions, and for each number where its positions end
 */
function groupBy(
  numbers: Uint32Array,
  count: number,
): { readonly order: Uint32Array; readonly ends: Uint32Array } {
  const ends = new Uint32Array(count);
  for (let at = 0; at < numbers.length; at += 1)
    ends[numbers[at] as number] = (ends[numbers[at] as number] as number) + 1;
  let start = 0;
  for (let number = 0; number < count; number += 1) {
    const size = ends[number] as number;
    ends[number] = start;
    start += size;
  }
  const order = new Uint32Array(numbers.length);
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    const place = ends[number] as number;
    order[place] = at;
    ends[number] = place + 1;
  }
  return { order, ends };
}

/** Paths of the files of articles of a part. */
export function articleFilePaths(
  folder: string,
  [name, ...counts]: SearchPart['articleFiles'],
): readonly string[] {
  return counts.map((_, at) => `${folder}/${name}-${at}.json`);
}

/** Number of sections in `lengths`. */
export function countSections(lengths: string): number {
  return lengths.replace(/[A-Z]/g, '').length;
}

/**
 * The search index of one language, without the files of articles: files with hashed names, then `path`, which lists them. The sorted terms
 * are divided into files. A query loads only the files with its words, and the files of the articles it shows. Common stop words, a third of
 * the index, are in separate files. The number of a section is `part * 2 ** sectionBits + number within the part`.
 * @param parts those that have a page in the language, with ascending numbers; others are a bug
 * @param kept the terms that were kept of the last index (`LastIndex.readTerms`); absent: all parts have their own
 */
export function* renderSearchIndex(
  parts: readonly SearchPart[],
  options: SearchIndexOptions,
  kept: KeptTerms = { placesOf: () => [], step: 1, lines: new Map(), stale: new Set() },
): Generator<RenderedFile> {
  const { folder, path, basePath, bits, texts, synonyms = [], stopWords = new Set() } = options;
  const { termBytes = defaultTermBytes } = options;
  for (const [at, { part }] of parts.entries()) {
    const before = parts[at - 1]?.part ?? -1;
    if (part <= before) throw new Error(`part ${part} of a search index follows part ${before}`);
  }
  const largest = parts.reduce((most, { sections }) => Math.max(most, sections), 1);
  const sectionBits = Math.ceil(Math.log2(largest + 1));
  const sections = parts.reduce((sum, part) => sum + part.sections, 0);
  const termFiles: (readonly [first: string, href: string])[] = [];
  const weak: string[] = [];
  const ignoredFiles: (readonly [href: string, terms: readonly string[]])[] = [];
  const isIgnored = (term: string, inTexts: () => number): boolean => {
    if (!stopWords.has(term)) return false;
    const isCommon = inTexts() >= sections * commonShare;
    if (!isCommon) weak.push(term);
    return isCommon;
  };
  /** Two syllables that are stop words: they describe no topic. */
  const isLeftOut = (term: string): boolean =>
    term.includes(' ') && term.split(' ').every((syllable) => stopWords.has(syllable));
  const divides = hasCompounds(options.language);
  const lines = mergeTerms(parts, kept, 2 ** sectionBits, divides, isLeftOut, isIgnored);
  for (const file of divideTerms(lines, termBytes)) {
    const name = `${folder}/${hash('sha256', file.content).slice(0, 10)}.json`;
    const href = `${basePath}/${name}`;
    if (file.isIgnored) ignoredFiles.push([href, file.terms]);
    else termFiles.push([file.terms[0] ?? '', href]);
    yield { path: name, content: file.content };
  }
  const lengths = new Array<string>(2 ** bits).fill('');
  const articleFiles = new Array<readonly (string | number)[]>(2 ** bits).fill([]);
  for (const part of parts) {
    lengths[part.part] = part.lengths;
    articleFiles[part.part] = part.articleFiles;
  }
  const topCategories = parts.flatMap((part) => part.topCategories);
  const categories = [...new Set(topCategories)].sort();
  const numbers = new Map(categories.map((title, at) => [title, at]));
  const manifest: SearchManifest = {
    language: options.language,
    sectionBits,
    lengths,
    articleFolder: `${basePath}/${folder}`,
    articleFiles,
    // If all articles are in one category, there is nothing to choose.
    ...(categories.length > 1
      ? { categories, articleCategories: topCategories.map((title) => numbers.get(title) ?? 0) }
      : {}),
    termFiles,
    synonyms,
    ignoredFiles,
    weak,
    texts,
  };
  yield { path, content: `${JSON.stringify(manifest)}\n` };
}

/** The file that lists the other files of an index. */
export interface SearchManifest {
  readonly language: LanguageTag;
  /** Sections are numbered within parts, with so many bits. */
  readonly sectionBits: number;
  /** `SearchPart.lengths` by part; empty if the part has no page in the language. */
  readonly lengths: readonly string[];
  readonly articleFolder: string;
  /** `SearchPart.articleFiles` by part. */
  readonly articleFiles: readonly (readonly (string | number)[])[];
  /** Titles of top categories, and the number of that of each article. */
  readonly categories?: readonly string[];
  readonly articleCategories?: readonly number[];
  readonly termFiles: readonly (readonly [first: string, href: string])[];
  readonly synonyms: readonly (readonly string[])[];
  readonly ignoredFiles: readonly (readonly [href: string, terms: readonly string[]])[];
  readonly weak: readonly string[];
  readonly texts: unknown;
}

/** A file of articles ends after the article that reaches this length: about five kilobytes compressed. */
const articleFileChars = 10 * 1024;

/** Divides the articles of a part into files, so that a result needs one small file. */
function divideArticles(
  articles: readonly string[],
): readonly { readonly content: Uint8Array; readonly count: number }[] {
  const files: string[][] = [];
  let chars = articleFileChars;
  for (const article of articles) {
    if (chars >= articleFileChars) {
      files.push([]);
      chars = 0;
    }
    files.at(-1)?.push(article);
    chars += article.length;
  }
  return files.map((file) => ({ content: linesFile(file), count: file.length }));
}

/** A file with a JSON array in UTF-8, one element per line. */
function linesFile(elements: readonly string[]): Uint8Array {
  return Buffer.from(`[${elements.join(',\n')}]\n`);
}

/** The elements of such a file, as they are in it. */
export function readLines(text: string): readonly string[] {
  return text.slice(1, -2).split(',\n');
}

/** A stop word is common if it occurs in this share of the sections. Others matter: "off" is a stop word, but needed in "turn off". */
const commonShare = 0.1;

/** A term and its line in a file of terms: JSON, `[term, postings by field…]`. */
interface TermLine {
  readonly term: string;
  readonly line: string;
  readonly isIgnored: boolean;
}

/**
 * The terms of all parts, in code-unit order, and the last parts of compounds. The line of a term that only kept parts have stays as it is.
 * @param step distance between the first sections of two parts
 * @param divides whether the last parts of compounds are terms, too: their postings are in a field of their own
 * @param isLeftOut whether a term is not in the index at all
 * @param isIgnored called with each term and what counts its postings in texts
 */
function* mergeTerms(
  parts: readonly SearchPart[],
  kept: KeptTerms,
  step: number,
  divides: boolean,
  isLeftOut: (term: string) => boolean,
  isIgnored: (term: string, inTexts: () => number) => boolean,
): Generator<TermLine> {
  const { lines } = kept;
  const { ids, ends, partAt, placeAt } = numberTerms(parts);
  const all = new Set([...lines.keys(), ...ids.keys()]);
  const compounds = divides ? listParts(all) : new Map<string, readonly string[]>();
  const writer = new LineWriter(step, kept);
  const addPostings = (term: string): void => {
    const line = lines.get(term);
    if (line !== undefined) writer.keep(fieldsOf(line));
    const id = ids.get(term);
    const end = id === undefined ? 0 : (ends[id] as number);
    for (let at = id ? (ends[id - 1] as number) : 0; at < end; at += 1) {
      const part = parts[partAt[at] as number] as SearchPart;
      const place = placeAt[at] as number;
      const from = place === 0 ? 0 : (part.ends[place - 1] as number);
      writer.add(part.part, part.postings, from, part.ends[place] as number);
    }
  };
  for (const tail of compounds.keys()) all.add(tail);
  for (const term of [...all].sort()) {
    if (isLeftOut(term)) continue;
    const line = lines.get(term);
    const isSame = step === kept.step && !kept.stale.has(term) && !ids.has(term) && !compounds.has(term);
    if (line !== undefined && isSame) {
      yield {
        term,
        line,
        isIgnored: isIgnored(term, () => countPostings(fieldsOf(line).at(fieldCount - 1))),
      };
      continue;
    }
    writer.start(term);
    addPostings(term);
    const inTexts = writer.writeFields();
    for (const compound of compounds.get(term) ?? []) addPostings(compound);
    writer.writeSections();
    yield { term, line: writer.end(), isIgnored: isIgnored(term, () => inTexts) };
  }
}

function fieldsOf(line: string): readonly number[][] {
  return (JSON.parse(line) as [string, ...number[][]]).slice(1) as number[][];
}

/** Numbers the terms of all parts. The places of each are one after another: a position among the parts, and the term's number in that part. */
function numberTerms(parts: readonly SearchPart[]): {
  readonly ids: ReadonlyMap<string, number>;
  /** Where the places of each term end. */
  readonly ends: Uint32Array;
  readonly partAt: Uint32Array;
  readonly placeAt: Uint32Array;
} {
  const table = new TermTable();
  const length = parts.reduce((sum, { ends }) => sum + ends.length, 0);
  const termAt = new Uint32Array(length);
  const partAt = new Uint32Array(length);
  const placeAt = new Uint32Array(length);
  let start = 0;
  for (const [number, { terms, ends }] of parts.entries()) {
    table.addLines(terms, termAt.subarray(start));
    partAt.fill(number, start, start + ends.length);
    for (let place = 0; place < ends.length; place += 1) placeAt[start + place] = place;
    start += ends.length;
  }
  const { order, ends } = groupBy(termAt, table.size);
  return {
    ids: new Map(Array.from(ends, (_, id) => [table.term(id), id])),
    ends,
    partAt: order.map((at) => partAt[at] as number),
    placeAt: order.map((at) => placeAt[at] as number),
  };
}

/** Average distance in terms between possible ends of a file. A file ends there if it has half its size. */
const termsPerEnd = 128;

/** Terms with the same first letters are in one file unless it becomes too large, because queries need them together. */
const sharedLetters = 3;

interface TermFile {
  readonly isIgnored: boolean;
  readonly terms: readonly string[];
  readonly content: Uint8Array;
}

/**
 * Divides terms into files. The terms themselves decide where a file ends, so that an edit changes only the files of its terms and moves no
 * term to another file.
 */
function* divideTerms(lines: Iterable<TermLine>, termBytes: number): Generator<TermFile> {
  const open = [false, true].map((isIgnored) => {
    return { isIgnored, terms: [] as string[], lines: [] as string[], size: 0, mayEnd: false };
  });
  const close = ({ isIgnored, terms, lines }: (typeof open)[number]): TermFile => {
    return { isIgnored, terms, content: linesFile(lines) };
  };
  for (const { term, line, isIgnored } of lines) {
    const file = open[Number(isIgnored)] as (typeof open)[number];
    const isRelated = file.terms.at(-1)?.slice(0, sharedLetters) === term.slice(0, sharedLetters);
    if (file.size >= 2 * termBytes || (file.mayEnd && !isRelated)) {
      yield close(file);
      Object.assign(file, { terms: [], lines: [], size: 0, mayEnd: false });
    }
    file.terms.push(term);
    file.lines.push(line);
    file.size += Buffer.byteLength(line) + 2;
    file.mayEnd ||= file.size >= termBytes / 2 && hashText(term) % termsPerEnd === 0;
  }
  for (const file of open) if (file.terms.length > 0) yield close(file);
}
