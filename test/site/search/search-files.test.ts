import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { builtInTemplates } from '../../../src/site/pages/template-files.ts';

interface FilesModule {
  readonly distance: (a: string, b: string, most?: number) => number;
  readonly findSimilar: (word: string, terms: readonly string[], most: number) => readonly [string, number][];
  readonly createFiles: (
    load: (url: string) => Promise<unknown>,
    parts: { readonly starts: readonly number[]; readonly sectionBits: number; readonly stem: null },
  ) => {
    readonly isLoaded: (url: string) => boolean;
    readonly read: (
      urls: readonly string[],
    ) => Promise<
      readonly { readonly postings: (term: string) => unknown; readonly terms: readonly string[] }[]
    >;
  };
}

const { distance, findSimilar, createFiles } = (await import(
  pathToFileURL(join(builtInTemplates, 'assets/search-files.js')).href
)) as FilesModule;

test('The distance of two words counts letters that differ, and stops when there are too many', () => {
  expect(distance('kitten', 'sitting')).toBe(3);
  expect(distance('same', 'same')).toBe(0);
  expect(distance('abcdefgh', 'zyxwvuts', 2)).toBeGreaterThan(2);
  expect(findSimilar('acount', ['account', 'amount', 'acount', 'amounts', 'about'], 1)).toEqual([
    ['account', 1],
    ['amount', 1],
  ]);
});

test('Postings are sections with counts; a step of the size of a part leads to another part', async () => {
  const files = createFiles(async () => [['term', [0, 2, -3, 9], [], [1]]], {
    starts: [0, 5, 8],
    sectionBits: 3,
    stem: null,
  });
  const [file] = await files.read(['a']);
  expect(file?.postings('term')).toEqual([
    { sections: [0, 2, 6], counts: [1, 3, 1] },
    { sections: [], counts: [] },
    { sections: [1], counts: [1] },
  ]);
});

test.each([
  ['a count without a section', [-3]],
  ['two counts of one section', [0, -3, -2]],
  ['a count larger than any, as a step back to an earlier part is', [9, -256]],
  ['a count of one', [0, -1]],
  ['the same section twice', [2, 0]],
  ['a section behind the last one of its part', [5]],
  ['a part behind the last one', [16]],
  ['something else than a number', ['x']],
])('Postings with %s are refused', async (_what, list) => {
  const files = createFiles(async () => [['term', list]], { starts: [0, 5, 8], sectionBits: 3, stem: null });
  const [file] = await files.read(['a']);
  expect(() => file?.postings('term')).toThrow('The search index is damaged');
});

test('Term files that were not used for long are dropped from memory, and read again', async () => {
  const loads: string[] = [];
  const files = createFiles(
    async (url) => {
      loads.push(url);
      return [[url, [0]]];
    },
    { starts: [0, 1], sectionBits: 3, stem: null },
  );
  await files.read(['first']);
  await files.read(['first']);
  expect(loads).toEqual(['first']);
  for (let at = 0; at < 64; at += 1) await files.read([`file ${at}`]);
  expect(files.isLoaded('first')).toBe(false);
  expect(files.isLoaded('file 63')).toBe(true);
  expect((await files.read(['first']))[0]?.terms).toEqual(['first']);
  expect(loads.filter((url) => url === 'first')).toHaveLength(2);
});
