import type { LastIndex } from './last-index.ts';
import { listPostings } from './list-postings.ts';
import type { TermPostings } from './posting-log.ts';
import { rewritePostings } from './rewrite-postings.ts';
import type { SectionMap } from './section-map.ts';

/** A term with its line in a file of terms. */
export interface TermEntry {
  readonly term: string;
  readonly line: string;
}

/**
 * The terms of an index whose articles are partly those of the last one: both come in code-unit order, and so do these.
 * @param added of the articles that are not repeated, in order of section
 */
export function* mergeTerms(
  last: LastIndex,
  sections: SectionMap,
  added: Iterable<TermPostings>,
): Generator<TermEntry> {
  const news = added[Symbol.iterator]();
  let next = news.next();
  for (const old of last.terms()) {
    for (; !next.done && next.value.term < old.term; next = news.next()) yield entryOf(next.value);
    const isThere = !next.done && next.value.term === old.term;
    if (!isThere && !sections.moves(old.line, old.start)) yield old;
    else {
      const added = isThere ? [...next.value.postings] : [];
      const lists = rewritePostings(old.line, old.start, sections, added);
      if (lists !== '') yield { term: old.term, line: `${old.line.slice(0, old.start)},${lists}]` };
    }
    if (isThere) next = news.next();
  }
  for (; !next.done; next = news.next()) yield entryOf(next.value);
}

/** The line of a term. */
export function entryOf({ term, postings }: TermPostings): TermEntry {
  return { term, line: JSON.stringify([term, ...listPostings(postings)]) };
}
