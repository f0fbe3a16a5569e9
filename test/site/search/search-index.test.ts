import { describe, expect, test } from 'vitest';
import { openLastIndex } from '../../../src/site/search/last-index.ts';
import { packPosting, sectionOf } from '../../../src/site/search/posting.ts';
import type { Scratch } from '../../../src/site/search/scratch.ts';
import type { SearchEntry } from '../../../src/site/search/search-entry.ts';
import { createSearchIndex } from '../../../src/site/search/search-index.ts';
import { fc } from '../../support/properties.ts';

const limits = { termBytes: 2000, articlesPerFile: 3 };

interface MemoryScratch extends Scratch {
  /** Bytes taken so far. */
  size(): number;
}

function createMemoryScratch(): MemoryScratch {
  let bytes = Buffer.alloc(0);
  return {
    append(piece) {
      bytes = Buffer.concat([bytes, piece]);
      return bytes.length - piece.length;
    },
    read: (position, length) => new Uint8Array(bytes.subarray(position, position + length)),
    size: () => bytes.length,
  };
}

/** An article with a rare term, common ones and counts of every size, in three sections. */
function entry(index: number): SearchEntry {
  const terms = ['common', `rare${index}`, `some${index % 7}`, '言葉', `\u{20000}${index % 3}`];
  const postings = terms.flatMap((_, term) =>
    [0, 1, 2].flatMap((section) => [
      term,
      packPosting(section, section === 0 ? 0 : 1, 1 + ((index * 31 + term * 7) % 300)),
      ...(term % 2 === 0 ? [term, packPosting(section, 3, 1)] : []),
    ]),
  );
  const article = JSON.stringify([`/en/${index}/`, `Title ${index} 題`, '']);
  return { article, lengths: 'Aab', terms: terms.join('\n'), postings: Uint32Array.from(postings) };
}

function filesOf(memory: { readonly scratch: Scratch | null; readonly bytes: number }, count: number) {
  const index = createSearchIndex('assets/search/en', memory, limits);
  for (let at = 0; at < count; at += 1) index.add(entry(at));
  return [...index.files('en/search/index.json', '/docs', { searchNone: 'Nothing' })].map(
    ({ path, content }) => [path, Buffer.from(content).toString('utf8')] as const,
  );
}

describe('an index that moves what it holds to a scratch', () => {
  test.each([0, 1, 2, 3, 50, 200])('writes the same files of %i articles as one in memory', (count) => {
    const inMemory = filesOf({ scratch: null, bytes: 0 }, count);
    for (const bytes of [0, 1000, 20_000, 10_000_000]) {
      expect(filesOf({ scratch: createMemoryScratch(), bytes }, count), `${bytes} bytes`).toEqual(inMemory);
    }
  });

  test('leaves the scratch alone while its memory is enough', () => {
    const scratch = createMemoryScratch();
    filesOf({ scratch, bytes: 10_000_000 }, 50);
    expect(scratch.size()).toBe(0);
    filesOf({ scratch, bytes: 1000 }, 50);
    expect(scratch.size()).toBeGreaterThan(0);
  });
});

test('The files of an index list terms in order, with distances between sections per field', () => {
  const files = new Map(filesOf({ scratch: null, bytes: 0 }, 2));
  const manifest = JSON.parse(files.get('en/search/index.json') ?? '');
  expect(manifest.lengths).toBe('AabAab');
  const [[first, href]] = manifest.termFiles;
  const terms = JSON.parse(files.get(href.slice('/docs/'.length)) ?? '');
  expect(first).toBe('common');
  expect(terms.map(([term]: readonly [string]) => term)).toEqual(
    ['common', 'rare0', 'rare1', 'some0', 'some1', '言葉', '\u{20000}0', '\u{20000}1'].sort(),
  );
  expect(terms[0]).toEqual(['common', [1, 3, -32], [2, 1, 2, -32, 1, -32], [], [1, 1, 1, 1, 1, 1]]);
});

describe('an index with articles of the last one', () => {
  const noMemory = { scratch: null, bytes: 0 };
  /** Builds an index of articles; those that `repeats` names by their place in the last index come from there. */
  function build(
    articles: readonly SearchEntry[],
    last: ReadonlyMap<string, string> | null = null,
    repeats: ReadonlyMap<number, number> = new Map(),
  ): ReadonlyMap<string, string> {
    const read = (path: string) => Buffer.from(last?.get(path) ?? '');
    const index = createSearchIndex('assets/search/en', noMemory, limits, () =>
      openLastIndex('en/search/index.json', '/docs', read),
    );
    for (const [at, article] of articles.entries()) {
      const position = repeats.get(at);
      if (position === undefined) index.add(article);
      else index.repeat(position);
    }
    const files = index.files('en/search/index.json', '/docs', { searchNone: 'Nothing' });
    return new Map([...files].map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]));
  }
  /** An article of one to three sections, so that others move up and down. */
  const shortened = (index: number, sections: number): SearchEntry => {
    const whole = entry(index);
    const pairs = Array.from({ length: whole.postings.length / 2 }, (_none, at) => [
      whole.postings[2 * at] as number,
      whole.postings[2 * at + 1] as number,
    ]);
    const postings = pairs.filter(([, packed]) => sectionOf(packed as number) < sections).flat();
    return { ...whole, lengths: whole.lengths.slice(0, sections), postings: Uint32Array.from(postings) };
  };

  test('is the same as one made of all of them', { tags: 'property' }, () => {
    const anyArticle = fc.record({ id: fc.nat(30), sections: fc.integer({ min: 1, max: 3 }) });
    const anyArticles = fc.uniqueArray(anyArticle, { selector: ({ id }) => id, maxLength: 20 });
    const sorted = (articles: readonly { id: number; sections: number }[]) =>
      articles.toSorted((a, b) => a.id - b.id);
    fc.assert(
      fc.property(anyArticles, anyArticles, fc.nat(), (before, after, kept) => {
        const [old, now] = [sorted(before), sorted(after)];
        const made = (articles: typeof old) => articles.map(({ id, sections }) => shortened(id, sections));
        const repeats = new Map<number, number>();
        for (const [at, { id, sections }] of now.entries()) {
          const position = old.findIndex((other) => other.id === id && other.sections === sections);
          if (position >= 0 && (kept >> (id % 8)) % 2 === 0) repeats.set(at, position);
        }
        expect(build(made(now), build(made(old)), repeats)).toEqual(build(made(now)));
      }),
    );
  });

  test('refuses a piece that is not what its name says', () => {
    const last = new Map(build([entry(0), entry(1)]));
    for (const path of last.keys()) if (path.startsWith('assets/')) last.set(path, '["x"]\n');
    expect(() => build([entry(0)], last, new Map([[0, 0]]))).toThrow('is not what its name says');
  });
});
