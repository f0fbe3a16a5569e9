import { countOf, fieldOf, packPosting, sectionOf } from './posting.ts';
import type { Scratch } from './scratch.ts';

/** A part of a log's postings in the scratch, sorted by term: where it lies. */
export interface PostingRun {
  readonly start: number;
  readonly end: number;
}

const bufferBytes = 256 * 1024;
/** A posting or the head of a term is never longer. */
const longestItem = 16;

/** Writes a run term by term. */
export class RunWriter {
  private readonly buffer = new Uint8Array(bufferBytes);
  private used = 0;
  private start = -1;
  private end = 0;

  private readonly scratch: Scratch;

  constructor(scratch: Scratch) {
    this.scratch = scratch;
  }

  /** Terms must come in the order they will be read in, their postings in order of section. */
  add(termId: number, postings: Uint32Array): void {
    this.makeRoom();
    this.put(termId);
    this.put(postings.length);
    let last = 0;
    for (const packed of postings) {
      this.makeRoom();
      const section = sectionOf(packed);
      const count = countOf(packed);
      this.put(((section - last) << 3) | (fieldOf(packed) << 1) | (count === 1 ? 0 : 1));
      if (count !== 1) this.put(count);
      last = section;
    }
  }

  finish(): PostingRun {
    this.flush();
    return { start: this.start, end: this.end };
  }

  private makeRoom(): void {
    if (this.used + longestItem > bufferBytes) this.flush();
  }

  private flush(): void {
    const position = this.scratch.append(this.buffer.subarray(0, this.used));
    if (this.start < 0) this.start = position;
    this.end = position + this.used;
    this.used = 0;
  }

  /** Seven bits a byte, the lowest first; all but the last have the eighth. */
  private put(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) {
      this.buffer[this.used] = (rest & 127) | 128;
      this.used += 1;
    }
    this.buffer[this.used] = rest;
    this.used += 1;
  }
}

/** Reads a run term by term, in the order it was written in. */
export class RunReader {
  /** The term that comes next; -1 at the end. */
  termId = -1;
  /** Its postings. */
  count = 0;
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private position: number;
  private readonly end: number;
  private readonly scratch: Scratch;

  constructor(scratch: Scratch, { start, end }: PostingRun) {
    this.scratch = scratch;
    this.position = start;
    this.end = end;
    this.readHead();
  }

  /** Puts the packed postings of the term that comes next into `postings`, from `to`, and moves on. */
  take(postings: Uint32Array, to: number): void {
    let section = 0;
    for (let at = to; at < to + this.count; at += 1) {
      this.fill();
      const head = this.get();
      section += head >>> 3;
      postings[at] = packPosting(section, (head >>> 1) & 3, (head & 1) === 0 ? 1 : this.get());
    }
    this.readHead();
  }

  private readHead(): void {
    this.fill();
    const isOver = this.at === this.bytes.length;
    this.termId = isOver ? -1 : this.get();
    this.count = isOver ? 0 : this.get();
  }

  /** Makes sure that the next item is there in whole. */
  private fill(): void {
    if (this.bytes.length - this.at >= longestItem || this.position === this.end) return;
    const rest = this.bytes.subarray(this.at);
    const next = this.scratch.read(this.position, Math.min(bufferBytes, this.end - this.position));
    this.position += next.length;
    this.bytes = new Uint8Array(rest.length + next.length);
    this.bytes.set(rest);
    this.bytes.set(next, rest.length);
    this.at = 0;
  }

  private get(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at] as number;
      this.at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}
