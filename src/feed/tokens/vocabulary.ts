import { readWholeFile } from '../../core/file-system.ts';
import { firstHash, hashPrime } from '../../core/hash-slots.ts';

/** The tokens of an encoding: sequences of bytes, ordered by rank. */
interface Vocabulary {
  /** The rank of the token whose bytes are `bytes[start..end)`; `unknownRank` if there is none. */
  rankOf(bytes: Uint8Array, start: number, end: number): number;
}

/** Rank of bytes that are no token: higher than all others. */
export const unknownRank = 0x7fffffff;

/** Slots of the hash table: a power of two, so many that most tokens are found in the first one. */
const slotCount = 524_288;
const slotMask = 2 * slotCount - 1;
/** A rank has 18 bits. */
const rankMask = 0x3ffff;

/**
 * Reads a vocabulary: for each rank the number of its bytes, then these bytes, 0 for a rank without a token (`scripts/bundle.mjs` writes it).
 * It takes 5 MB and some milliseconds, in contrast to the strings of the library, of which each thread would have its own 60 MB.
 */
export function readVocabulary(path: string): Vocabulary {
  const file = readWholeFile(path);
  // A slot is the position of the length in the file, and the rank with the high bits of the hash, so that a sequence that is no token hardly ever
  // reads the file. 0 is a free slot, because the file begins with the number of tokens.
  const slots = new Uint32Array(2 * slotCount);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let rank = 0;
  for (let at = headBytes; at < view.getUint32(0) + headBytes; rank += 1) {
    const length = file[at] as number;
    if (length > 0) {
      const hash = hashBytes(file, at + 1, at + 1 + length);
      let slot = (2 * hash) & slotMask;
      while (slots[slot] !== 0) slot = (slot + 2) & slotMask;
      slots[slot] = at;
      slots[slot + 1] = (hash & ~rankMask) | rank;
    }
    at += 1 + length;
  }
  return {
    rankOf(bytes, start, end) {
      const length = end - start;
      const hash = hashBytes(bytes, start, end);
      let slot = (2 * hash) & slotMask;
      for (let at = slots[slot] as number; at !== 0; at = slots[slot] as number) {
        const found = slots[slot + 1] as number;
        if (((found ^ hash) & ~rankMask) === 0 && file[at] === length) {
          let same = 0;
          while (same < length && file[at + 1 + same] === bytes[start + same]) same += 1;
          if (same === length) return found & rankMask;
        }
        slot = (slot + 2) & slotMask;
      }
      return unknownRank;
    },
  };
}

/** Bytes before the first token: the number of all bytes after them. */
const headBytes = 4;

/** FNV-1a, mixed so that the low bits depend on every byte. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = firstHash;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), hashPrime);
  return hash ^ (hash >>> 15);
}
