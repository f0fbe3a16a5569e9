import { describe, expect, it } from 'vitest';
import { makeSnippet, parseSearch } from '../../../src/service/search-text.ts';
import { formatAttempt } from '../../../src/service/store/search-store.ts';
import { toBodyText } from '../../../src/service/store/version-index.ts';
import { fc } from '../../support/properties.ts';

const attemptsOf = (text: string) => parseSearch(text).attempts.map(formatAttempt);

describe('parseSearch', () => {
  it('tries words as written, then as beginnings, then any of them', () => {
    expect(attemptsOf('Reset a passw')).toEqual([
      '"reset" AND "a" AND "passw"*',
      '"reset"* AND "a" AND "passw"*',
      '"reset"* OR "a" OR "passw"*',
    ]);
  });

  it('searches runs without spaces as phrases, one character as the beginning of a pair', () => {
    expect(attemptsOf('密码重')).toEqual(['"密码 码重"']);
    expect(attemptsOf('码')).toEqual(['"码"*']);
  });

  it('takes a word that occurs twice once', () => {
    expect(attemptsOf('the the THE the')).toEqual(['"the"*']);
    expect(attemptsOf('密码 密码')).toEqual(['"密码"']);
  });

  it('gives expressions of quoted words only', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const attempt of attemptsOf(text)) {
          expect(attempt.replaceAll(/"[\p{L}\p{N}\p{M} ]+"\*?/gu, 'w')).toMatch(/^w(?: (?:AND|OR) w)*$/);
        }
      }),
    );
  });

  it('finds no words in signs', () => {
    expect(attemptsOf('" * ( ) ^ - :')).toEqual([]);
  });
});

describe('toBodyText', () => {
  it('indexes a word at most eight times', () => {
    const { text, indexText } = toBodyText(`${'often '.repeat(20)}rare`);
    expect(indexText).toBe(`${'often '.repeat(8)}rare`);
    expect(text).toBe(`${'often '.repeat(20)}rare`);
  });

  it('indexes all pairs, however often they occur', () => {
    const { indexText } = toBodyText('密码 often '.repeat(20));
    expect(indexText).toBe(`${'密码 码 often '.repeat(8)}${'密码 码 '.repeat(12)}`.trim());
  });
});

describe('makeSnippet', () => {
  it('marks every word found, whatever its accents', () => {
    expect(makeSnippet('Le Café et la cafétéria', ['cafe'])).toBe(
      'Le <mark>Café</mark> et la <mark>cafétéria</mark>',
    );
  });

  it('marks words inside runs without spaces', () => {
    expect(makeSnippet('如何更改登录密码', ['密码'])).toBe('如何更改登录<mark>密码</mark>');
  });

  it('quotes every run of white space as one space', () => {
    expect(makeSnippet(' a\nb\t \n c  d\u00a0e ', ['c'])).toMatch(/^a b <mark>c<\/mark> d e/);
  });

  it('begins near the first match and shows where it was cut', () => {
    const text = `${'before '.repeat(50)}needle ${'after '.repeat(50)}`;
    expect(makeSnippet(text, ['needle'])).toMatch(/^… before .*<mark>needle<\/mark> after .* …$/);
  });

  it('marks the same in ASCII, where it looks for all words at once', { tags: 'property' }, () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '1', ' ', '-', '<'), maxLength: 300 });
    const word = fc.constantFrom('a', 'b', 'ab', 'ba', 'b1', 'é', 'bb1a');
    fc.assert(
      fc.property(text, fc.uniqueArray(word, { minLength: 1 }), (ascii, words) => {
        // A word that begins with a digit may be anywhere in a run: each run is checked separately.
        expect(makeSnippet(ascii, words)).toBe(makeSnippet(ascii, [...words, '0absent']));
      }),
    );
  });

  it('is escaped outside of its marks', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', 'a', ' ', '"') }), (text) => {
        expect(makeSnippet(text, ['a']).replace(/<\/?mark>|&(?:amp|lt|gt);/g, '')).not.toMatch(/[<>&]/);
      }),
    );
  });
});
