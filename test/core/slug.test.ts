import { expect, test } from 'vitest';
import { hyphenate, slugify } from '../../src/core/slug.ts';
import { fc } from '../support/properties.ts';

/** The definition, for any text. */
function plainSlug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[\ufe00-\ufe0f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

test.each([
  ['Reset your password!', 'reset-your-password'],
  ['  --  ', ''],
  ['Größe ändern', 'große-andern'],
  ['鍵を再設定する', '鍵を再設定する'],
  ['x\u0301 й 각 Ж\u0301', 'x-и-각-ж'],
  ['⚙️ Setup', 'setup'],
])('The slug of %j is %j', (text, expected) => {
  expect(slugify(text)).toBe(expected);
});

test('A slug that is cut ends with a whole character and no hyphen', () => {
  expect(slugify(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79));
  expect(slugify(`${'a'.repeat(79)}𝒳`)).toBe('a'.repeat(79));
});

test('Any text gives the slug that the definition for all scripts gives', { tags: 'property' }, () => {
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme-ascii' }),
    ),
  );
  fc.assert(
    fc.property(text, (parts) => {
      expect(hyphenate(parts.join(''))).toBe(plainSlug(parts.join('')));
    }),
  );
});
