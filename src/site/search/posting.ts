const maxCount = 255;
const sectionShift = 10;

/** Fields a term can stand in. */
export const fieldCount = 4;

/** What a packed posting grows by from one section to the next. */
export const sectionStep = 1 << sectionShift;

/** Where and how often a term occurs, in 32 bits. @param section below 2^22 @param field below 4 */
export function packPosting(section: number, field: number, count: number): number {
  return ((section << sectionShift) | (field << 8) | Math.min(count, maxCount)) >>> 0;
}

/** A packed posting with one occurrence more, up to the highest count it can tell. */
export function countOnce(packed: number): number {
  return countOf(packed) < maxCount ? packed + 1 : packed;
}

export function sectionOf(packed: number): number {
  return packed >>> sectionShift;
}

export function fieldOf(packed: number): number {
  return (packed >>> 8) & 3;
}

export function countOf(packed: number): number {
  return packed & maxCount;
}
