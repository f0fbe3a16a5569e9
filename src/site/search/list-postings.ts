import { countOf, fieldOf, sectionOf } from './posting.ts';

/** One list per field: distances between section numbers (the first from -1), a count above one as a negative number. */
export function listPostings(postings: Uint32Array): readonly (readonly number[])[] {
  const lists: number[][] = [];
  const last = [-1, -1, -1, -1];
  for (const packed of postings) {
    const field = fieldOf(packed);
    const section = sectionOf(packed);
    while (lists.length <= field) lists.push([]);
    const list = lists[field];
    list?.push(section - (last[field] ?? -1));
    if (countOf(packed) > 1) list?.push(-countOf(packed));
    last[field] = section;
  }
  return lists;
}
