import { fieldCount, fieldOf, occurrencesOf, sectionOf } from './posting.ts';
import { widened } from './term-table.ts';

/** UTF-8 bytes written one after another: numbers without strings, which are most of an index. */
export class ByteWriter {
  private room = Buffer.alloc(1 << 14);
  private end = 0;

  /** What was written since the last call; the next bytes overwrite it. */
  view(): Uint8Array {
    const written = this.room.subarray(0, this.end);
    this.end = 0;
    return written;
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.room.set(bytes, this.end);
    this.end += bytes.length;
  }

  text(text: string): void {
    this.reserve(3 * text.length);
    this.end += this.room.write(text, this.end);
  }

  /** @param number an integer, not negative */
  number(number: number): void {
    let digits = 1;
    for (let limit = 10; number >= limit; limit *= 10) digits += 1;
    this.reserve(digits);
    let rest = number;
    for (let at = this.end + digits - 1; at >= this.end; at -= 1) {
      const tens = Math.floor(rest / 10);
      this.room[at] = zero + rest - 10 * tens;
      rest = tens;
    }
    this.end += digits;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.room[this.end++] = byte;
  }

  private reserve(length: number): void {
    if (this.end + length <= this.room.length) return;
    const wider = Buffer.alloc(2 * (this.end + length));
    wider.set(this.room);
    this.room = wider;
  }
}

const [zero, comma, minus, opening, closing] = [0x30, 0x2c, 0x2d, 0x5b, 0x5d];

/**
 * Writes the line of a term in a file of terms: JSON, `[term, [postings of a field]…]`, without empty fields at the end. Postings are the first
 * section, then distances between sections. A negative number is the count of the section before it. The first section of a part is
 * counted from the start of the part before, as if each had `step` sections.
 */
export class LineWriter {
  private readonly step: number;
  private readonly out = new ByteWriter();
  /** Fields without postings that were not written, because they may be at the end. */
  private empty = 0;
  /** Postings that were added since the last field was written, and the part of each. */
  private parts = new Uint32Array(1 << 10);
  private postings = new Uint32Array(1 << 10);
  private count = 0;

  constructor(step: number) {
    this.step = step;
  }

  start(term: string): void {
    this.out.byte(opening);
    this.out.text(JSON.stringify(term));
    this.empty = 0;
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
    let written = 0;
    for (let field = 0; field < fieldCount; field += 1) {
      let [lastPart, lastSection] = [0, 0];
      written = 0;
      for (let at = 0; at < this.count; at += 1) {
        const posting = this.postings[at] as number;
        if (fieldOf(posting) !== field) continue;
        const [part, section] = [this.parts[at] as number, sectionOf(posting)];
        this.writeSection(written === 0, part - lastPart, section, lastSection);
        const occurrences = occurrencesOf(posting);
        if (occurrences > 1) {
          this.out.byte(comma);
          this.out.byte(minus);
          this.out.number(occurrences);
        }
        [lastPart, lastSection] = [part, section];
        written += 1;
      }
      this.closeField(written);
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
    let [lastPart, lastSection, written] = [0, 0, 0];
    for (const number of [...sections].sort((one, other) => one - other)) {
      const [part, section] = [Math.floor(number / step), number % step];
      this.writeSection(written === 0, part - lastPart, section, lastSection);
      [lastPart, lastSection] = [part, section];
      written += 1;
    }
    this.closeField(written);
    this.count = 0;
  }

  /** The line; the next one overwrites it. */
  end(): Uint8Array {
    this.out.byte(closing);
    return this.out.view();
  }

  private writeSection(isFirst: boolean, parts: number, section: number, lastSection: number): void {
    if (!isFirst) this.out.byte(comma);
    else {
      for (; this.empty > 0; this.empty -= 1) this.out.text(',[]');
      this.out.byte(comma);
      this.out.byte(opening);
    }
    this.out.number(parts === 0 ? section - lastSection : parts * this.step + section);
  }

  private closeField(written: number): void {
    if (written === 0) this.empty += 1;
    else this.out.byte(closing);
  }
}
