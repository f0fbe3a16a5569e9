import { hash } from 'node:crypto';
import { firstHash, hashPrime } from '../../core/hash-slots.ts';
import type { LanguageTag } from '../../core/model.ts';
import { hasCompounds, listParts } from '../../core/search/compounds.ts';
import type { RenderedFile } from '../pages/assets.ts';
import { encodePosting, fieldCount, fieldOf, movePosting, occurrencesOf, sectionOf } from './posting.ts';
import type { SearchEntry } from './search-entry.ts';

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
  /**
   * One line per term, in code-unit order: the term, then its postings of each field, separated by tabs. Postings are numbers separated
   * by commas: the first section, then distances between sections. A negative number is the count of the section before it.
   */
  readonly terms: string;
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
  entries: Iterable<SearchEntry>,
): { readonly part: SearchPart; readonly files: readonly RenderedFile[] } {
  const index = new Map<string, number[]>();
  const articles: string[] = [];
  const topCategories: string[] = [];
  let sections = 0;
  let lengths = '';
  for (const entry of entries) {
    addPostings(index, entry, sections);
    sections += countSections(entry.lengths);
    lengths += entry.lengths;
    articles.push(entry.article);
    topCategories.push(entry.topCategory);
  }
  const divided = divideArticles(articles);
  const name = hash('sha256', divided.map(({ content }) => content).join('\0')).slice(0, 10);
  const lines = [...index.keys()].sort().map((term) => {
    return `${term}\t${formatPostings(index.get(term) ?? [])}\n`;
  });
  const articleFiles: SearchPart['articleFiles'] = [name, ...divided.map(({ count }) => count)];
  const paths = articleFilePaths(folder, articleFiles);
  return {
    part: { part, sections, lengths, topCategories, articleFiles, terms: lines.join('') },
    files: divided.map(({ content }, at) => ({ path: paths[at] as string, content })),
  };
}

/**
 * The entries that a part was made of, in order: the next build makes the part again with those that changed.
 * @param articles `SearchEntry.article` of each
 */
export function splitSearchPart(
  { lengths, topCategories, terms }: SearchPart,
  articles: readonly string[],
): readonly SearchEntry[] {
  const entries = Array.from(lengths.matchAll(/[A-Z][a-z]*/g), ([own]) => ({
    ...{ lengths: own, terms: [] as string[], postings: [] as number[] },
  }));
  /** The entry of each section, and its first section. */
  const places: { readonly entry: (typeof entries)[number]; readonly first: number }[] = [];
  for (const entry of entries) {
    const place = { entry, first: places.length };
    for (let left = countSections(entry.lengths); left > 0; left -= 1) places.push(place);
  }
  for (let at = 0; at < terms.length; at += 1) {
    const tab = terms.indexOf('\t', at);
    const term = terms.slice(at, tab);
    let [field, section, number, isCount] = [0, 0, -1, false];
    at = tab;
    do {
      at += 1;
      const unit = terms.charCodeAt(at);
      if (unit >= zero && unit <= nine) number = (number < 0 ? 0 : 10 * number) + unit - zero;
      else if (unit === minus) isCount = true;
      else {
        if (number >= 0) {
          // A negative number is the count of the section before it.
          if (!isCount) section += number;
          const { entry, first } = places[section] as (typeof places)[number];
          if (isCount) entry.postings.pop();
          else {
            if (entry.terms.at(-1) !== term) entry.terms.push(term);
            entry.postings.push(entry.terms.length - 1);
          }
          entry.postings.push(encodePosting(section - first, field, isCount ? number : 1));
        }
        [number, isCount] = [-1, false];
        if (unit === tabUnit) [field, section] = [field + 1, 0];
      }
    } while (terms.charCodeAt(at) !== newline);
  }
  return entries.map((entry, at) => ({
    article: articles[at] ?? '',
    topCategory: topCategories[at] ?? '',
    lengths: entry.lengths,
    terms: entry.terms.join('\n'),
    postings: Uint32Array.from(entry.postings),
  }));
}

/** UTF-16 units in `SearchPart.terms`. */
const [tabUnit, newline, minus, zero, nine] = [0x09, 0x0a, 0x2d, 0x30, 0x39];

