import { countOf, fieldCount, fieldOf, sectionOf } from './posting.ts';
import { droppedSection, type SectionMap } from './section-map.ts';

/**
 * The lists of a line of terms (see `listPostings`) with its sections renumbered and others added, as JSON without the
 * outer brackets; empty where nothing is left. Common terms stand in thousands of sections, and what is between two changes
 * is taken over as it stands, without a number made of it.
 * @param line JSON @param start where its lists begin, with the comma before the first
 * @param added packed postings, those of a field in order of section
 */
export function rewritePostings(
  line: string,
  start: number,
  sections: SectionMap,
  added: readonly number[],
): string {
  const lists: string[] = [];
  let at = start;
  for (let field = 0; field < fieldCount; field += 1) {
    const list = new ListWriter(added.filter((packed) => fieldOf(packed) === field));
    // Behind the last list the line ends with a bracket of its own.
    if (line.charCodeAt(at) === comma) at = copyList(line, at + 2, sections, list) + 1;
    lists.push(`[${list.finish()}]`);
  }
  while (lists.at(-1) === '[]') lists.pop();
  return lists.join(',');
}

/** Goes through one list; gives where its bracket closes. */
function copyList(line: string, start: number, sections: SectionMap, list: ListWriter): number {
  let old = -1;
  let at = start;
  while (line.charCodeAt(at) !== closing) {
    const from = at;
    let step = 0;
    for (
      let digit = line.charCodeAt(at) - zero;
      digit >= 0 && digit <= 9;
      digit = line.charCodeAt(at) - zero
    ) {
      step = 10 * step + digit;
      at += 1;
    }
    const stepEnd = at;
    if (line.charCodeAt(at) === comma && line.charCodeAt(at + 1) === minus) {
      for (at += 2; isDigit(line.charCodeAt(at)); ) at += 1;
    }
    const end = at;
    if (line.charCodeAt(at) === comma) at += 1;
    old += step;
    const now = sections.find(old);
    if (now !== droppedSection) list.copy(line, { from, stepEnd, end }, step, now);
  }
  list.flush();
  return at;
}

/** Where a posting stands in a line: its distance, then perhaps its count. */
interface PostingPlace {
  readonly from: number;
  readonly stepEnd: number;
  readonly end: number;
}

/** Gathers one list of postings. */
class ListWriter {
  private text = '';
  private last = -1;
  private nextAdded = 0;
  /** What is to be taken over as it stands. */
  private line = '';
  private from = 0;
  private end = 0;
  private readonly added: readonly number[];

  constructor(added: readonly number[]) {
    this.added = added;
  }

  /** Takes a posting over; `section` is its new number, `step` the distance it had. */
  copy(line: string, place: PostingPlace, step: number, section: number): void {
    this.addBefore(section);
    const distance = section - this.last;
    this.last = section;
    if (distance === step && this.end === place.from - 1) this.end = place.end;
    else {
      this.flush();
      if (distance === step) [this.line, this.from, this.end] = [line, place.from, place.end];
      else this.put(distance + line.slice(place.stepEnd, place.end));
    }
  }

  /** Writes what waits to be taken over. */
  flush(): void {
    if (this.end > 0) this.put(this.line.slice(this.from, this.end));
    this.end = 0;
  }

  finish(): string {
    this.addBefore(Number.POSITIVE_INFINITY);
    return this.text;
  }

  private addBefore(section: number): void {
    for (; this.nextAdded < this.added.length; this.nextAdded += 1) {
      const packed = this.added[this.nextAdded] as number;
      const now = sectionOf(packed);
      if (now > section) return;
      this.flush();
      this.put(`${now - this.last}${countOf(packed) > 1 ? `,-${countOf(packed)}` : ''}`);
      this.last = now;
    }
  }

  private put(text: string): void {
    this.text += this.text === '' ? text : `,${text}`;
  }
}

function isDigit(unit: number): boolean {
  return unit >= zero && unit <= zero + 9;
}

const zero = 48;
const comma = 44;
const minus = 45;
const closing = 93;
