import { sectionStep } from './posting.ts';
import { type PostingRun, RunReader, RunWriter } from './posting-run.ts';
import type { Scratch } from './scratch.ts';
import { TermTable } from './term-table.ts';

/** A term and where it occurs. */
export interface TermPostings {
  readonly term: string;
  /** Packed, in order of section. */
  readonly postings: Uint32Array;
}

const chunkSize = 1 << 16;
const bytesPerPosting = 8;

/**
 * Notes which term occurs where, eight bytes each, so that the text of thousands of pages can be indexed in little
 * memory; what was noted can be moved to a scratch, sorted, and is merged in the end.
 */
export class PostingLog {
  private readonly table = new TermTable();
  /** Pairs of a term's number and a packed posting. */
  private readonly chunks: Uint32Array[] = [];
  private length = 0;
  private readonly runs: PostingRun[] = [];
  private ids = new Uint32Array(1 << 12);

  private readonly scratch: Scratch | null;

  /** @param scratch where {@link spill} writes */
  constructor(scratch: Scratch | null) {
    this.scratch = scratch;
  }

  /** Memory that {@link spill} frees. */
  get bytes(): number {
    return this.length * bytesPerPosting;
  }

  /**
   * Notes the postings of one article. Articles must come in ascending order of section.
   * @param terms one per line
   * @param postings pairs of a line's number and a packed posting whose section is counted from `firstSection`
   */
  add(terms: string, postings: Uint32Array, firstSection: number): void {
    // Every line is at least a unit and its end.
    if (terms.length >= this.ids.length) this.ids = new Uint32Array(2 * terms.length);
    this.table.addLines(terms, this.ids);
    const base = firstSection * sectionStep;
    for (let from = 0; from < postings.length; ) {
      const index = Math.floor(this.length / chunkSize);
      if (index === this.chunks.length) this.chunks.push(new Uint32Array(2 * chunkSize));
      const chunk = this.chunks[index] as Uint32Array;
      const first = this.length % chunkSize;
      const end = Math.min(postings.length, from + 2 * (chunkSize - first));
      this.length += (end - from) / 2;
      for (let at = 2 * first; from < end; from += 2, at += 2) {
        chunk[at] = this.ids[postings[from] as number] as number;
        chunk[at + 1] = (postings[from + 1] as number) + base;
      }
    }
  }

  /** Moves what was noted to the scratch; without one, it stays. */
  spill(): void {
    if (this.scratch === null || this.length === 0) return;
    const writer = new RunWriter(this.scratch);
    for (const { id, postings } of this.noted()) if (postings.length > 0) writer.add(id, postings);
    this.runs.push(writer.finish());
    this.length = 0;
  }

  /** Terms in code-unit order. Ends the log. */
  *terms(): Generator<TermPostings> {
    if (this.scratch === null || this.runs.length === 0) yield* this.noted();
    else {
      this.spill();
      this.chunks.length = 0;
      yield* this.merged(this.scratch);
    }
  }

  /** What is in memory. */
  private *noted(): Generator<TermPostings & { readonly id: number }> {
    const { starts, sorted } = this.sortByTerm();
    for (const term of this.sortedTerms()) {
      const id = this.table.idOf(term);
      yield { id, term, postings: sorted.subarray(starts[id], starts[id + 1]) };
    }
  }

  /** What is in the scratch; runs follow one another in order of section. */
  private *merged(scratch: Scratch): Generator<TermPostings> {
    const readers = this.runs.map((run) => new RunReader(scratch, run));
    for (const term of this.sortedTerms()) {
      const id = this.table.idOf(term);
      const holding = readers.filter(({ termId }) => termId === id);
      const postings = new Uint32Array(holding.reduce((sum, { count }) => sum + count, 0));
      let at = 0;
      for (const reader of holding) {
        const { count } = reader;
        reader.take(postings, at);
        at += count;
      }
      yield { term, postings };
    }
  }

  private sortedTerms(): readonly string[] {
    return Array.from({ length: this.table.size }, (_, id) => this.table.term(id)).sort();
  }

  /** Counting sort: stable, and linear in the number of postings. */
  private sortByTerm(): { readonly starts: Uint32Array; readonly sorted: Uint32Array } {
    const starts = new Uint32Array(this.table.size + 1);
    this.each((termId) => {
      starts[termId + 1] = (starts[termId + 1] as number) + 1;
    });
    for (let id = 0; id < this.table.size; id += 1)
      starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
    const next = starts.slice();
    const sorted = new Uint32Array(this.length);
    this.each((termId, packed) => {
      const at = next[termId] as number;
      sorted[at] = packed;
      next[termId] = at + 1;
    });
    return { starts, sorted };
  }

  private each(visit: (termId: number, packed: number) => void): void {
    for (let index = 0; index < this.length; index += 1) {
      const chunk = this.chunks[Math.floor(index / chunkSize)] as Uint32Array;
      const at = 2 * (index % chunkSize);
      visit(chunk[at] as number, chunk[at + 1] as number);
    }
  }
}
