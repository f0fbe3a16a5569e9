import { TermTable } from './term-table.ts';

const maxCount = 255;
const sectionShift = 10;

/** Fields that can contain a term. */
export const fieldCount = 4;

/** Difference between the packed postings of two adjacent sections. */
export const sectionStep = 1 << sectionShift;

/** The position and count of a term, in 32 bits. @param section below 2^22 @param field below 4 */
export function packPosting(section: number, field: number, count: number): number {
  return ((section << sectionShift) | (field << 8) | Math.min(count, maxCount)) >>> 0;
}

/** A packed posting with its count increased by one, up to the maximum. */
export function countOnce(packed: number): number {
  return occurrencesOf(packed) < maxCount ? packed + 1 : packed;
}

export function sectionOf(packed: number): number {
  return packed >>> sectionShift;
}

export function fieldOf(packed: number): number {
  return (packed >>> 8) & 3;
}

/** Number of occurrences, up to the maximum. */
export function occurrencesOf(packed: number): number {
  return packed & maxCount;
}

/** A term and its occurrences. */
export interface TermPostings {
  readonly term: string;
  /** Packed, in order of section. */
  readonly postings: Uint32Array;
}

/** Records which term occurs where, eight bytes each, and sorts the postings by term. */
export class PostingLog {
  private readonly table = new TermTable();
  /** Pairs of a term's number and a packed posting. */
  private pairs = new Uint32Array(1 << 12);
  private length = 0;
  private ids = new Uint32Array(1 << 12);

  /**
   * Records the postings of one article. Articles must come in ascending order of section.
   * @param terms one per line
   * @param postings pairs of a line's number and a packed posting whose section is counted from `firstSection`
   */
  add(terms: string, postings: Uint32Array, firstSection: number): void {
    // Every line is at least one unit and a line feed.
    if (terms.length >= this.ids.length) this.ids = new Uint32Array(2 * terms.length);
    this.table.addLines(terms, this.ids);
    const end = this.length + postings.length;
    if (end > this.pairs.length) {
      const wider = new Uint32Array(2 * end);
      wider.set(this.pairs);
      this.pairs = wider;
    }
    const base = firstSection * sectionStep;
    for (let from = 0; from < postings.length; from += 2) {
      this.pairs[this.length + from] = this.ids[postings[from] as number] as number;
      this.pairs[this.length + from + 1] = (postings[from + 1] as number) + base;
    }
    this.length = end;
  }

  /** Terms in code-unit order. */
  *terms(): Generator<TermPostings> {
    const { starts, sorted } = this.sortByTerm();
    const terms = Array.from({ length: this.table.size }, (_, id) => this.table.term(id));
    const order = Uint32Array.from(terms.keys()).sort((a, b) =>
      (terms[a] ?? '') < (terms[b] ?? '') ? -1 : 1,
    );
    for (const id of order) {
      const postings = sorted.subarray(starts[id], starts[id + 1]);
      if (postings.length > 0) yield { term: terms[id] ?? '', postings };
    }
  }

  /** Counting sort: stable, and linear in the number of postings. */
  private sortByTerm(): { readonly starts: Uint32Array; readonly sorted: Uint32Array } {
    const { pairs, length } = this;
    const starts = new Uint32Array(this.table.size + 1);
    for (let at = 0; at < length; at += 2) {
      const next = (pairs[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let id = 0; id < this.table.size; id += 1) {
      starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
    }
    const next = starts.slice();
    const sorted = new Uint32Array(length / 2);
    for (let at = 0; at < length; at += 2) {
      const id = pairs[at] as number;
      const position = next[id] as number;
      sorted[position] = pairs[at + 1] as number;
      next[id] = position + 1;
    }
    return { starts, sorted };
  }
}
