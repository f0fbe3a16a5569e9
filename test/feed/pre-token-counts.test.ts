import { describe, expect, it } from 'vitest';
import { cachePreTokenCounts } from '../../src/feed/tokens/count-tokens.ts';
import { createUnitReader } from '../../src/feed/tokens/pre-token-end.ts';
import { fc } from '../support/properties.ts';

/** A number that tells most texts apart. */
const sum = (text: string) =>
  [...text].reduce((total, sign) => (total * 31 + (sign.codePointAt(0) ?? 0)) % 60_000, 1);

const readUnits = createUnitReader();

describe('cachePreTokenCounts', () => {
  it('gives every piece its count, however often and wherever it occurs', {
    tags: 'property',
  }, () => {
    const countPreToken = cachePreTokenCounts(sum);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ maxLength: 4 }), (piece, before) => {
        expect(countPreToken(readUnits(before + piece), before.length, before.length + piece.length)).toBe(
          sum(piece),
        );
        expect(countPreToken(readUnits(piece), 0, piece.length)).toBe(sum(piece));
      }),
    );
  });

  it('counts a piece once', () => {
    const counted: string[] = [];
    const countPreToken = cachePreTokenCounts((piece) => counted.push(piece));
    const text = readUnits('to be or not to be');
    for (const start of [0, 3, 13, 16]) countPreToken(text, start, start + 2);
    expect(counted).toEqual(['to', 'be']);
  });

  it('goes on after more pre-tokens, and longer ones, than it remembers', () => {
    const countPreToken = cachePreTokenCounts(sum);
    for (let at = 0; at < 200_000; at += 1) expectSame(countPreToken, `piece ${at % 150_000}`);
    for (let at = 0; at < 3000; at += 1) expectSame(countPreToken, `${at}`.padStart(1000, 'long'));
  });
});

function expectSame(countPreToken: ReturnType<typeof cachePreTokenCounts>, piece: string): void {
  if (countPreToken(readUnits(piece), 0, piece.length) !== sum(piece))
    throw new Error(`${piece} is counted wrongly`);
}
