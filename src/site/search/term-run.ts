import { hash } from 'node:crypto';
import { countOf, fieldCount, fieldOf, PostingLog, sectionOf } from './posting.ts';
import type { SearchEntry } from './search-entry.ts';

/**
 * The search terms of one partition in one language. Sections are numbered within the partition, so that an edit renumbers
 * nothing in another one.
 */
export interface TermRun {
  /**
   * A line per term, in code-unit order: the term, then the postings of each field, between tabs. Postings are numbers between
   * commas: the first section, then distances between sections; a negative number is the count of the section before it.
   */
  readonly terms: string;
  /** What the search shows of each article, as JSON, separated by {@link articleSeparator}. */
  readonly articles: string;
  /** A letter per section: its length; an upper-case one begins an article. */
  readonly lengths: string;
}

/** Identifies a run without its terms. */
export interface TermRunSummary {
  /** SHA-256 of the run, hex. */
  readonly hash: string;
  readonly lengths: string;
  /** Characters of its terms. */
  readonly termChars: number;
}

export const articleSeparator = ',\n';

/** Collects the entries of a partition, sorted by article id. */
export interface TermRunBuilder {
  add(entry: SearchEntry): void;
  finish(): TermRun;
}

export function createTermRunBuilder(): TermRunBuilder {
  const log = new PostingLog();
  const articles: string[] = [];
  let lengths = '';
  return {
    add({ terms, postings, article, lengths: ofArticle }) {
      log.add(terms, postings, lengths.length);
      articles.push(article);
      lengths += ofArticle;
    },
    finish() {
      const lines: string[] = [];
      for (const { term, postings } of log.terms()) lines.push(`${term}\t${formatPostings(postings)}\n`);
      return { terms: lines.join(''), articles: articles.join(articleSeparator), lengths };
    },
  };
}

export function summarizeRun({ terms, articles, lengths }: TermRun): TermRunSummary {
  return { hash: hash('sha256', [terms, articles, lengths].join('\0')), lengths, termChars: terms.length };
}

/** Fields between tabs, without empty ones at the end. */
function formatPostings(postings: Uint32Array): string {
  const fields = new Array<string>(fieldCount).fill('');
  const last = new Array<number>(fieldCount).fill(-1);
  for (const packed of postings) {
    const field = fieldOf(packed);
    const section = sectionOf(packed);
    const before = last[field] as number;
    const count = countOf(packed);
    fields[field] += before < 0 ? `${section}` : `,${section - before}`;
    if (count > 1) fields[field] += `,-${count}`;
    last[field] = section;
  }
  while (fields.at(-1) === '') fields.pop();
  return fields.join('\t');
}
