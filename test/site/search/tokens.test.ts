import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import * as searchTokens from '../../../src/core/search/language-words.ts';
import { builtInTemplates } from '../../../src/site/pages/template-files.ts';
import { fc, runs } from '../../support/properties.ts';
import { plainFold, plainTerms } from './plain-terms.ts';

interface BrowserTokens extends searchTokens.Tokens {
  readonly findTerms: (text: string, terms: ReadonlySet<string>) => readonly (readonly [number, number])[];
}

let tokens: BrowserTokens;

beforeAll(async () => {
  tokens = (await import(pathToFileURL(join(builtInTemplates, 'assets/tokens.js')).href)) as BrowserTokens;
});

test('The build uses the very module browsers load', () => {
  expect(searchTokens.tokenize).toBe(tokens.tokenize);
});

describe('folding', () => {
  test.each([
    ['ÀÉÎõü', 'aeiou'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['İSTANBUL ısı', 'istanbul isi'],
    ['Ελλάς', 'ελλασ'],
    ['Ёлка', 'елка'],
    ['ＦＵＬＬ', 'full'],
    ['ｶﾞｲﾄﾞ', 'がいど'],
    ['٠١٢ ۳۴ ५६ ๗๘ ９', '012 34 56 78 9'],
    ['फ़ोन बड़ा हिन्दी चाँद', 'फोन बडा हिंदी चांद'],
    ['Hawaiʻi, обʼєкт', 'hawaii, обєкт'],
    ['নাম্\u200dবার', 'নাম্বার'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['كَلِمَة', 'کلمه'],
    ['C++, c++11, C# und F＃', 'cpp, cpp11, csharp und fsharp'],
    ['言語C++で', '言語cppで'],
    ['Acme™Cloud®', 'acme cloud®'],
    ['i++, abc++, #c#top, 5c#', 'i++, abc++, #c#top, 5c#'],
    ['شָׁלוֹם'.replace('ش', 'ש'), 'שלום'],
  ])('makes %s %s', (text, expected) => {
    expect(tokens.fold(text)).toBe(expected);
  });

  test('changes nothing that is folded already', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokens.fold(tokens.fold(text))).toBe(tokens.fold(text));
      }),
    );
  });
});

describe('terms', () => {
  test.each([
    ['Reset it, now!', ['reset', 'it', 'now']],
    ['version 1.8.19', ['version', '1', '8', '19']],
    ['再設定', ['再設', '設定', '定']],
    ['鍵', ['鍵']],
    ['USBケーブル', ['usb', 'けー', 'ーぶ', 'ぶる', 'る']],
    ['Wi-Fi', ['wi', 'fi', 'wifi']],
    ['e-mail-box', ['e', 'mail', 'box', 'email', 'mailbox', 'emailbox']],
    ["don't", ['don', 't', 'dont']],
    ["l'article, I'd, we'll", ['l', 'article', 'i', 'd', 'we', 'll']],
    ['Node.js', ['node', 'js', 'nodejs']],
    ['end. Next', ['end', 'next']],
    ['1,500,000', ['1', '500', '000', '1500', '500000', '1500000']],
    ['12.345,67', ['12', '345', '67', '12345']],
    ['1\u202f500 000, 2024 100', ['1', '500', '000', '2024', '100', '1500', '500000', '1500000']],
    [
      'maxRetries of getJSONText',
      ['maxretries', 'of', 'getjsontext', 'max', 'retries', 'get', 'json', 'text'],
    ],
    ['関数maxSizeで éBarBaz', ['関数', '数', 'maxsize', 'で', 'ebarbaz', 'max', 'size']],
    [`${'aB'.repeat(17)} 5GHz`, ['ab'.repeat(16), '5ghz']],
    ['1,2,3 or 2024.100', ['1', '2', '3', 'or', '2024', '100']],
    ['AT&T, and/or/not', ['at', 't', 'and', 'or', 'not', 'att', 'andor', 'ornot', 'andornot']],
    ['צה״ל', ['צה', 'ל', 'צהל']],
    ['می\u200cخواهم', ['می', 'خواهم', 'میخواهم']],
    ['col·lecció', ['col', 'leccio', 'colleccio']],
    ['Wi -Fi', ['wi', 'fi']],
    ['한국어', ['한국', '국어', '어']],
    ['ที่นั่ง', ['ที่นั่', 'นั่ง', 'ง']],
    ['ខ្មែរ', ['ខ្មែ', 'មែរ', 'រ']],
    ['وكلمة المرور', ['وکلمه', 'مرور']],
    ['x'.repeat(50), ['x'.repeat(32)]],
    ['—  …', []],
  ])('of %s', (text, expected) => {
    expect(tokens.tokenize(text)).toEqual(expected);
  });

  test('of Vietnamese are syllables with and without marks, and two syllables with a space between them', () => {
    const written = 'Dược sĩ, máy ATM';
    const pairs = ['duoc si', 'may atm'];
    const [first, second] = pairs;
    expect(tokens.tokenize(written, false, 'vi')).toEqual([
      'duoc',
      'dược',
      'si',
      'sĩ',
      first,
      'may',
      'máy',
      'atm',
      second,
    ]);
    expect(tokens.tokenize(written, true, 'vi-VN')).toEqual(['dược', 'sĩ', first, 'máy', 'atm', second]);
    expect(tokens.tokenize('duoc si', true, 'vi')).toEqual(['duoc', 'si', first]);
    expect(tokens.tokenize(written, true, 'en')).toEqual(['duoc', 'si', 'may', 'atm']);
    expect(pairs.map(tokens.isPair)).toEqual([true, true]);
  });

  test('contain no half surrogate pairs, however long the word: they are stored as UTF-8', () => {
    const words = ['a', '\u{10400}'].map((letter) => `${letter.repeat(31)}\u{10400}\u{10400}`);
    const terms = words.flatMap((word) => tokens.tokenize(word));
    expect(terms).toHaveLength(2);
    expect(terms.map((term) => Buffer.from(term).toString())).toEqual(terms);
  });

  test('of a query are among the terms of every text that contains it, in scripts without spaces', {
    tags: 'property',
  }, () => {
    const character = fc.constantFrom(...'再設定パスワードのを鍵한국어รหัสผ่าน');
    const text = fc.array(character, { maxLength: 12 }).map((list) => list.join(''));
    fc.assert(
      fc.property(text, fc.array(character, { minLength: 2, maxLength: 6 }), text, (before, part, after) => {
        const query = part.join('');
        fc.pre(!/^\p{M}/u.test(query));
        const terms = tokens.tokenize(before + query + after);
        // The last character may lack its signs.
        const last = tokens.tokenize(query, true).at(-1) ?? '';
        for (const word of tokens.tokenize(query, true)) {
          expect(terms.some((term) => term === word || (word === last && term.startsWith(word)))).toBe(true);
        }
      }),
    );
  });
});

