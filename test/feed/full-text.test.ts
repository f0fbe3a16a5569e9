import { describe, expect, it } from 'vitest';
import { planFullText } from '../../src/feed/llms/full-text.ts';
import { buildSample } from './support/build-sample.ts';

/** Parts of texts of ten characters, three to a part; a list per group of articles. */
async function partsOf(groups: readonly (readonly string[])[]): Promise<readonly string[]> {
  const pages = groups.flatMap((ofGroup, group) =>
    ofGroup.map((text) => ({ text, group, fullTextChars: text.length })),
  );
  const options = {
    head: () => '',
    path: (part: number) => `part-${part}.txt`,
    url: (part: number) => `/part-${part}`,
    chars: 250,
  };
  const parts = planFullText(options, pages, ({ group }) => group);
  return parts.map(
    ({ pages: ofPart, tail }) =>
      ofPart.map(({ text }) => text).join('') + tail.replace(/\n---\n\nContinued in \/part-\d+\n/, '…'),
  );
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
