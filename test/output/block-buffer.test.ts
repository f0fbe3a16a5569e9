import { describe, expect, it } from 'vitest';
import { createBlockBuffer } from '../../src/output/blocks.ts';
import { fc, runs } from '../support/properties.ts';

/** The content of all blocks, and the number of blocks. */
function gather(pieces: readonly (string | Uint8Array)[]): { bytes: Buffer; blocks: number } {
  const blocks: Buffer[] = [];
  const buffer = createBlockBuffer((block) => blocks.push(Buffer.from(block)));
  for (const piece of pieces) buffer.add(piece);
  buffer.flush();
  return { bytes: Buffer.concat(blocks), blocks: blocks.length };
}

const anyPiece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.uint8Array(),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(60_000))
    .map(([text, times]) => text.repeat(times)),
);

describe('a block buffer', () => {
  it('contains the content of its pieces, in any mixture of sizes', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.array(anyPiece, { maxLength: 12 }), (pieces) => {
        const expected = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
        expect(gather(pieces).bytes.equals(expected)).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  it('keeps a character whole whose halves come in two pieces', () => {
    const text = 'a😀b';
    expect(gather([text.slice(0, 2), text.slice(2)]).bytes.toString()).toBe(text);
    expect(gather([text.slice(0, 2), '', text.slice(2)]).bytes.toString()).toBe(text);
    expect(gather([text.slice(0, 2)]).bytes.toString()).toBe('a\ufffd');
    expect(gather([text.slice(0, 2), Buffer.from('b')]).bytes.toString()).toBe('a\ufffdb');
  });

  it('hands over few blocks for many pieces', () => {
    const { bytes, blocks } = gather(Array.from({ length: 20_000 }, () => 'twenty bytes of text'));
    expect(bytes).toHaveLength(400_000);
    expect(blocks).toBe(1);
  });
});
