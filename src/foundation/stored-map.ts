import { packFields, readField } from './packed-fields.ts';
import type { SpillFile } from './spill-file.ts';

const smallestTable = 256;

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

/** A multiplicative 32-bit hash with the final mixing step of MurmurHash3. */
export function hashText(text: string, seed = 0xdeadbeef): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 2654435761);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
