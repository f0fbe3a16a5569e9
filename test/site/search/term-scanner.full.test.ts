import { expect, it } from 'vitest';
import * as tokens from '../../../src/core/search/language-words.ts';
import { occurrencesOf } from '../../../src/site/search/posting.ts';
import { TermScanner } from '../../../src/site/search/search-entry.ts';
import { fc, runs } from '../../support/properties.ts';

const scanner = new TermScanner(tokens);

/** The distinct terms that a scanner finds in texts, and how often. */
function scan(texts: readonly string[], language = 'en'): readonly (readonly [string, number])[] {
  scanner.startArticle(language);
  for (const [section, text] of texts.entries())
    expect(scanner.addField(text, section, 3)).toBe(tokens.tokenize(text, false, language).length);
  const { terms, postings } = scanner.endArticle();
  const counts = Buffer.from(terms.buffer)
    .toString('utf16le')
    .split('\n')
    .slice(0, -1)
    .map((term): [string, number] => [term, 0]);
  for (let at = 0; at < postings.length; at += 2) {
    const count = counts[postings[at] as number] as [string, number];
    count[1] += occurrencesOf(postings[at + 1] as number);
  }
  return counts;
}

/** The same by the tokenizer. */
function count(texts: readonly string[], language = 'en'): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const term of tokens.tokenize(text, false, language)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts];
}

const words = [
  ...[
    'the',
    'Paket',
    'größe',
    'ÉTÉ',
    'a1',
    '42',
    'C++',
    'C++Builder',
    'C#',
    '1,500,000',
    '25 000',
    'maxRetries',
    'getJSONText手',
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

it('finds the terms the tokenizer finds, in any texts', { tags: 'property' }, () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 4 }), (fields) => {
      expect(scan(fields)).toEqual(count(fields));
    }),
    { numRuns: runs(2000) },
  );
});

it('finds the syllables of Vietnamese, more of them than characters', () => {
  const text = 'ở á ô '.repeat(50);
  expect(tokens.tokenize(text, false, 'vi').length).toBeGreaterThan(text.length);
  expect(scan([text], 'vi')).toEqual(count([text], 'vi'));
});

it('takes every character for what the tokenizer takes it for', () => {
  for (let from = 0; from < 0x10000; from += 0x100) {
    const characters = Array.from({ length: 0x100 }, (_, at) => String.fromCharCode(from + at));
    const fields = characters.map((character) => `a${character}b ${character} 手${character}`);
    expect(scan(fields)).toEqual(count(fields));
  }
});

it('goes on after more terms than it keeps', () => {
  for (let article = 0; article < 30; article += 1) {
    const text = Array.from({ length: 5000 }, (_, at) => `term${article * 5000 + at}`).join(' ');
    const fields = [`${text} ${text}`, 'term0'];
    expect(scan(fields)).toEqual(count(fields));
  }
});
