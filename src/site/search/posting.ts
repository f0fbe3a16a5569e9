/** A larger number of occurrences counts as this one. */
export const maxOccurrences = 255;
const sectionShift = 10;

/** Fields that can contain a term. */
export const fieldCount = 4;

/** Sections of a part of the index are below it. */
export const maxSections = 2 ** (32 - sectionShift);

/** The position and count of a term, in 32 bits. @param section below {@link maxSections} @param field below 4 */
export function encodePosting(section: number, field: number, count: number): number {
  return ((section << sectionShift) | (field << 8) | Math.min(count, maxOccurrences)) >>> 0;
}

/** An encoded posting, so many sections later. */
export function movePosting(posting: number, sections: number): number {
  return (posting + (sections << sectionShift)) >>> 0;
}

/** An encoded posting with its count increased by one, up to the maximum. */
export function countOnce(posting: number): number {
  return occurrencesOf(posting) < maxOccurrences ? posting + 1 : posting;
}

/** The section of an encoded posting. */
export function sectionOf(posting: number): number {
  return posting >>> sectionShift;
}

/** The field of an encoded posting, from 0. */
export function fieldOf(posting: number): number {
  return (posting >>> 8) & 3;
}

/** Number of occurrences, up to the maximum. */
export function occurrencesOf(posting: number): number {
  return posting & maxOccurrences;
}
