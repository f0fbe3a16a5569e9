import { fieldCount, fieldOf, occurrencesOf, sectionOf } from './posting.ts';
import { widened } from './term-table.ts';

/**
 * Writes the line of a term in a file of terms: JSON, `[term, [postings of a field]…]`, without empty fields at the end. Postings are the first
 * section, then distances between sections. A negative number is the count of the section before it. The first section of a part is
 * counted from the start of the part before, as if each had `step` sections.
 */
export class LineWriter {
  private readonly step: number;
  private line: (string | readonly number[])[] = [];
  /** Postings that were added since the last field was written, and the part of each. */
  private parts = new Uint32Array(1 << 10);
  private postings = new Uint32Array(1 << 10);
  private count = 0;

  constructor(step: number) {
    this.step = step;
  }

  start(term: string): void {
    this.line = [term];
  }

  /** Adds postings of a part; parts ascend. */
  add(part: number, postings: Uint32Array, from: number, to: number): void {
    const end = this.count + to - from;
    if (end > this.postings.length) {
      this.parts = widened(this.parts, Uint32Array, 2 * end);
      this.postings = widened(this.postings, Uint32Array, 2 * end);
    }
    for (let at = from; at < to; at += 1) {
      this.parts[this.count] = part;
      this.postings[this.count] = postings[at] as number;
      this.count += 1;
    }
  }

  /** Writes the added postings by field. Returns the number of those of the last field. */
  writeFields(): number {
    const { step } = this;
    let written = 0;
    for (let field = 0; field < fieldCount; field += 1) {
      const numbers: number[] = [];
      let [lastPart, lastSection] = [0, 0];
      written = 0;
      for (let at = 0; at < this.count; at += 1) {
        const posting = this.postings[at] as number;
        if (fieldOf(posting) !== field) continue;
        const [part, section] = [this.parts[at] as number, sectionOf(posting)];
        numbers.push(part === lastPart ? section - lastSection : (part - lastPart) * step + section);
        const occurrences = occurrencesOf(posting);
        if (occurrences > 1) numbers.push(-occurrences);
        [lastPart, lastSection] = [part, section];
        written += 1;
      }
      this.line.push(numbers);
    }
    this.count = 0;
    return written;
  }

  /** Writes the sections of the added postings as one more field, each once. */
  writeSections(): void {
    const { step } = this;
    const sections = new Set<number>();
    for (let at = 0; at < this.count; at += 1)
      sections.add((this.parts[at] as number) * step + sectionOf(this.postings[at] as number));
    let last = 0;
    this.line.push(
      [...sections]
        .sort((one, other) => one - other)
        .map((number) => {
          const start = last - (last % step);
          const distance = number - (number - start < step ? last : start);
          last = number;
          return distance;
        }),
    );
    this.count = 0;
  }

  end(): string {
    const { line } = this;
    while (line.at(-1)?.length === 0) line.pop();
    return JSON.stringify(line);
  }
}

/**
 * Reads the postings of a field as {@link LineWriter} writes them.
 * @param take gets the part, the section within it, and the occurrences of each posting
 */
export function readField(
  numbers: readonly number[],
  step: number,
  take: (part: number, section: number, occurrences: number) => void,
): void {
  let [part, section] = [0, 0];
  for (const [at, number] of numbers.entries()) {
    if (number < 0) continue;
    if (number >= step) part += Math.floor(number / step);
    section = number >= step ? number % step : section + number;
    take(part, section, Math.max(1, -(numbers[at + 1] ?? 0)));
  }
}
