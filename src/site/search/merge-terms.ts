import type { LastIndex, TermLine } from './last-index.ts';
import { listPostings } from './list-postings.ts';
import { countOf, fieldOf, packPosting, sectionOf } from './posting.ts';
import type { TermPostings } from './posting-log.ts';

/** A term with its line in a file of terms. */
export interface TermEntry {
  readonly term: string;
  readonly line: string;
}

/** Section an old one has now, by its old number; {@link droppedSection}: its article is not kept. */
export type SectionMap = Int32Array;

export const droppedSection = -1;

/**
 * The terms of an index whose articles are partly those of the last one: both come in code-unit order, and so do these.
 * @param sections rises with the old number wherever it is no {@link droppedSection}
 * @param added of the articles that are not kept, in order of section
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
    if (!next.done && next.value.term === old.term) {
      yield* moved(old, sections, next.value.postings);
      next = news.next();
    } else yield* moved(old, sections, null);
  }
  for (; !next.done; next = news.next()) yield entryOf(next.value);
}

/** A term of the last index; nothing, where no section holds it any more. */
function* moved(old: TermLine, sections: SectionMap, added: Uint32Array | null): Generator<TermEntry> {
  if (added === null && staysAsItIs(old.lists, sections)) {
    yield { term: old.term, line: old.line };
    return;
  }
  const postings: number[] = added === null ? [] : [...added];
  for (const [field, list] of old.lists.entries()) {
    eachPosting(list, (section, count) => {
      const now = sections[section] as number;
      if (now !== droppedSection) postings.push(packPosting(now, field, count));
    });
  }
  if (postings.length === 0) return;
  postings.sort((a, b) => fieldOf(a) - fieldOf(b) || sectionOf(a) - sectionOf(b) || countOf(a) - countOf(b));
  yield entryOf({ term: old.term, postings: Uint32Array.from(postings) });
}

function staysAsItIs(lists: TermLine['lists'], sections: SectionMap): boolean {
  return lists.every((list) => {
    let isSame = true;
    eachPosting(list, (section) => {
      isSame &&= sections[section] === section;
    });
    return isSame;
  });
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
