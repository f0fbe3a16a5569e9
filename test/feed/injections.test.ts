import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { flagInjections } from '../../src/feed/guard/flag-injections.ts';

interface Sentence {
  readonly language: string;
  readonly text: string;
}

/** Labelled sentences, one per line: language, tab, sentence. */
function readSentences(name: string): readonly Sentence[] {
  const text = readFileSync(new URL(`./injections/${name}.txt`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [language = '', sentence = ''] = line.split('\t');
      return { language, text: sentence };
    });
}

describe('injection flags, on labelled sentences', () => {
  const attacks = readSentences('attacks');
  const harmless = readSentences('harmless');
  const isFlagged = ({ text }: Sentence) => flagInjections(text).length > 0;

  it('are measured on 200 sentences or more in at least six languages', () => {
    expect(attacks.length + harmless.length).toBeGreaterThanOrEqual(200);
    for (const sentences of [attacks, harmless]) {
      expect(sentences.length).toBeGreaterThanOrEqual(100);
      expect(new Set(sentences.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6);
    }
    const texts = [...attacks, ...harmless].map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  // docs/feed.md gives these figures.
  it('are set on at least 96 % of the attacks', () => {
    const missed = attacks.filter((sentence) => !isFlagged(sentence));
    expect(missed.length / attacks.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.04);
  });

  it('are set on none of the harmless sentences', () => {
    expect(harmless.filter(isFlagged)).toEqual([]);
  });
});
