import { type LastIndex, listsOf, type TermLine } from './last-index.ts';
import { listPostings } from './list-postings.ts';
import { fieldCount, fieldOf, packPosting, sectionOf } from './posting.ts';
import type { TermPostings } from './posting-log.ts';
import { droppedSection, type SectionMap } from './section-map.ts';

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
    else yield* moved(old, sections, isThere ? next.value.postings : []);
    if (isThere) next = news.next();
  }
  for (; !next.done; next = news.next()) yield entryOf(next.value);
}

/** A term of the last index; nothing, where no section holds it any more. */
function* moved(old: TermLine, sections: SectionMap, added: Iterable<number>): Generator<TermEntry> {
  const news = [...added];
  const lists = listsOf(old);
  const postings: number[] = [];
  for (let field = 0; field < fieldCount; field += 1) {
    // In order of section, since both are.
    const ofField = news.filter((packed) => fieldOf(packed) === field);
    let at = 0;
    eachPosting(lists[field] ?? [], (section, count) => {
      const now = sections.find(section);
      if (now === droppedSection) return;
      for (; at < ofField.length && sectionOf(ofField[at] as number) < now; at += 1)
        postings.push(ofField[at] as number);
      postings.push(packPosting(now, field, count));
    });
    for (; at < ofField.length; at += 1) postings.push(ofField[at] as number);
  }
  if (postings.length > 0) yield entryOf({ term: old.term, postings: Uint32Array.from(postings) });
}

/** Reads one list of {@link listPostings}. */
function eachPosting(list: readonly number[], visit: (section: number, count: number) => void): void {
  let section = -1;
  for (let at = 0; at < list.length; at += 1) {
    section += list[at] as number;
    const following = list[at + 1];
    if (following !== undefined && following < 0) {
      visit(section, -following);
      at += 1;
    } else visit(section, 1);
  }
}

/** The line of a term. */
export function entryOf({ term, postings }: TermPostings): TermEntry {
  return { term, line: JSON.stringify([term, ...listPostings(postings)]) };
}
