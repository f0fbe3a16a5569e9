import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { describe, expect, it } from 'vitest';
import { createUnitReader, preTokenEnd } from '../../src/feed/tokens/pre-token-end.ts';
import { fc, runs } from '../support/properties.ts';

/** Every kind of character the encoding's pattern tells apart, in and outside the basic plane, and half pairs. */
const signs = [
  ...'aszdmtlvrerABSLDéÉǅʰªあ漢ไ你\u0301\u0e31\u{1e8d0}𝐀𝐚𐐀𐐨𝟏𠀀😀①½٣09',
  ...' \u00a0\u3000\u2028\t\v\f\n\r\u0085\ufeff\u200b\u200d',
  ..."''''.,!?/()[]#*-_|~\\’€\u0000\u0378",
  '\ud83d',
  '\ude00',
  '\r\n',
  "'s",
  "'LL",
  "'Ve",
  '  ',
];

const texts = fc.oneof(
  fc.array(fc.constantFrom(...signs), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

/** Units of earlier texts follow those of a later one: they must not count. */
const readUnits = createUnitReader();

function split(text: string): readonly string[] {
  const units = readUnits(text);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = preTokenEnd(units, at, text.length);
    if (end <= at) throw new Error(`no piece at ${at}`);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

describe('preTokenEnd', () => {
  it('splits any text as the pattern of the encoding does', { tags: 'property' }, () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(split(text)).toEqual(text.match(O200K_TOKEN_SPLIT_REGEX) ?? []);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('knows every assigned character, between a small letter and a capital, and doubled before a full stop', () => {
    // Nothing is assigned in planes 4 to 13, and planes 15 and 16 are for private use. The quick suite tries the first alone.
    const planes = [0, 0x10000, 0x20000, 0x30000, 0xe0000].slice(0, runs(5));
    for (const from of planes) {
      const characters = Array.from({ length: 0x10000 }, (_, at) => String.fromCodePoint(from + at));
      const text = characters.map((sign) => `a${sign}B ${sign}${sign}.\n`).join('');
      expect(split(text).join('\u0000') === text.match(O200K_TOKEN_SPLIT_REGEX)?.join('\u0000')).toBe(true);
    }
  });
});
