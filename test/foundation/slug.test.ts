import { expect, test } from 'vitest';
import { slugify } from '../../src/content/slugify.ts';
import { fc } from '../support/properties.ts';

/** The definition, for any text. */
function plainSlug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .slice(0, 80)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/^-|-$/g, '');
}

test.each([
  ['Reset your password!', 'reset-your-password'],
  ['  --  ', ''],
  ['Größe ändern', 'große-andern'],
  ['鍵を再設定する', '鍵を再設定する'],
  [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
])('The anchor of %j is %j', (text, expected) => {
  expect(slugify(text)).toBe(expected);
});

test('Plain ASCII gives the anchor that the definition for all scripts gives', { tags: 'property' }, () => {
  const ascii = fc.array(
    fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'grapheme-ascii' })),
  );
  fc.assert(
    fc.property(ascii, (parts) => {
      expect(slugify(parts.join(''))).toBe(plainSlug(parts.join('')));
    }),
  );
});
