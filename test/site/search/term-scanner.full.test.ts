import { expect, it } from 'vitest';
import * as tokens from '../../../src/core/search/language-words.ts';
import { TermScanner } from '../../../src/site/search/search-entry.ts';
import { fc, runs } from '../../support/properties.ts';

const scanner = new TermScanner(tokens);

/** The terms a scanner finds, as the article's numbers name them. */
function scan(text: string, known: string[], language = 'en'): readonly (string | undefined)[] {
  const count = scanner.scan(text, known, language);
  return [...scanner.ids.subarray(0, count)].map((id) => known[id]);
}

const words = [
  ...[
    'the',
    'Paket',
    'größe',
    'ÉTÉ',
    'a1',
    '42',
    'x'.repeat(40),
    '配達',
    '手順を',
    'カタカナー',
    '한국',
    'ไทย',
    'ที่น้ำ',
    'ខ្មែរ',
  ],
  ...[
    'والكتاب',
    'नमस्ते',
    'שלום',
    'Привет',
    '😀',
    '𠀀𠀁',
    'ﬁ',
    'e\u0301',
    '\u0301',
    'a手b',
    '々',
    'ー',
    '\u200d',
    '\ud83d',
  ],
  ...[' ', '\n', '-', '\u200c', "'", '&', '.', '. ', '、', '_', '\u00a0', 'İ', 'ǆ', 'ª', '①', 'ی'],
];

const texts = fc.oneof(
  fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

it('finds the terms the tokenizer finds, in any text', { tags: 'property' }, () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 4 }), (fields) => {
      scanner.startArticle();
      const known: string[] = [];
      for (const text of fields) expect(scan(text, known)).toEqual(tokens.tokenize(text));
      expect(known).toEqual([...new Set(fields.flatMap((text) => tokens.tokenize(text)))]);
    }),
    { numRuns: runs(2000) },
  );
});

it('finds the syllables of Vietnamese, more of them than characters', () => {
  scanner.startArticle();
  const text = 'ở á ô '.repeat(2000);
  const terms = tokens.tokenize(text, false, 'vi');
  expect(terms.length).toBeGreaterThan(text.length);
  expect(scan(text, [], 'vi')).toEqual(terms);
});

it('takes every character for what the tokenizer takes it for', () => {
  scanner.startArticle();
  for (let from = 0; from < 0x10000; from += 0x100) {
    const characters = Array.from({ length: 0x100 }, (_, at) => String.fromCharCode(from + at));
    for (const text of characters.map((character) => `a${character}b ${character} 手${character}`)) {
      expect(scan(text, [])).toHaveLength(tokens.tokenize(text).length);
    }
  }
});

it('goes on after more terms than it keeps', () => {
  for (let article = 0; article < 30; article += 1) {
    scanner.startArticle();
    const text = Array.from({ length: 5000 }, (_, at) => `term${article * 5000 + at}`).join(' ');
    const known: string[] = [];
    expect(scan(`${text} ${text}`, known)).toHaveLength(10_000);
    expect(known).toEqual(tokens.tokenize(text));
  }
});
