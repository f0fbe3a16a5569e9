/** Where a term occurs. */
export interface Posting {
  readonly section: number;
  readonly field: number;
  readonly count: number;
}

const chunkSize = 1 << 16;
const maxCount = 255;
const sectionShift = 10;

/** One posting in 32 bits. @param section below 2^22 @param field below 4 */
export function packPosting(section: number, field: number, count: number): number {
  return ((section << sectionShift) | (field << 8) | Math.min(count, maxCount)) >>> 0;
}

/** A packed posting with one occurrence more, up to the highest count it can tell. */
export function countOnce(packed: number): number {
  return (packed & 0xff) < maxCount ? packed + 1 : packed;
}

/**
 * Notes which term occurs where, eight bytes each, so that the text of thousands of pages can be indexed in little memory.
 * Sections must be added in ascending order.
 */
export class PostingLog {
  private readonly termIds = new Map<string, number>();
  private readonly chunks: Uint32Array[] = [];
  private length = 0;

  /** What a packed posting grows by from one section to the next. */
  readonly sectionStep = 1 << sectionShift;

  /** The number of a term, a new one where it is new. */
  termId(term: string): number {
    const known = this.termIds.get(term);
    if (known !== undefined) return known;
    this.termIds.set(term, this.termIds.size);
    return this.termIds.size - 1;
  }

  /** @param packed made by {@link packPosting} */
  add(termId: number, packed: number): void {
    if (this.length === this.chunks.length * chunkSize) this.chunks.push(new Uint32Array(2 * chunkSize));
    const chunk = this.chunks.at(-1) as Uint32Array;
    const at = 2 * (this.length % chunkSize);
    chunk[at] = termId;
    chunk[at + 1] = packed;
    this.length += 1;
  }

  /** Terms in code-unit order, each with its postings in order of section. */
  *terms(): Generator<{ readonly term: string; readonly postings: readonly Posting[] }> {
    const { starts, sorted } = this.sortByTerm();
    for (const term of [...this.termIds.keys()].sort()) {
      const id = this.termIds.get(term) as number;
      const postings: Posting[] = [];
      for (const packed of sorted.subarray(starts[id], starts[id + 1])) {
        postings.push({ section: packed >>> sectionShift, field: (packed >>> 8) & 3, count: packed & 255 });
      }
      yield { term, postings };
    }
  }

  /** Counting sort: stable, and linear in the number of postings. */
  private sortByTerm(): { readonly starts: Uint32Array; readonly sorted: Uint32Array } {
    const starts = new Uint32Array(this.termIds.size + 1);
    this.each((termId) => {
      starts[termId + 1] = (starts[termId + 1] ?? 0) + 1;
    });
    for (let id = 0; id < this.termIds.size; id += 1)
      starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
    const next = starts.slice();
    const sorted = new Uint32Array(this.length);
    this.each((termId, packed) => {
      const at = next[termId] ?? 0;
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
