import { doubleSlots, firstHash, hashPrime } from '../../core/hash-slots.ts';

/** UTF-16 units behind a loaded text that may be written: more than a term has. */
const roomBehind = 64;

/** Slots per term, at least. */
const slotsPerTerm = 2;

const newline = 10;

/**
 * Numbers terms in order of first occurrence. A `Map` of strings would need several times the memory, and a string per look-up. Here the
 * UTF-16 units of all terms are in one block and are compared directly.
 */
export class TermTable {
  /** UTF-16 units of all terms, each followed by a line feed. */
  private units = new Uint16Array(1 << 12);
  /** Start of each term in `units`, and the end of the last one. */
  private starts = new Uint32Array(1 << 9);
  /** Pairs of a hash and a term number plus one (0: free), in a hash table; the number of pairs is a power of two. */
  private slots = new Uint32Array(1 << 11);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** All terms in order, as UTF-16 units: a term per line. */
  get lines(): Uint16Array {
    return this.units.slice(0, this.starts[this.count]);
  }

  /**
   * Numbers terms, including new ones.
   * @param lines UTF-16 units of a term per line, each with a line feed at its end
   * @param ids receives a number per line, from its start; it must be long enough
   * @returns number of lines
   */
  addLines(lines: Uint16Array, ids: Uint32Array): number {
    let count = 0;
    let start = 0;
    let hash = firstHash;
    for (let at = 0; at < lines.length; at += 1) {
      const unit = lines[at] as number;
      if (unit !== newline) hash = Math.imul(hash ^ unit, hashPrime);
      else {
        ids[count] = this.add(lines, start, at, hash);
        count += 1;
        start = at + 1;
        hash = firstHash;
      }
    }
    return count;
  }

  term(id: number): string {
    return String.fromCharCode(...this.units.subarray(this.starts[id], (this.starts[id + 1] as number) - 1));
  }

  /** UTF-16 units of a term and its line feed. */
  lineLength(id: number): number {
    return (this.starts[id + 1] as number) - (this.starts[id] as number);
  }

  /** Writes a term and a line feed. @param target has room for them */
  copyLine(id: number, target: Uint16Array, at: number): void {
    const { units } = this;
    const end = this.starts[id + 1] as number;
    let to = at;
    for (let from = this.starts[id] as number; from < end; from += 1) target[to++] = units[from] as number;
  }

  /** Numbers a term, also a new one. @param rawHash the {@link hashPrime} hash of its units */
  add(text: Uint16Array, start: number, end: number, rawHash: number): number {
    const { slots } = this;
    const hash = (rawHash ^ (rawHash >>> 15)) >>> 0;
    const mask = slots.length - 2;
    let slot = (2 * hash) & mask;
    for (let known = slots[slot + 1] as number; known !== 0; known = slots[slot + 1] as number) {
      if (slots[slot] === hash && this.equals(known - 1, text, start, end)) return known - 1;
      slot = (slot + 2) & mask;
    }
    slots[slot] = hash;
    slots[slot + 1] = this.count + 1;
    return this.append(text, start, end);
  }

  private equals(id: number, text: Uint16Array, start: number, end: number): boolean {
    const { units } = this;
    let at = this.starts[id] as number;
    if ((this.starts[id + 1] as number) - at !== end - start + 1) return false;
    for (let from = start; from < end; from += 1, at += 1) {
      if (units[at] !== text[from]) return false;
    }
    return true;
  }

  private append(text: Uint16Array, start: number, end: number): number {
    const id = this.count;
    const begin = this.starts[id] as number;
    const stop = begin + end - start;
    while (stop + 1 > this.units.length) this.units = widened(this.units, Uint16Array);
    if (id + 2 > this.starts.length) this.starts = widened(this.starts, Uint32Array);
    this.units.set(text.subarray(start, end), begin);
    this.units[stop] = newline;
    this.starts[id + 1] = stop + 1;
    this.count += 1;
    if (this.count * 2 * slotsPerTerm > this.slots.length) this.slots = doubleSlots(this.slots);
    return id;
  }
}

/**
 * Texts as UTF-16 units: reading typed arrays is several times faster than reading the units of a string. The next text overwrites the last one; there
 * is room for one more term behind it.
 */
export class TextUnits {
  units = new Uint16Array(1 << 12);
  private bytes = Buffer.from(this.units.buffer);

  /** Makes room for a text. */
  reserve(length: number): Uint16Array {
    if (length + roomBehind > this.units.length) {
      this.units = new Uint16Array(2 * length + roomBehind);
      this.bytes = Buffer.from(this.units.buffer);
    }
    return this.units;
  }

  load(text: string): Uint16Array {
    const units = this.reserve(text.length);
    this.bytes.write(text, 'utf16le');
    return units;
  }
}

/** A copy with twice the room. */
export function widened<T extends Uint16Array | Uint32Array | Float64Array>(
  values: T,
  Kind: new (length: number) => T,
  length = 2 * values.length,
): T {
  const wider = new Kind(length);
  wider.set(values);
  return wider;
}
