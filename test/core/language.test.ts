import { describe, expect, it } from 'vitest';
import { languageName, textDirection } from '../../src/core/language.ts';

describe('a language', () => {
  it.each([
    ['de', 'Deutsch'],
    ['sr-Latn', 'Srpski (latinica)'],
    ['en-x-internal', 'English'],
    ['de-u-co-phonebk', 'Deutsch'],
  ])('%s calls itself %s', (tag, name) => {
    expect(languageName(tag)).toBe(name);
  });

  it.each([
    ['ar', 'rtl'],
    ['az-Arab', 'rtl'],
    ['az', 'ltr'],
  ])('%s is written %s', (tag, direction) => {
    expect(textDirection(tag)).toBe(direction);
  });
});
