import { hash } from 'node:crypto';
import type { LanguageTag } from '../../foundation/model.ts';
import type { RenderedFile } from '../assets.ts';
import { fieldCount, fieldOf, occurrencesOf, PostingLog, sectionOf } from './posting.ts';
import type { SearchEntry } from './search-entry.ts';

/**
 * The search terms of one partition in one language. Sections are numbered within the partition, so that an edit
 * renumbers nothing in another one.
 */
export interface TermRun {
  /**
   * A line per term, in code-unit order: the term, then the postings of each field, between tabs. Postings are numbers
   * between commas: the first section, then distances between sections; a negative number is the count of the section
   * before it.
   */
  readonly terms: string;
  /** Article data shown in results, a few articles per file: a result needs one file. */
  readonly articleFiles: readonly ArticleFile[];
  /** A lower-case letter per section: its length; an upper-case one begins an article: the length of its title. */
  readonly lengths: string;
  /** Title of the top category of each article; empty where it has none. */
  readonly topCategories: readonly string[];
}

/** JSON: an array of what the search shows of each article, see `SearchEntry`. */
interface ArticleFile {
  readonly content: string;
  /** Articles in it. */
  readonly count: number;
}

/** Sections whose lengths these are. */
export function countSections(lengths: string): number {
  return lengths.replace(/[A-Z]/g, '').length;
}

/** Identifies a run without its terms. */
export interface TermRunSummary {
  /** SHA-256 of the run, hex. */
  readonly hash: string;
  readonly lengths: string;
  /** Characters of its terms. */
  readonly termChars: number;
  /** Hash in the names of its article files. */
  readonly articleHash: string;
  /** Articles in each of these files. */
  readonly articleCounts: readonly number[];
  /** Titles of top categories, each once. */
  readonly categoryTitles: readonly string[];
  /** Per article: the position of its top category in these. */
  readonly categoryNumbers: readonly number[];
}

/** Folder of a language's search files with hashed names. */
export function searchFolder(language: LanguageTag): string {
  return `assets/search/${language}`;
}

/**
 * Paths of a run's files of articles. All are named by the hash of all, so that the index has to name one of them only.
 */
export function articleFilePaths(
  language: LanguageTag,
  { articleHash, articleCounts }: Pick<TermRunSummary, 'articleHash' | 'articleCounts'>,
): readonly string[] {
  return articleCounts.map((_, at) => `${searchFolder(language)}/${articleHash}-${at}.json`);
}

/** A run's files of articles, as they are published. */
export function articleFilesOf(language: LanguageTag, run: TermRun): readonly RenderedFile[] {
  const paths = articleFilePaths(language, summarizeRun(run));
  return run.articleFiles.map(({ content }, at) => ({ path: paths[at] as string, content }));
}

/** A file of articles ends after the article that makes it this long: some five kilobytes when compressed. */
const articleFileChars = 10 * 1024;

/** Collects the entries of a partition, sorted by article id. */
export interface TermRunBuilder {
  add(entry: SearchEntry): void;
  finish(): TermRun;
}

export function createTermRunBuilder(): TermRunBuilder {
  const log = new PostingLog();
  const articleFiles: ArticleFile[] = [];
  let articles: string[] = [];
  let articleChars = 0;
  let lengths = '';
  const topCategories: string[] = [];
  const endFile = () => {
    if (articles.length === 0) return;
    articleFiles.push({ content: `[${articles.join(',\n')}]\n`, count: articles.length });
    articles = [];
    articleChars = 0;
  };
  return {
    add({ terms, postings, article, topCategory, lengths: ofArticle }) {
      topCategories.push(topCategory);
      log.add(terms, postings, countSections(lengths));
      articles.push(article);
      articleChars += article.length;
      if (articleChars >= articleFileChars) endFile();
      lengths += ofArticle;
    },
    finish() {
      const lines: string[] = [];
      for (const { term, postings } of log.terms()) lines.push(`${term}\t${formatPostings(postings)}\n`);
      endFile();
      return { terms: lines.join(''), articleFiles, lengths, topCategories };
    },
  };
}

export function summarizeRun({ terms, articleFiles, lengths, topCategories }: TermRun): TermRunSummary {
  const categoryTitles = [...new Set(topCategories)];
  const numbers = new Map(categoryTitles.map((title, at) => [title, at]));
  const articleHash = hash('sha256', articleFiles.map(({ content }) => content).join('\0')).slice(0, 10);
  return {
    hash: hash('sha256', [terms, articleHash, lengths, ...topCategories].join('\0')),
    lengths,
    termChars: terms.length,
    articleHash,
    articleCounts: articleFiles.map(({ count }) => count),
    categoryTitles,
    categoryNumbers: topCategories.map((title) => numbers.get(title) ?? 0),
  };
}

/** Fields between tabs, without empty ones at the end. */
function formatPostings(postings: Uint32Array): string {
  const fields = new Array<string>(fieldCount).fill('');
  const last = new Array<number>(fieldCount).fill(-1);
  for (const packed of postings) {
    const field = fieldOf(packed);
    const section = sectionOf(packed);
    const before = last[field] as number;
    const count = occurrencesOf(packed);
    fields[field] += before < 0 ? `${section}` : `,${section - before}`;
    if (count > 1) fields[field] += `,-${count}`;
    last[field] = section;
  }
  while (fields.at(-1) === '') fields.pop();
  return fields.join('\t');
}