/** Paths of the files of articles of a part. */
export function articleFilePaths(
  folder: string,
  [name, ...counts]: SearchPart['articleFiles'],
): readonly string[] {
  return counts.map((_, at) => `${folder}/${name}-${at}.json`);
}

/** Number of sections in `lengths`. */
function countSections(lengths: string): number {
  return lengths.replace(/[A-Z]/g, '').length;
}

/**
 * The search index of one language, without the files of articles: files with hashed names, then `path`, which lists them. The sorted terms
 * are divided into files. A query loads only the files with its words, and the files of the articles it shows. Common stop words, a third of
 * the index, are in separate files. The number of a section is `part * 2 ** sectionBits + number within the part`.
 * @param parts those that have a page in the language, with ascending numbers; others are a bug
 */
export function* renderSearchIndex(
  parts: readonly SearchPart[],
  options: SearchIndexOptions,
): Generator<RenderedFile> {
  const { folder, path, basePath, bits, texts, synonyms = [], stopWords = new Set() } = options;
  const { termBytes = defaultTermBytes } = options;
  for (const [at, { part }] of parts.entries()) {
    const before = parts[at - 1]?.part ?? -1;
    if (part <= before) throw new Error(`part ${part} of a search index follows part ${before}`);
  }
  const hashed = (content: string): RenderedFile & { readonly href: string } => {
    const name = `${folder}/${hash('sha256', content).slice(0, 10)}.json`;
    return { path: name, content, href: `${basePath}/${name}` };
  };
  const largest = parts.reduce((most, { sections }) => Math.max(most, sections), 1);
  const sectionBits = Math.ceil(Math.log2(largest + 1));
  const sections = parts.reduce((sum, part) => sum + part.sections, 0);
  const termFiles: (readonly [first: string, href: string])[] = [];
  const weak: string[] = [];
  const ignoredFiles: (readonly [href: string, terms: readonly string[]])[] = [];
  const isIgnored = (term: string, inText: string): boolean => {
    if (!stopWords.has(term)) return false;
    const isCommon = countPostings(inText) >= sections * commonShare;
    if (!isCommon) weak.push(term);
    return isCommon;
  };
  /** Two syllables that are stop words: they describe no topic. */
  const isLeftOut = (term: string): boolean =>
    term.includes(' ') && term.split(' ').every((syllable) => stopWords.has(syllable));
  const lines = mergeTerms(parts, 2 ** sectionBits, hasCompounds(options.language), isLeftOut, isIgnored);
  for (const file of divideTerms(lines, termBytes)) {
    const { href, ...rendered } = hashed(file.content);
    if (file.isIgnored) ignoredFiles.push([href, file.terms]);
    else termFiles.push([file.terms[0] ?? '', href]);
    yield rendered;
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
  const manifest = {
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

/** A file of articles ends after the article that reaches this length: about five kilobytes compressed. */
const articleFileChars = 10 * 1024;

/** Divides the articles of a part into files, so that a result needs one small file. */
function divideArticles(
  articles: readonly string[],
): readonly { readonly content: string; readonly count: number }[] {
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
  return files.map((file) => ({ content: `[${file.join(',\n')}]\n`, count: file.length }));
}

/** Adds the postings of one article. @param index the postings of each term @param firstSection of the article, within the part */
function addPostings(
  index: Map<string, number[]>,
  { terms, postings }: SearchEntry,
  firstSection: number,
): void {
  const ofTerms = (terms === '' ? [] : terms.split('\n')).map((term) => {
    const known = index.get(term) ?? [];
    if (known.length === 0) index.set(term, known);
    return known;
  });
  for (let at = 0; at < postings.length; at += 2)
    ofTerms[postings[at] as number]?.push(movePosting(postings[at + 1] as number, firstSection));
}

/** The postings of a term, as in `SearchPart.terms`. @param postings by section */
function formatPostings(postings: readonly number[]): string {
  const fields = Array.from({ length: fieldCount }, (): number[] => []);
  const last = new Array<number>(fieldCount).fill(0);
  for (const posting of postings) {
    const [field, section, count] = [fieldOf(posting), sectionOf(posting), occurrencesOf(posting)];
    fields[field]?.push(section - (last[field] as number));
    if (count > 1) fields[field]?.push(-count);
    last[field] = section;
  }
  while (fields.at(-1)?.length === 0) fields.pop();
  return fields.map((numbers) => numbers.join(',')).join('\t');
}

/** A stop word is common if it occurs in this share of the sections. Others matter: "off" is a stop word, but needed in "turn off". */
const commonShare = 0.1;

/** @param list postings of a field; a negative number is not a posting itself */
function countPostings(list: string): number {
  if (list === '') return 0;
  return list.split(',').reduce((count, number) => (number.startsWith('-') ? count : count + 1), 0);
}

/** A term and its line in a file of terms: JSON, `[term, postings by field…]`. */
interface TermLine {
  readonly term: string;
  readonly line: string;
  readonly isIgnored: boolean;
}

/** Postings of a term: for each part that has it, in ascending order, its number and the postings of each field, separated by tabs. */
type TermParts = (number | string)[];

/**
 * The terms of all parts, in code-unit order, and the last parts of compounds. Parts ascend. The first number of a part is relative to the start of the part of the previous number.
 * @param step distance between the first sections of two parts
 * @param divides whether the last parts of compounds are terms, too: their postings are in a field of their own
 * @param isLeftOut whether a term is not in the index at all
 * @param isIgnored called with each term and its postings in texts
 */
function* mergeTerms(
  parts: readonly SearchPart[],
  step: number,
  divides: boolean,
  isLeftOut: (term: string) => boolean,
  isIgnored: (term: string, inText: string) => boolean,
): Generator<TermLine> {
  const found = new Map<string, TermParts>();
  for (const { part, terms } of parts) {
    for (let at = 0; at < terms.length; ) {
      const tab = terms.indexOf('\t', at);
      const end = terms.indexOf('\n', tab);
      const term = terms.slice(at, tab);
      const lists = terms.slice(tab + 1, end);
      const known = found.get(term);
      if (known === undefined) found.set(term, [part, lists]);
      else known.push(part, lists);
      at = end + 1;
    }
  }
  const fieldsOf = (term: string): string[] => mergeFields(found.get(term) ?? [], step);
  const compounds = divides ? listParts(found.keys()) : new Map<string, readonly string[]>();
  for (const term of [...new Set([...found.keys(), ...compounds.keys()])].sort()) {
    if (isLeftOut(term)) continue;
    const fields = fieldsOf(term);
    const ignored = isIgnored(term, fields[fieldCount - 1] ?? '');
    const lists = compounds.get(term)?.flatMap(fieldsOf) ?? [];
    fields.push(joinPostings(lists, step));
    while (fields.at(-1) === '') fields.pop();
    yield { term, line: `[${JSON.stringify(term)},[${fields.join('],[')}]]`, isIgnored: ignored };
  }
}

/** The postings of a term in each field, of all parts. @param step see {@link mergeTerms} */
function mergeFields(parts: TermParts, step: number): string[] {
  const fields = new Array<string>(fieldCount).fill('');
  const last = new Array<number>(fieldCount).fill(0);
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at] as number;
    const lists = parts[at + 1] as string;
    for (let start = 0, field = 0; start < lists.length; field += 1) {
      const tab = lists.indexOf('\t', start);
      const end = tab < 0 ? lists.length : tab;
      if (end > start) {
        const comma = lists.indexOf(',', start);
        const digits = comma < 0 || comma > end ? end : comma;
        const first = (part - (last[field] as number)) * step + Number(lists.slice(start, digits));
        const before = fields[field] as string;
        fields[field] = `${before === '' ? '' : `${before},`}${first}${lists.slice(digits, end)}`;
        last[field] = part;
      }
      start = end + 1;
    }
  }
  return fields;
}

/** The sections of several lists of postings, each once. @param step see {@link mergeTerms} */
function joinPostings(lists: readonly string[], step: number): string {
  const sections = new Set<number>();
  for (const list of lists.filter((each) => each !== '')) {
    let section = 0;
    for (const number of list.split(',').map(Number)) {
      // A negative number is a count, and a number of at least a step moves to a later part.
      if (number < 0) continue;
      section = number < step ? section + number : section - (section % step) + number;
      sections.add(section);
    }
  }
  let before = 0;
  return [...sections]
    .sort((one, other) => one - other)
    .map((section) => {
      const moved = section - (section % step) - (before - (before % step));
      const number = moved > 0 ? moved + (section % step) : section - before;
      before = section;
      return number;
    })
    .join(',');
}

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
