import { readFileSync } from 'node:fs';
import { countTokens as library } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
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
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(countTokens(text)).toBe(library(text, { disallowedSpecial: new Set() }));
      }),
    );
    for (const language of ['en', 'de', 'ja', 'ar']) {
      const text = readFileSync(`sample/articles/locker-sizes/${language}.md`, 'utf8');
      expect(countTokens(text)).toBe(library(text));
    }
  });

  it('takes control tokens of chat models for plain text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('ends on an unbroken run of letters a body may hold', () => {
    expect(countTokens('ab'.repeat(500_000))).toBeGreaterThan(200_000);
  });
});
