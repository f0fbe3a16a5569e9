import { describe, expect, it } from 'vitest';
import { foldText } from '../../../src/service/search/fold-text.ts';
import { makeSnippet } from '../../../src/service/search/make-snippet.ts';
import { parseSearch } from '../../../src/service/search/parse-search.ts';
import { toIndexText } from '../../../src/service/search/split-words.ts';
import { fc } from '../../support/properties.ts';

describe('foldText', () => {
  it.each([
    ['Café', 'cafe'],
    ['ＡＢＣ１', 'abc1'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Ἀθῆναι', 'αθηναι'],
    ['ё', 'е'],
    ['كِتَاب', 'كتاب'],
    ['إلى مدرسة', 'الي مدرسه'],
    ['שָׁלוֹם', 'שלום'],
    ['ｶﾞ', 'ガ'],
    ['हिन्दी', 'हिन्दी'],
    ['ที่', 'ที่'],
  ])('%s becomes %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('toIndexText', () => {
  it('writes runs without spaces as pairs and their last character', () => {
    expect(toIndexText('重置密码 and WiFi6')).toBe('重置 置密 密码 码 and wifi6');
  });

  it('splits where the script changes', () => {
    expect(toIndexText('iPhoneを再起動')).toBe('iphone を再 再起 起動 動');
  });

  it('leaves out signs that belong to a script', () => {
    expect(toIndexText('⺀水⺀')).toBe('水');
  });

  it('gives nothing but letters, digits, marks and single spaces', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toIndexText(text)).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?: |$))*$/u);
      }),
    );
  });
});

describe('parseSearch', () => {
  it('tries words as written, then as beginnings, then any of them', () => {
    expect(parseSearch('Reset a passw').attempts).toEqual([
      '"reset" AND "a" AND "passw"*',
      '"reset"* AND "a" AND "passw"*',
      '"reset"* OR "a" OR "passw"*',
    ]);
  });

  it('searches runs without spaces as phrases, one character as the beginning of a pair', () => {
    expect(parseSearch('密码重').attempts).toEqual(['"密码 码重"']);
    expect(parseSearch('码').attempts).toEqual(['"码"*']);
  });

  it('finds no words in signs', () => {
    expect(parseSearch('" * ( ) ^ - :').attempts).toEqual([]);
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

  it('begins near the first match and says where it was cut', () => {
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
