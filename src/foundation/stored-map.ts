import { packFields, readField } from './packed-fields.ts';
import type { SpillFile } from './spill-file.ts';

const smallestTable = 256;
const recentTexts = 64;
/** Characters of the texts of a list that wait to be added to the file. */
const mostPending = 64 * 1024;

/** A map of texts whose keys and values are in a spill file. In memory, an entry needs at most 48 bytes. */
export class StoredMap {
  private readonly spill: SpillFile;
  /** Open addressing: hash and position + 1 of the entry of each slot; 0: empty. */
  private hashes = new Uint32Array(smallestTable);
  private positions = new Float64Array(smallestTable);
  private used = 0;

  constructor(spill: SpillFile) {
    this.spill = spill;
  }

  get(key: string): string | undefined {
    const entry = this.entryAt(this.findSlot(key, hashText(key)));
    return entry === null ? undefined : (readField(entry, 1) as string);
  }

  has(key: string): boolean {
    return this.positions[this.findSlot(key, hashText(key))] !== 0;
  }

  set(key: string, value: string): void {
    const hash = hashText(key);
    const slot = this.findSlot(key, hash);
    const isNew = this.positions[slot] === 0;
    this.hashes[slot] = hash;
    this.positions[slot] = this.spill.addText(packFields([key, value])) + 1;
    this.used += Number(isNew);
    if (2 * this.used > this.positions.length) this.grow();
  }

  /** The slot of a key, or the empty slot for it. */
  private findSlot(key: string, hash: number): number {
    const mask = this.positions.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      if (this.positions[slot] === 0) return slot;
      if (this.hashes[slot] === hash && readField(this.entryAt(slot) as string, 0) === key) return slot;
    }
  }

  private entryAt(slot: number): string | null {
    const position = this.positions[slot] as number;
    return position === 0 ? null : this.spill.readText(position - 1);
  }

  private grow(): void {
    const { hashes, positions } = this;
    const mask = 2 * positions.length - 1;
    this.hashes = new Uint32Array(mask + 1);
    this.positions = new Float64Array(mask + 1);
    for (const [from, position] of positions.entries()) {
      if (position === 0) continue;
      const hash = hashes[from] as number;
      let slot = hash & mask;
      while (this.positions[slot] !== 0) slot = (slot + 1) & mask;
      this.hashes[slot] = hash;
      this.positions[slot] = position;
    }
  }
}

/** A list of texts in a spill file. In memory, a text needs 8 to 16 bytes, and at most 24 while the list grows. */
export class StoredList {
  private readonly spill: SpillFile;
  private positions = new Float64Array(smallestTable);
  /** Number of texts in the spill file. */
  private stored = 0;
  /** The texts after these. They are added to the file together: texts that are close to each other are read faster. */
  private pending: string[] = [];
  private pendingLength = 0;
  /** The texts that were read last, by the end of their index: the fields of a record are read one after another. */
  private readonly recent: string[] = Array.from({ length: recentTexts }, () => '');
  private readonly recentIndexes = new Int32Array(recentTexts).fill(-1);

  constructor(spill: SpillFile) {
    this.spill = spill;
  }

  /** @returns the index of the text */
  add(text: string): number {
    const index = this.stored + this.pending.push(text) - 1;
    this.pendingLength += text.length;
    if (this.pendingLength > mostPending) this.store();
    return index;
  }

  /** Adds texts. @returns the index of the first; those of the others follow */
  addAll(texts: readonly string[]): number {
    const first = this.stored + this.pending.length;
    for (const text of texts) this.add(text);
    return first;
  }

  /** @param index result of {@link add} */
  get(index: number): string {
    const slot = index % recentTexts;
    if (this.recentIndexes[slot] === index) return this.recent[slot] as string;
    if (index >= this.stored) {
      const text = this.pending[index - this.stored];
      if (text === undefined) throw new RangeError(`there is no text ${index}`);
      return text;
    }
    const text = this.spill.readText(this.positions[index] as number);
    this.recent[slot] = text;
    this.recentIndexes[slot] = index;
    return text;
  }

