/** FNV-1a, 32 bits: start with this, and for each unit take `Math.imul(hash ^ unit, hashPrime)`. */
export const firstHash = 0x811c9dc5;
export const hashPrime = 0x01000193;

/** The hash of the UTF-16 units of a text, mixed so that its low bits depend on every unit. */
export function hashText(text: string): number {
  let hash = firstHash;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Copies a table with open addressing into one of twice its size. A slot is a pair of numbers: the hash, and a number that is 0 if the slot is
 * free. A hash is looked for from the slot `2 * hash`, modulo the size, which is a power of two.
 */
export function doubleSlots(old: Uint32Array): Uint32Array<ArrayBuffer> {
  const slots = new Uint32Array(2 * old.length);
  const mask = slots.length - 2;
  for (let from = 0; from < old.length; from += 2) {
    if (old[from + 1] === 0) continue;
    let slot = (2 * (old[from] as number)) & mask;
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    slots[slot] = old[from] as number;
    slots[slot + 1] = old[from + 1] as number;
  }
  return slots;
}
