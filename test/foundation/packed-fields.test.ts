import { describe, expect, it } from 'vitest';
import { packFields, readField } from '../../src/foundation/packed-fields.ts';

function unpack(packed: string, length: number): readonly (string | null)[] {
  return Array.from({ length }, (_, index) => readField(packed, index));
}

describe('a packed string', () => {
  it.each([
    ['null and empty texts', [null, '', null, 'a', '']],
    ['texts of every script', ['Größe', 'スマートフォン', '😀', '\u0000\u0080\ud800']],
    ['texts of any length', [126, 127, 128, 16_382, 16_383, 70_000].map((length) => 'x'.repeat(length))],
  ])('returns %s', (_, fields) => {
    expect(unpack(packFields(fields), fields.length)).toEqual(fields);
  });

  it('has one-byte characters if its texts have', () => {
    expect(packFields(['x'.repeat(300), null, 'ÿ'])).toMatch(/^[\u0000-\u00ff]*$/);
  });

  it('refuses an index after the last field', () => {
    expect(() => readField(packFields(['a', null]), 2)).toThrow('there is no field 2');
  });
});
