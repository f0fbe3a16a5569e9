import { describe, expect, it } from 'vitest';
import { loadLanguageWords } from '../../../src/core/search/language-words.ts';
import { makeSnippet, parseSearch } from '../../../src/service/search-text.ts';
import { scopeOf, toVersionWords } from '../../../src/service/store/index-words.ts';
import { postgresDialect } from '../../../src/service/store/postgres/postgres-dialect.ts';
import { sqliteDialect } from '../../../src/service/store/sqlite-dialect.ts';
import { fc } from '../../support/properties.ts';

describe('parseSearch', () => {
  const termsOf = (text: string) =>
    parseSearch(text).words.map(({ terms, minPrefix }) => [minPrefix, ...terms]);

  it('takes the last word for the beginning of one from two characters on, others from three', () => {
    expect(termsOf('Reset a passw')).toEqual([
      [3, 'reset'],
      [3, 'a'],
      [2, 'passw'],
    ]);
  });

  it('gives pairs of runs without spaces, and one character as the beginning of a pair', () => {
    expect(termsOf('密码重')).toEqual([[2, '密码', '码重']]);
    expect(termsOf('码')).toEqual([[0, '码']]);
    expect(termsOf('密码')).toEqual([[Number.POSITIVE_INFINITY, '密码']]);
    expect(termsOf('ชื่')).toEqual([[0, 'ชื่']]);
    expect(parseSearch('ที่นี่ก็').words).toEqual([{ text: 'ที่นี่ก็', terms: ['ที่นี่', 'นี่ก็'], minPrefix: 2 }]);
  });

  it('takes a word that occurs twice once', () => {
    expect(termsOf('the the THE the')).toEqual([[2, 'the']]);
    expect(termsOf('密码 密码')).toHaveLength(1);
  });

  it('finds no words in signs', () => {
    expect(termsOf('" * ( ) ^ - :')).toEqual([]);
  });

  it('gives queries of quoted words only', { tags: 'property' }, () => {
    const scope = scopeOf({}, 'pt-br');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const groups = parseSearch(text).words.map(({ terms }) => [
          terms.map((word) => ({ word, isPrefix: true })),
        ]);
        for (const { formatQuery } of [sqliteDialect, postgresDialect]) {
          const query = formatQuery({ groups, match: 'any', ...scope });
          const syntax = query.replaceAll(/(["'])[\p{L}\p{N}\p{M}\p{Co}]+\1(?:\*|:\*)?/gu, 'w');
          expect(syntax).toMatch(/^(?:w|AND|OR|NOT|[ ()&|!])*$/);
        }
      }),
    );
  });
});

describe('the words of a version', () => {
  const version = { isClosed: false, isDraft: false, languageKey: 'en', title: '', hints: '', text: '' };
  const wordsOf = async (more: Partial<typeof version>) =>
    toVersionWords({ ...version, ...more }, await loadLanguageWords('en'));

  it('are in the index once each, as written and as stems, those of the title also marked', async () => {
    const { index } = await wordsOf({ title: 'Resetting', text: 'often '.repeat(20) });
    expect(index.split(' ').sort()).toEqual(
      [
        'reset',
        'resetting',
        'often',
        '\u{E000}reset',
        '\u{E000}resetting',
        '\u{E000}\u{E000}open',
        '\u{E000}\u{E000}inen',
      ].sort(),
    );
  });

  it('are no more than PostgreSQL takes', async () => {
    const text = Array.from({ length: 200_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    );
    const { index } = await wordsOf({ title: 'x'.repeat(1000), text: text.join('') });
    expect(Buffer.byteLength(index)).toBeGreaterThan(100_000);
    expect(Buffer.byteLength(index)).toBeLessThan(1_000_000);
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

  it('is escaped outside of its marks', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', 'a', ' ', '"') }), (text) => {
        expect(makeSnippet(text, ['a']).replace(/<\/?mark>|&(?:amp|lt|gt);/g, '')).not.toMatch(/[<>&]/);
      }),
    );
  });
});
