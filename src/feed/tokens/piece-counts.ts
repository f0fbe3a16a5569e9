/** Counts the tokens of the piece that stands between two offsets of a text's UTF-16 units. */
export type CountPiece = (text: Uint16Array, start: number, end: number) => number;

/** Slots of the hash table; a power of two. */
const slotCount = 131_072;
/** Pieces that are remembered; half of the slots stay free. */
const maxPieces = slotCount / 2;
/** Units of all remembered pieces, with two numbers before each: 2 MB. */
const maxUnits = 1_048_576;
const headUnits = 2;
/** Slots looked at for one piece: a text made to share slots is counted anew and costs no more than that. */
const maxProbes = 32;

/**
 * Remembers the tokens of pieces, since prose says the same words again and again. A piece is found by its UTF-16 units
 * in the text it stands in, so that no string is made for one that is known. When it is full it starts anew.
 * @param count counts a piece that is not known; a piece has at most 65,535 units
 */
export function rememberCounts(count: (piece: string) => number): CountPiece {
  // Where in `units` a piece lies: its length, its tokens, its units. 0 is a free slot.
  const slots = new Int32Array(slotCount);
  const units = new Uint16Array(maxUnits);
  let used = 1;
  let pieces = 0;

  function isSame(entry: number, text: Uint16Array, start: number, end: number): boolean {
    if (units[entry] !== end - start) return false;
    const shift = entry + headUnits - start;
    for (let at = start; at < end; at += 1) if (units[at + shift] !== text[at]) return false;
    return true;
  }

  function remember(slot: number, piece: Uint16Array, tokens: number): void {
    slots[slot] = used;
    units[used] = piece.length;
    units[used + 1] = tokens;
    units.set(piece, used + headUnits);
    used += headUnits + piece.length;
    pieces += 1;
  }

  function forget(): void {
    slots.fill(0);
    used = 1;
    pieces = 0;
  }

  return (text, start, end) => {
    let slot = hashUnits(text, start, end) & (slotCount - 1);
    let probes = 0;
    for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
      if (isSame(entry, text, start, end)) return units[entry + 1] as number;
      probes += 1;
      if (probes === maxProbes) return count(String.fromCharCode(...text.subarray(start, end)));
      slot = (slot + 1) & (slotCount - 1);
    }
    const piece = text.subarray(start, end);
    const tokens = count(String.fromCharCode(...piece));
    if (pieces >= maxPieces || used + headUnits + piece.length > maxUnits) forget();
    else remember(slot, piece, tokens);
    return tokens;
  };
}

/** FNV-1a, mixed so that the low bits hold something of every unit. */
function hashUnits(text: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (text[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
