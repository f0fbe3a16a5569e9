import { fieldCount, fieldOf, occurrencesOf, sectionOf } from './posting.ts';
import { widened } from './term-table.ts';

/** The postings of a term, as they are in its line: by field, then the sections of compounds that end with it. */
export type TermFields = readonly (readonly number[])[];

/** The lines of terms of an index of which some parts are made again. */
export interface KeptTerms {
  /** The parts whose postings are taken from the lines. */
  readonly isKept: (part: number) => boolean;
  /** `2 ** sectionBits` of that index. */
  readonly step: number;
  /** By term, as they are in its files. */
  readonly lines: ReadonlyMap<string, string>;
  /** Terms whose lines have postings of other parts, or sections of compounds, and are written again. */
  readonly stale: ReadonlySet<string>;
}

/**
 * Writes the line of a term in a file of terms: JSON, `[term, [postings of a field]…]`, without empty fields at the end. Postings are the first
 * section, then distances between sections. A negative number is the count of the section before it. The first section of a part is
 * counted from the start of the part before, as if each had `step` sections.
 */
export class LineWriter {
  private readonly step: number;
  private readonly before: Pick<KeptTerms, 'isKept' | 'step'>;
  private line: (string | readonly number[])[] = [];
  /** Postings that were added since the last field was written, and the part of each. */
  private parts = new Uint32Array(1 << 10);
  private postings = new Uint32Array(1 << 10);
  private count = 0;
  /** Lines that were added since the last field was written. */
  private kept: TermFields[] = [];

  /** @param before the index whose lines are kept */
  constructor(step: number, before: Pick<KeptTerms, 'isKept' | 'step'>) {
    this.step = step;
    this.before = before;
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

  /** Adds the postings that kept parts have in the line of a term. */
  keep(fields: TermFields): void {
    this.kept.push(fields);
  }

  /** Writes the added postings, which are those of one term, by field. Returns the number of those of the last field. */
  writeFields(): number {
    const { step, parts, postings, count, before } = this;
    const [kept = []] = this.kept;
    let numbers: number[] = [];
    for (let field = 0; field < fieldCount; field += 1) {
      numbers = [];
      let [at, lastPart, lastSection] = [0, 0, 0];
      const writeAdded = (end: number): void => {
        for (; at < count && (parts[at] as number) < end; at += 1) {
          const posting = postings[at] as number;
          if (fieldOf(posting) !== field) continue;
          const [part, section] = [parts[at] as number, sectionOf(posting)];
          numbers.push(part === lastPart ? section - lastSection : (part - lastPart) * step + section);
          if (occurrencesOf(posting) > 1) numbers.push(-occurrencesOf(posting));
          lastPart = part;
          lastSection = section;
        }
      };
      const last = kept[field] ?? [];
      readParts(last, before.step, (part, from, to) => {
        if (!before.isKept(part)) return;
        writeAdded(part);
        numbers.push((part - lastPart) * step + ((last[from] as number) % before.step));
        for (let next = from + 1; next < to; next += 1) numbers.push(last[next] as number);
        lastPart = part;
      });
      writeAdded(Number.POSITIVE_INFINITY);
      this.line.push(numbers);
    }
    this.clear();
    return countPostings(numbers);
  }

  /** Writes the sections of the added postings of any terms as one more field, each once. */
  writeSections(): void {
    const { step, before } = this;
    const sections = new Set<number>();
    for (const fields of this.kept)
      for (const numbers of fields.slice(0, fieldCount))
        readParts(numbers, before.step, (part, from, to) => {
          if (!before.isKept(part)) return;
          readPostings(numbers, from, to, before.step, (section) => sections.add(part * step + section));
        });
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
    this.clear();
  }

  private clear(): void {
    this.count = 0;
    this.kept = [];
  }

  end(): string {
    const { line } = this;
    while (line.at(-1)?.length === 0) line.pop();
    return JSON.stringify(line);
  }
}

/**
 * Finds the postings of each part in a field as {@link LineWriter} writes it. Only the first number of a part depends on other parts.
 * @param take gets where those of a part begin and end
 */
export function readParts(
  numbers: readonly number[],
  step: number,
  take: (part: number, from: number, to: number) => void,
): void {
  let [part, from] = [0, 0];
  for (let at = 1; at <= numbers.length; at += 1) {
    if (at < numbers.length && (numbers[at] as number) < step) continue;
    part += Math.floor((numbers[from] as number) / step);
    take(part, from, at);
    from = at;
  }
}

/** Reads the postings of one part. @param take gets the section within the part, and the occurrences, of each */
export function readPostings(
  numbers: readonly number[],
  from: number,
  to: number,
  step: number,
  take: (section: number, occurrences: number) => void,
): void {
  let section = (numbers[from] as number) % step;
  for (let at = from; at < to; at += 1) {
    const number = numbers[at] as number;
    if (number < 0) continue;
    if (at > from) section += number;
    take(section, Math.max(1, -(numbers[at + 1] ?? 0)));
  }
}

/** Number of postings of a field. */
export function countPostings(numbers: readonly number[] = []): number {
  return numbers.reduce((count, number) => (number < 0 ? count : count + 1), 0);
}
