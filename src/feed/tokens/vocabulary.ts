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

/**
 * Reads a vocabulary: for each rank the number of its bytes, then these bytes, 0 for a rank without a token (`scripts/bundle.mjs` writes it).
 * It takes 5 MB and some milliseconds, in contrast to the strings of the library, of which each thread would have its own 60 MB.
 */
export function readVocabulary(path: string): Vocabulary {
  const file = readWholeFile(path);
  // Positions of the lengths in the file; 0 is a free slot, because the file begins with the number of tokens.
  const positions = new Int32Array(slotCount);
  const ranks = new Int32Array(slotCount);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let rank = 0;
  for (let at = headBytes; at < view.getUint32(0) + headBytes; rank += 1) {
    const length = file[at] as number;
    if (length > 0) {
      let slot = hashBytes(file, at + 1, at + 1 + length) & (slotCount - 1);
      while (positions[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
      positions[slot] = at;
      ranks[slot] = rank;
    }
    at += 1 + length;
  }
  return {
    rankOf(bytes, start, end) {
      const length = end - start;
      let slot = hashBytes(bytes, start, end) & (slotCount - 1);
      for (let at = positions[slot] as number; at !== 0; at = positions[slot] as number) {
        if (file[at] === length) {
          let same = 0;
          while (same < length && file[at + 1 + same] === bytes[start + same]) same += 1;
          if (same === length) return ranks[slot] as number;
        }
        slot = (slot + 1) & (slotCount - 1);
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