  private store(): void {
    const count = this.stored + this.pending.length;
    if (count > this.positions.length) {
      const wider = new Float64Array(2 * count);
      wider.set(this.positions);
      this.positions = wider;
    }
    for (const text of this.pending) {
      this.positions[this.stored] = this.spill.addText(text);
      this.stored += 1;
    }
    this.pending = [];
    this.pendingLength = 0;
  }
}

/**
 * Finds the texts that occur several times without holding all of them in memory: counts hashes first, then only texts with a frequent hash.
 * @param texts called twice
 * @param expected about how many texts there are
 * @param least number of times that a text must occur
 * @returns how often each of these texts occurs, in the order of their first occurrence
 */
export function countRepeated(
  texts: () => Iterable<string>,
  expected: number,
  least: number,
): ReadonlyMap<string, number> {
  const bits = Math.max(8, Math.ceil(Math.log2(4 * Math.max(1, expected))));
  const counts = new Uint32Array(2 ** bits);
  let highest = 0;
  for (const text of texts()) {
    const slot = hashText(text) >>> (32 - bits);
    counts[slot] = (counts[slot] as number) + 1;
    highest = Math.max(highest, counts[slot] as number);
  }
  const repeated = new Map<string, number>();
  if (highest < least) return repeated;
  for (const text of texts()) {
    const isFrequent = (counts[hashText(text) >>> (32 - bits)] as number) >= least;
    if (isFrequent) repeated.set(text, (repeated.get(text) ?? 0) + 1);
  }
  for (const [text, times] of repeated) if (times < least) repeated.delete(text);
  return repeated;
}

/** A multiplicative 32-bit hash with the final mixing step of MurmurHash3. */
export function hashText(text: string): number {
  let hash = 0xdeadbeef;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 2654435761);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * A set of texts that stores only a hash of 96 bits of each: 16 to 32 bytes of memory. It may take a text for another one, as likely as
 * 1 : 10^17 for a million texts.
 */
export class HashedSet {
  /** Open addressing: the three words of each hash; the first one is 0 if the slot is empty. */
  private words = new Uint32Array(3 * smallestTable);
  private used = 0;
  /** Hash of the text of the current call. */
  private readonly hash = new Uint32Array(3);

  has(text: string): boolean {
    hashWords(text, this.hash);
    return this.words[this.findSlot(this.hash, 0)] !== 0;
  }

  add(text: string): void {
    hashWords(text, this.hash);
    const slot = this.findSlot(this.hash, 0);
    if (this.words[slot] !== 0) return;
    this.store(this.hash, 0, slot);
    this.used += 1;
    if (4 * this.used > this.words.length) this.grow();
  }

  /** Index of the first word of the hash at `from`, or of the empty slot for it. */
  private findSlot(hashes: Uint32Array, from: number): number {
    const { words } = this;
    const second = hashes[from + 1] as number;
    const mask = words.length / 3 - 1;
    for (let slot = second & mask; ; slot = (slot + 1) & mask) {
      const at = 3 * slot;
      if (words[at] === 0) return at;
      if (words[at + 1] === second && words[at] === hashes[from] && words[at + 2] === hashes[from + 2])
        return at;
    }
  }

  private store(hashes: Uint32Array, from: number, to: number): void {
    for (let word = 0; word < 3; word += 1) this.words[to + word] = hashes[from + word] as number;
  }

  private grow(): void {
    const { words } = this;
    this.words = new Uint32Array(2 * words.length);
    for (let at = 0; at < words.length; at += 3) {
      if (words[at] !== 0) this.store(words, at, this.findSlot(words, at));
    }
  }
}

/** Hashes a text with the four multiplicative hashes of cyrb128, each of which affects another one, to three words. */
function hashWords(text: string, into: Uint32Array): void {
  let a = 1779033703 ^ text.length;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let at = 0; at < text.length; at += 2) {
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    const unit = text.charCodeAt(at) | (next << 16);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  // 0 marks an empty slot.
  into[0] = a ^ b ^ c ^ d || 1;
  into[1] = b ^ a;
  into[2] = c ^ a;
}