describe('however fast they are made', () => {
  /** Characters that fold unusually, combine with others, or are at the limits of separate folding. */
  const odd = fc.constantFrom(
    ...'aCZ9+# -\u0000\u007f\u0080\u00adªéßİıŁþŒΆΣςЙйᾳﬁ½①Å…\u2028⁄\u20d0→≠⫝̸、々〪かが\u3099\u309aヷー漢\u3404豈한ᄒ\u1161\u11abｶﾞＡ！الوكي\u0640\u064bภ\u0e31😀𠮷\u0301\u0338\u0323\ud83d\ud842',
  );
  const anyText = fc
    .array(fc.oneof(odd, odd, fc.string({ unit: 'binary', maxLength: 3 }), fc.constant('word')), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''));

  test('they are the terms of the definition', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, isQuery) => {
        expect(tokens.tokenize(text, isQuery)).toEqual(plainTerms(text, isQuery));
        expect(tokens.fold(text)).toBe(plainFold(text));
      }),
      { numRuns: runs(2000) },
    );
  });

  test('every character of the basic plane folds as defined, alone, after a letter and before a mark', () => {
    const different = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(
      (character) =>
        [character, `か${character}x`, `x${character}\u3099`, `${character}\u0301é`].some(
          (text) => tokens.fold(text) !== plainFold(text),
        ),
    );
    expect(different).toEqual([]);
  });
});

describe('positions of terms in a text', () => {
  test.each([
    ['Reset the Passwörd now', ['password'], ['Passwörd']],
    ['パスワードを再設定する', ['再設', '設定'], ['再設定']],
    ['قبل الإعدادات', ['اعدادات'], ['الإعدادات']],
    ['nothing here', ['other'], []],
    ['Use Wi-Fi now', ['wifi'], ['Wi-Fi']],
    ['Acme™ cloud', ['acme'], ['Acme']],
    ['To the U.S.A., a 1,500,000 b', ['usa', '500', '1500000'], ['U.S.A', '1,500,000']],
    [
      'Set maxRetries to 1\u202f500\u202f000 b',
      ['retries', '1500000'],
      ['maxRetries', '1\u202f500\u202f000'],
    ],
    ['An iPad-Pro', ['ipadpro'], ['iPad-Pro']],
    ['iPad購入', ['入'], ['入']],
    ['(a.b) c/d e-f-g', ['c', 'ef', 'fg'], ['c', 'e-f-g']],
    ['C++, C++11, C#, abc# and C', ['cpp', 'cpp11', 'csharp'], ['C++', 'C++11', 'C#']],
    ['می\u200cخواهم', ['میخواهم'], ['می\u200cخواهم']],
    ['Dược sĩ được', ['dược'], ['Dược']],
    ['Dược sĩ được', ['duoc'], ['Dược', 'được']],
    ['Re\u00adset the Pass\u00adwort', ['reset', 'passwort'], ['Re\u00adset', 'Pass\u00adwort']],
  ])('%s', (text, terms, expected) => {
    const places = tokens.findTerms(text, new Set(terms));
    expect(places.map(([start, end]) => text.slice(start, end))).toEqual(expected);
  });

  test('never overlap and are in order', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const places = tokens.findTerms(text, new Set(tokens.tokenize(text)));
        let last = 0;
        for (const [start, end] of places) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
