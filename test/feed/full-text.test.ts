import { describe, expect, it } from 'vitest';
import { openFullText } from '../../src/feed/llms/full-text.ts';
import { buildSample } from './support/build-sample.ts';
import { createMemoryOutput } from './support/memory-output.ts';

/** Parts of texts of ten characters, three to a part; a list per group of partitions. */
async function partsOf(groups: readonly (readonly string[])[]): Promise<readonly string[]> {
  const output = createMemoryOutput();
  const fullText = await openFullText(output, {
    head: () => '',
    path: (part) => `part-${part}.txt`,
    url: (part) => `/part-${part}`,
    chars: 250,
  });
  for (const texts of groups) {
    fullText.breakPart();
    const sizes = texts.map((text) => [text.length, text.length] as const);
    await fullText.add(Buffer.from(texts.join('')), sizes);
  }
  await fullText.close();
  return output.paths().map((path) => output.text(path).replace(/\n---\n\nContinued in .*\n/, '…'));
}

const texts = (letters: string) => [...letters].map((letter) => letter.repeat(10));
const together = (letters: string) => texts(letters).join('');

describe('the full text of a language', () => {
  it('is one part while it fits', async () => {
    expect(await partsOf([texts('abc')])).toEqual([together('abc')]);
  });

  it('is divided if a part is full', async () => {
    expect(await partsOf([texts('abcde')])).toEqual([`${together('abc')}…`, together('de')]);
  });

  it('begins a new part with a group of partitions if the last part is half full', async () => {
    expect(await partsOf([texts('ab'), [], texts('cd')])).toEqual([`${together('ab')}…`, together('cd')]);
    expect(await partsOf([texts('a'), texts('bc'), texts('d')])).toEqual([
      `${together('abc')}…`,
      together('d'),
    ]);
  });

  it('is one part if the language is small, although its source page has several', async () => {
    const articles = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd'].map((id) => ({
      id,
      pages: { en: { title: id, markdown: 'Text.\n' } },
    }));
    const site = { languages: ['en'], categories: [], articles };
    const output = await buildSample(site, { sizes: { pages: 1, documents: 0.1 } });
    const count = (name: string) => output.paths().filter((path) => path.includes(name)).length;
    expect(count('feed/en/source/')).toBeGreaterThan(2);
    expect(output.paths().filter((path) => path.includes('llms-full'))).toEqual([
      'en/llms-full.txt',
      'llms-full.txt',
    ]);
  });
});
