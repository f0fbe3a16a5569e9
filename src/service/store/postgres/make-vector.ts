/** Terms of one part of a text, with the weight by which PostgreSQL ranks it. */
export interface WeightedTerms {
  readonly weight: 'A' | 'B' | 'C' | 'D';
  readonly terms: readonly string[];
}

/**
 * In the vector of a text that PostgreSQL cannot number completely: what follows what is unknown in it. A private-use character begins it, as no text and
 * no search can.
 */
export const longTextTerm = '\u{E000}long';

/** PostgreSQL's limits of a `tsvector`, and less than its limit of 1 MiB for all. */
const lastPosition = 16_383;
const mostPositions = 255;
const mostBytes = 1_000_000;

/** Bytes that PostgreSQL needs for a term and a position, besides the letters. */
const termBytes = 8;
const positionBytes = 2;

/**
 * The text form of a `tsvector`. A text with more than about 60,000 different terms is indexed up to there.
 * @param parts terms of letters and digits only
 */
export function makeVector(parts: readonly WeightedTerms[]): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  let bytes = 0;
  let isLong = false;
  for (const { weight, terms } of parts) {
    // The end of one part and the beginning of the next are no neighbours.
    position += 1;
    for (const term of terms) {
      position += 1;
      const known = positions.get(term);
      if (known === undefined) {
        bytes += Buffer.byteLength(term) + termBytes + positionBytes;
        if (bytes > mostBytes) {
          isLong = true;
          break;
        }
        positions.set(term, [`${Math.min(position, lastPosition)}${weight}`]);
      } else if (position < lastPosition && known.length < mostPositions && bytes <= mostBytes) {
        bytes += positionBytes;
        known.push(`${position}${weight}`);
      }
    }
  }
  if (isLong || position >= lastPosition) positions.set(longTextTerm, ['1D']);
  return Array.from(positions, ([term, places]) => `'${term}':${places.join(',')}`).join(' ');
}
