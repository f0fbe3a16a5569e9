import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens as library } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countRanges } from '../../src/feed/tokens/count-ranges.ts';
import { loadTokenCounter } from '../../src/feed/tokens/count-tokens.ts';
import { fc } from '../support/properties.ts';

const countTokens = await loadTokenCounter();

describe('the token counter', () => {
  it('counts as o200k_base does', () => {
    expect(countTokens('')).toBe(0);
    expect(countTokens('hello world')).toBe(2);
    expect(countTokens('你好，世界')).toBe(3);
  });

  it('counts what the library counts, for any text', { tags: 'property' }, () => {
    const unit = fc.constantFrom(
      ...[
        'a',
        'B',
        'é',
        'ß',
        'ж',
        'Ё',
        'の',
        'ー',
        '漢',
        '字',
        '한',
        'ก',
        'ا',
        'e\u0301',
        '\u0301',
        '😀',
        '\ud800',
      ],
      ...[
        '1',
        '23',
        '²',
        '٣',
        "'",
        "'s",
        "'LL",
        '’',
        '.',
        '/',
        '//',
        '(',
        '!',
        '_',
        '-',
        '、',
        '。',
        '「',
        '・',
        '（',
      ],
      ...[' ', '  ', '\n', '\n\n', '\r\n', '\t', '\u00a0', '\u3000', '\u2003', '\u2028', '\u0001'],
    );
    const texts = [
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(unit, { maxLength: 60 }).map((units) => units.join('')),
    ];
    fc.assert(
      fc.property(fc.oneof(...texts), fc.nat(), fc.nat(), (any, from, to) => {
        // The library looks up a byte order mark as an empty string, and so counts two tokens instead of one.
        const text = any.replaceAll('\ufeff', '');
        const asText = { disallowedSpecial: new Set<string>() };
        expect(countTokens(text)).toBe(library(text, asText));
        const [start = 0, end = 0] = [from, to].map((at) => at % (text.length + 1)).sort((a, b) => a - b);
        expect(countRanges(text, countTokens)(start, end)).toBe(library(text.slice(start, end), asText));
      }),
    );
  });

  it('counts what the library counts, for every text of the sample and of the documentation', () => {
    for (const folder of ['sample', 'docs', 'templates']) {
      for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:md|json|html|js|css)$/.test(path)) continue;
        const text = readFileSync(join(folder, path), 'utf8');
        expect(countTokens(text), path).toBe(library(text, { disallowedSpecial: new Set() }));
      }
    }
  });

  it('counts a byte order mark as the one token that it is', () => {
    expect(countTokens('\ufeff')).toBe(1);
  });

  it('takes control tokens of chat models for plain text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('ends on an unbroken run of letters a body may hold', () => {
    expect(countTokens('ab'.repeat(500_000))).toBeGreaterThan(200_000);
  });
});
