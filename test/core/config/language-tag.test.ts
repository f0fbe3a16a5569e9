import { describe, expect, test } from 'vitest';
import { isLanguageTag } from '../../../src/core/language.ts';

describe('a language tag', () => {
  test.each(['en', 'pt-BR', 'zh-Hant-TW', 'sr-Latn', 'es-419', 'fil', 'de-1996', 'EN', 'zh-hans'])(
    'can be %s',
    (tag) => {
      expect(isLanguageTag(tag)).toBe(true);
    },
  );

  test.each([
    '',
    '..',
    '../en',
    'en/..',
    'en_US',
    'e',
    'english language',
    'de-',
    '-de',
    'de--DE',
    'con',
    'NUL',
    'assets',
    'feed',
    'sitemaps',
    'x-private',
    'en-a-bbb-x-a-ccc-ddd-eee-fff-ggg-hhh',
    'é',
    'en\u0000',
    'en\n',
    '日本',
  ])('cannot be %j', (tag) => {
    expect(isLanguageTag(tag)).toBe(false);
  });
});
