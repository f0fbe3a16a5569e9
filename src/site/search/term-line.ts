import { fieldCount, fieldOf, maxOccurrences, maxSections, occurrencesOf, sectionOf } from './posting.ts';
import { widened } from './term-table.ts';

/** The postings of a term, as they are in its line: by field, then the sections of compounds that end with it. */
type TermFields = readonly (readonly number[])[];

/** The lines of terms of an index of which some articles are kept. */
export interface KeptTerms {
  /**
   * Where the sections of a part are now ({@link placeInIndex}), by number; those of articles that were not kept are missing. `null`: all are
   * where they were.
   */
  readonly placesOf: (part: number) => readonly (number | undefined)[] | null;
  /** `2 ** sectionBits` of that index. */
  readonly step: number;
  /** By term, as they are in its files. */
  readonly lines: ReadonlyMap<string, string>;
  /** Terms whose lines have sections that moved or were not kept, or sections of compounds, and are written again. */
  readonly stale: ReadonlySet<string>;
}

/** A section of a part as one number. They ascend with parts, then with sections. */
export function placeInIndex(part: number, section: number): number {
  return part * maxSections + section;
}

/**
 * Writes the line of a term in a file of terms: JSON, `[term, [postings of a field]…]`, without empty fields at the end. Postings are the first
 * section, then distances between sections. A negative number is the count of the section before it. The first section of a part is
 * counted from the start of the part before, as if each had `step` sections.
 */
export class LineWriter {
  private readonly step: number;
  private readonly before: Pick<KeptTerms, 'placesOf' | 'step'>;
  private line: (string | readonly number[])[] = [];
  /** Postings of each field that were added since the fields were written. */
  private readonly added = Array.from({ length: fieldCount }, () => new AddedPostings());
  /** Lines that were added since the fields were written. */
  private kept: TermFields[] = [];

  /** @param before the index whose lines are kept */
  constructor(step: number, before: Pick<KeptTerms, 'placesOf' | 'step'>) {
    this.step = step;
    this.before = before;
  }

  start(term: string): void {
    this.line = [term];
  }

  /** Adds postings of a part. */
  add(part: number, postings: Uint32Array, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const posting = postings[at] as number;
      this.added[fieldOf(posting)]?.push(placeInIndex(part, sectionOf(posting)), occurrencesOf(posting));
    }
  }

  /** Adds the postings that kept articles have in the line of a term. */
  keep(fields: TermFields): void {
    const { step, placesOf } = this.before;
    this.kept.push(fields);
    for (const [field, added] of this.added.entries()) {
      const numbers = fields[field] ?? [];
      readParts(numbers, step, (part, from, to) => {
        const places = placesOf(part);
        if (places === null) return;
        readPostings(numbers, from, to, step, (section, occurrences) => {
          const place = places[section];
          if (place !== undefined) added.push(place, occurrences);
        });
      });
    }
  }

  /** Writes the added postings, which are those of one term, by field. Returns the number of those of the last field. */
  writeFields(): number {
    const { step, before } = this;
    const [kept = []] = this.kept;
    let numbers: number[] = [];
    for (const [field, added] of this.added.entries()) {
      numbers = [];
      let [lastPart, lastSection] = [0, 0];
      const write = (part: number, section: number, occurrences: number): void => {
        numbers.push(part === lastPart ? section - lastSection : (part - lastPart) * step + section);
        if (occurrences > 1) numbers.push(-occurrences);
        lastPart = part;
        lastSection = section;
      };
      added.start();
      const last = kept[field] ?? [];
      readParts(last, before.step, (part, from, to) => {
        if (before.placesOf(part) !== null) return;
        added.take(part, write);
        numbers.push((part - lastPart) * step + ((last[from] as number) % before.step));
        for (let next = from + 1; next < to; next += 1) numbers.push(last[next] as number);
        lastPart = part;
      });
      added.take(Number.POSITIVE_INFINITY, write);
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
          if (before.placesOf(part) !== null) return;
          readPostings(numbers, from, to, before.step, (section) => sections.add(part * step + section));
        });
    for (const added of this.added) {
      added.start();
      added.take(Number.POSITIVE_INFINITY, (part, section) => sections.add(part * step + section));
    }
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
    for (const added of this.added) added.clear();
    this.kept = [];
  }

  end(): string {
    const { line } = this;
    while (line.at(-1)?.length === 0) line.pop();
    return JSON.stringify(line);
  }
}

/** Postings of one field, which are added in any order and taken by part. */
class AddedPostings {
  /** The place and the occurrences of each as one number. */
  private numbers = new Float64Array(1 << 8);
  private count = 0;
  private isSorted = true;
  private taken = 0;

  push(place: number, occurrences: number): void {
    if (this.count === this.numbers.length) this.numbers = widened(this.numbers, Float64Array);
    const number = place * (maxOccurrences + 1) + occurrences;
    if (this.count > 0 && number < (this.numbers[this.count - 1] as number)) this.isSorted = false;
    this.numbers[this.count] = number;
    this.count += 1;
  }

  /** Begins to take them. */
  start(): void {
    if (!this.isSorted) this.numbers.subarray(0, this.count).sort();
    this.isSorted = true;
    this.taken = 0;
  }

  /** Takes those of all parts before one. */
  take(end: number, each: (part: number, section: number, occurrences: number) => void): void {
    const limit = placeInIndex(end, 0) * (maxOccurrences + 1);
    for (; this.taken < this.count; this.taken += 1) {
      const number = this.numbers[this.taken] as number;
      if (number >= limit) return;
      const place = Math.floor(number / (maxOccurrences + 1));
      const part = Math.floor(place / maxSections);
      each(part, place - part * maxSections, number - place * (maxOccurrences + 1));
    }
  }

  clear(): void {
    this.count = 0;
    this.isSorted = true;
    this.taken = 0;
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
