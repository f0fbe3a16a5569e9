import { describe, expect, it } from 'vitest';
import { createUnitReader } from '../../src/feed/chunks/text-units.ts';
import { rememberCounts } from '../../src/feed/tokens/piece-counts.ts';
import { fc } from '../support/properties.ts';

/** A number that tells most texts apart. */
const sum = (text: string) =>
  [...text].reduce((total, sign) => (total * 31 + (sign.codePointAt(0) ?? 0)) % 60_000, 1);

const readUnits = createUnitReader();

describe('rememberCounts', () => {
  it('gives every piece the number it is counted with, however often and wherever it stands', {
    tags: 'property',
  }, () => {
    const countPiece = rememberCounts(sum);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ maxLength: 4 }), (piece, before) => {
        expect(countPiece(readUnits(before + piece), before.length, before.length + piece.length)).toBe(
          sum(piece),
        );
        expect(countPiece(readUnits(piece), 0, piece.length)).toBe(sum(piece));
      }),
    );
  });

  it('counts a piece once', () => {
    const counted: string[] = [];
    const countPiece = rememberCounts((piece) => counted.push(piece));
    const text = readUnits('to be or not to be');
    for (const start of [0, 3, 13, 16]) countPiece(text, start, start + 2);
    expect(counted).toEqual(['to', 'be']);
  });

  it('goes on after more pieces, and longer ones, than it remembers', () => {
    const countPiece = rememberCounts(sum);
    for (let at = 0; at < 200_000; at += 1) expectSame(countPiece, `piece ${at % 150_000}`);
    for (let at = 0; at < 3000; at += 1) expectSame(countPiece, `${at}`.padStart(1000, 'long'));
  });
});

function expectSame(countPiece: ReturnType<typeof rememberCounts>, piece: string): void {
  if (countPiece(readUnits(piece), 0, piece.length) !== sum(piece))
    throw new Error(`${piece} is counted wrongly`);
}
