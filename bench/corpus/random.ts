/** A stream of reproducible random numbers: the same seed gives the same stream on every machine. */
export interface Random {
  /** A number from 0 to 1, without 1. */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** `true` with a probability of one in `times`. */
  onceIn(times: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** @param seed any string; parts of a corpus each have their own, so that they can be made in any order */
export function createRandom(seed: string): Random {
  let state = hashText(seed);
  const next = (): number => {
    // Mulberry32: one multiplication-based step of 32 bits, good enough for prose and fast.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    onceIn: (times) => next() * times < 1,
    pick(list) {
      const item = list[between(0, list.length - 1)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
