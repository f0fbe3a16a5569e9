import { describe, expect, test } from 'vitest';
import { createSpeller } from '../../../src/source/make-knowledge-base.ts';

describe('the spelling of a language', () => {
  test('is the most frequent one, and that there are others is reported', () => {
    const { spell, problems } = createSpeller(['de-AT', 'de-at', 'de-at', 'fr'], [], 'en');
    expect(['de-AT', 'de-at', 'fr', 'it'].map(spell)).toEqual(['de-at', 'de-at', 'fr', 'it']);
    expect(problems).toMatchObject([
      { code: 'LANGUAGE_NORMALISED', message: 'de-AT and de-at are one language; de-at is used' },
    ]);
  });

  test('is the first in order if none is more frequent', () => {
    expect(createSpeller(['de-at', 'de-AT'], [], 'en').spell('de-at')).toBe('de-AT');
  });

  test('is one for the old and the current code of a language', () => {
    const { spell, problems } = createSpeller(['iw', 'he', 'he'], [], 'en');
    expect(['iw', 'he'].map(spell)).toEqual(['he', 'he']);
    expect(problems).toMatchObject([
      { code: 'LANGUAGE_NORMALISED', message: 'he and iw are one language; he is used' },
    ]);
  });

  test('may be a deprecated code, which is reported', () => {
    const { spell, problems } = createSpeller(['iw', 'pt-br'], [], 'en');
    expect(['iw', 'pt-br'].map(spell)).toEqual(['iw', 'pt-br']);
    expect(problems).toMatchObject([
      {
        code: 'LANGUAGE_NORMALISED',
        message: 'the current code of the language iw is he; its pages are published under iw',
        language: 'iw',
      },
    ]);
  });

  test('is the configured one above all', () => {
    const { spell, problems } = createSpeller(['PT-br', 'PT-br', 'EN'], ['pt-BR'], 'en');
    expect(['PT-br', 'EN'].map(spell)).toEqual(['pt-BR', 'en']);
    expect(problems).toEqual([]);
  });
});
