import { hash } from 'node:crypto';
import type { LanguageTag } from '../../foundation/model.ts';
import type { RenderedFile } from '../assets.ts';
import { fieldCount, fieldOf, occurrencesOf, PostingLog, sectionOf } from './posting.ts';
import type { SearchEntry } from './search-entry.ts';

/**
 * The search terms of one partition in one language. Sections are numbered within the partition, so that an edit does not renumber other
 * partitions.
 */
export interface TermRun {
  /**
   * One line per term, in code-unit order: the term, then the postings of each field, separated by tabs. Postings are numbers separated by
   * commas: the first section, then distances between sections. A negative number is the count of the section before it.
   */
  readonly terms: string;
  /** Article data for results, with a few articles per file, so that a result needs one file. */
  readonly articleFiles: readonly ArticleFile[];
  /** Lengths as letters: an upper-case letter for the title of each article, then a lower-case letter per section. */
  readonly lengths: string;
  /** Title of the top category of each article; empty without a category. */
  readonly topCategories: readonly string[];
}

/** JSON: an array of the search data of each article, see `SearchEntry`. */
interface ArticleFile {
  readonly content: string;
  /** Number of articles. */
  readonly count: number;
}

/** Number of sections in `lengths`. */
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
  /** Hash in the names of its files of articles. */
  readonly articleHash: string;
  /** Number of articles in each of these files. */
  readonly articleCounts: readonly number[];
  /** Distinct titles of top categories. */
  readonly categoryTitles: readonly string[];
  /** Per article: the index of its top category in `categoryTitles`. */
  readonly categoryNumbers: readonly number[];
}

/** Folder of a language's search files. */
export function searchFolder(language: LanguageTag): string {
  return `assets/search/${language}`;
}

/** Paths of a run's files of articles. All share one hash, so that the index has to contain it only once. */
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

/** A file of articles ends after the article that reaches this length: about five kilobytes compressed. */
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

/** Fields separated by tabs, without empty ones at the end. */
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
