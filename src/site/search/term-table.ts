import { doubleSlots, firstHash, hashPrime } from '../../core/hash-slots.ts';

/** UTF-16 units behind a loaded text that may be written: more than a term has. */
const roomBehind = 64;

/** Slots per term, at least. */
const slotsPerTerm = 2;

/**
 * Numbers terms in order of first occurrence. A `Map` of strings would need several times the memory, and a string per look-up. Here the
 * UTF-16 units of all terms are in one block and are compared directly.
 */
export class TermTable {
  /** UTF-16 units of all terms, one after another. */
  private units = new Uint16Array(1 << 12);
  /** End of each term in `units`. */
  private ends = new Uint32Array(1 << 9);
  /** Pairs of a hash and a term number plus one (0: free), in a hash table; the number of pairs is a power of two. */
  private slots = new Uint32Array(1 << 11);
  private count = 0;
  /** The loaded text, as UTF-16 units and as their bytes. */
  private text = new Uint16Array(1 << 12);
  private textBytes = Buffer.from(this.text.buffer);

  get size(): number {
    return this.count;
  }

  /**
   * Numbers the lines of a text, including new terms.
   * @param ids receives a number per line, from its start; it must be long enough
   * @returns number of lines
   */
  addLines(text: string, ids: Uint32Array): number {
    const units = this.load(text);
    let lines = 0;
    let start = 0;
    let hash = firstHash;
    for (let at = 0; at < text.length; at += 1) {
      const unit = units[at] as number;
      if (unit !== newline) hash = Math.imul(hash ^ unit, hashPrime);
      else {
        ids[lines] = this.add(start, at, hash);
        lines += 1;
        start = at + 1;
        hash = firstHash;
      }
    }
    ids[lines] = this.add(start, text.length, hash);
    return lines + 1;
  }

  /** The number of a known term. */
  idOf(term: string): number {
    const units = this.load(term);
    let hash = firstHash;
    for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ (units[at] as number), hashPrime);
    return this.add(0, term.length, hash);
  }

  term(id: number): string {
    return String.fromCharCode(...this.units.subarray(this.startOf(id), this.ends[id]));
  }

  /**
   * Loads a text for {@link TermTable.add}. Returns its UTF-16 units at the start of an array that the next text overwrites, with room for one
   * more term behind them. Reading typed arrays is several times faster than reading the units of a string.
   */
  load(text: string): Uint16Array {
    if (text.length + roomBehind > this.text.length) {
      this.text = new Uint16Array(2 * text.length + roomBehind);
      this.textBytes = Buffer.from(this.text.buffer);
    }
    this.textBytes.write(text, 'utf16le');
    return this.text;
  }

  /** Numbers a term of the loaded text, also a new one; `rawHash` is the {@link hashPrime} hash of its units. */
  add(start: number, end: number, rawHash: number): number {
    const { slots } = this;
    const hash = (rawHash ^ (rawHash >>> 15)) >>> 0;
    const mask = slots.length - 2;
    let slot = (2 * hash) & mask;
    for (let known = slots[slot + 1] as number; known !== 0; known = slots[slot + 1] as number) {
      if (slots[slot] === hash && this.equals(known - 1, start, end)) return known - 1;
      slot = (slot + 2) & mask;
    }
    slots[slot] = hash;
    slots[slot + 1] = this.count + 1;
    return this.append(start, end);
  }

  private equals(id: number, start: number, end: number): boolean {
    const { units, text } = this;
    let at = this.startOf(id);
    if ((this.ends[id] as number) - at !== end - start) return false;
    for (let from = start; from < end; from += 1, at += 1) {
      if (units[at] !== text[from]) return false;
    }
    return true;
  }

  private append(start: number, end: number): number {
    const id = this.count;
    const begin = this.startOf(id);
    const stop = begin + end - start;
    while (stop > this.units.length) this.units = widened(this.units, Uint16Array);
    if (id === this.ends.length) this.ends = widened(this.ends, Uint32Array);
    this.units.set(this.text.subarray(start, end), begin);
    this.ends[id] = stop;
    this.count += 1;
    if (this.count * 2 * slotsPerTerm > this.slots.length) this.slots = doubleSlots(this.slots);
    return id;
  }

  private startOf(id: number): number {
    return id === 0 ? 0 : (this.ends[id - 1] as number);
  }
}

const newline = 10;

function widened<T extends Uint16Array | Uint32Array>(values: T, Kind: new (length: number) => T): T {
  const wider = new Kind(2 * values.length);
  wider.set(values);
  return wider;
}
