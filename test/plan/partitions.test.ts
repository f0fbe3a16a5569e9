import { describe, expect, it } from 'vitest';
import {
  fileBits,
  type Partitions,
  partitionName,
  partitionOf,
  planPartitions,
} from '../../src/plan/partitions.ts';
import { planSite } from '../../src/plan/plan-site.ts';
import { article, knowledgeBase, translation } from '../support/knowledge-base.ts';
import { fc } from '../support/properties.ts';

const urls = { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' };

/** Plans articles, each in some languages. */
function planOf(articles: ReadonlyMap<string, readonly string[]>) {
  const written = [...articles].map(([id, languages]) =>
    article(
      id,
      languages.map((language) => translation(language, `Title of ${id}`)),
    ),
  );
  const settings = { siteUrl: 'https://help.example.com', siteTitle: 'Help', languages: undefined, urls };
  return planSite(knowledgeBase(written), settings).plan;
}

const idOf = (number: number, prefix = 'a') => `${prefix}${String(number).padStart(9, '0')}`;

/** So many articles in English. */
function english(count: number, prefix?: string): ReadonlyMap<string, readonly string[]> {
  return new Map(Array.from({ length: count }, (_none, at) => [idOf(at, prefix), ['en']]));
}

const idsOf = ({ articleIds }: Partitions) => articleIds.flat();
const anyArticles = fc
  .uniqueArray(fc.tuple(fc.nat(999_999), fc.subarray(['de', 'en', 'ja'], { minLength: 1 })), {
    selector: ([number]) => number,
    minLength: 1,
    maxLength: 60,
  })
  .map((articles) => new Map(articles.map(([number, languages]) => [idOf(number), languages] as const)));
const anySizes = fc.record({
  pages: fc.integer({ min: 1, max: 16 }),
  documents: fc.integer({ min: 1, max: 16 }),
});

describe('planPartitions', () => {
  it('puts every article into exactly one of a power of two of partitions', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyArticles, anySizes, (articles, sizes) => {
        const plan = planOf(articles);
        const partitions = planPartitions(plan, sizes);
        expect(partitions.articleIds).toHaveLength(2 ** partitions.bits);
        expect(idsOf(partitions).toSorted()).toEqual([...plan.articles.keys()]);
        for (const [partition, ids] of partitions.articleIds.entries()) {
          for (const id of ids) expect(partitionOf(id, partitions.bits)).toBe(partition);
          const sliceOf = (id: string) => partitionOf(id, partitions.sliceBits);
          expect(ids).toEqual(ids.toSorted().sort((a, b) => sliceOf(a) - sliceOf(b)));
        }
      }),
    );
  });

  it('makes partitions whose number comes nearest to the wanted size', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyArticles, anySizes, (articles, sizes) => {
        const plan = planOf(articles);
        const pages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
        const size = pages / 2 ** planPartitions(plan, sizes).bits;
        // Half of them, or twice as many, would be further from it.
        if (size > sizes.pages) expect(size / sizes.pages).toBeLessThanOrEqual(Math.SQRT2);
        else if (pages >= sizes.pages) expect(sizes.pages / size).toBeLessThanOrEqual(Math.SQRT2);
      }),
    );
  });

  it('depends only on the number of pages, not on their content', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), anySizes, (count, sizes) => {
        const one = planPartitions(planOf(english(count, 'a')), sizes);
        const other = planPartitions(planOf(english(count, 'z')), sizes);
        expect([other.bits, other.fileBits]).toEqual([one.bits, one.fileBits]);
      }),
    );
  });

  it('does not move an article if others are added or removed', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyArticles, anyArticles, anySizes, (before, after, sizes) => {
        const [old, now] = [before, after].map((articles) => planPartitions(planOf(articles), sizes));
        if (old === undefined || now === undefined || old.bits !== now.bits) return;
        for (const [partition, ids] of old.articleIds.entries()) {
          const left = ids.filter((id) => after.has(id));
          expect(now.articleIds[partition]).toEqual(expect.arrayContaining(left));
        }
      }),
    );
  });

  it('splits every partition in two when there are twice as many', () => {
    const ids = [...english(500).keys()];
    for (const bits of [0, 1, 2, 5]) {
      for (const id of ids) expect(partitionOf(id, bits + 1) >>> 1).toBe(partitionOf(id, bits));
    }
  });

  it('counts pages in all languages, so that partitions take about as long to render', () => {
    const languages = ['de', 'en', 'fr', 'ja'];
    const translated = new Map([...english(128).keys()].map((id) => [id, languages]));
    expect(planPartitions(planOf(english(128))).bits).toBe(0);
    expect(planPartitions(planOf(translated)).bits).toBe(2);
  });

  it('divides evenly', () => {
    const { bits, articleIds } = planPartitions(planOf(english(2048)));
    expect(bits).toBe(4);
    const sizes = articleIds.map((ids) => ids.length);
    expect(Math.min(...sizes)).toBeGreaterThan(64);
    expect(Math.max(...sizes)).toBeLessThan(192);
  });
});

describe('the files of the feed', () => {
  const partitionsOf = (count: number, languages: readonly string[]) =>
    planPartitions(planOf(new Map([...english(count)].map(([id]) => [id, languages]))));
  const fifteen = 'en,de,ja,ar,fr,es,it,pt,nl,pl,cs,sv,da,fi,tr'.split(',');

  it('are one of a kind up to 64 documents of a language, and of a few above that', () => {
    const bitsOf = (count: number) => partitionsOf(count, fifteen).fileBits.get('de');
    expect([64, 65, 147, 300].map(bitsOf)).toEqual([0, 5, 6, 6]);
  });

  it('are larger in large languages, so that the manifest stays smaller than its savings', () => {
    const sizeOf = (count: number) => Math.round(count / 2 ** fileBits(count));
    expect([100, 1_000, 10_000, 100_000].map(sizeOf)).toEqual([2, 8, 20, 49]);
  });

  it('may be smaller than partitions, which then have slices', () => {
    const bitsOf = (count: number) => {
      const { bits, sliceBits, fileBits } = partitionsOf(count, ['en']);
      return [bits, sliceBits, fileBits.get('en')];
    };
    expect([64, 100, 800].map(bitsOf)).toEqual([
      [0, 0, 0],
      [0, 6, 6],
      [3, 7, 7],
    ]);
  });

  it('are larger than partitions in sites of many languages and few articles', () => {
    const { bits, sliceBits, fileBits } = partitionsOf(60, fifteen);
    expect([bits, sliceBits, fileBits.get('en')]).toEqual([3, 3, 0]);
  });

  it('are divided per language, by the number of its documents', () => {
    const articles = new Map([...english(600)].map(([id], at) => [id, at < 60 ? ['de', 'en'] : ['en']]));
    const { bits, fileBits } = planPartitions(planOf(articles));
    expect([bits, Object.fromEntries(fileBits)]).toEqual([2, { en: 7, de: 0 }]);
  });

  it('are one source page up to 256 documents, then one per language up to 256, and of eight files of records above that', () => {
    const sourceOf = (count: number, languages: readonly string[]) => {
      const { isSourceWhole, sourceBits } = partitionsOf(count, languages);
      return [isSourceWhole, sourceBits.get('en')];
    };
    expect(sourceOf(256, ['en'])).toEqual([true, 0]);
    expect(sourceOf(257, ['en'])).toEqual([false, 3]);
    expect(sourceOf(17, fifteen)).toEqual([true, 0]);
    expect(sourceOf(18, fifteen)).toEqual([false, 0]);
    expect(sourceOf(256, fifteen)).toEqual([false, 0]);
    expect(sourceOf(257, fifteen)).toEqual([false, 3]);
    expect(sourceOf(600, fifteen)).toEqual([false, 4]);
  });

  it('are whole slices', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyArticles, anySizes, (articles, sizes) => {
        const plan = planOf(articles);
        const { bits, sliceBits, fileBits, sourceBits } = planPartitions(plan, sizes);
        expect(bits).toBeLessThanOrEqual(sliceBits);
        expect([...fileBits.keys()]).toEqual(plan.languages.map(({ tag }) => tag));
        for (const { tag } of plan.languages) {
          const [ofRecords = Number.NaN, ofSource = Number.NaN] = [fileBits.get(tag), sourceBits.get(tag)];
          expect(ofRecords).toBeLessThanOrEqual(sliceBits);
          expect(ofSource).toBeLessThanOrEqual(ofRecords);
        }
      }),
    );
  });
});

describe('the name of a partition', () => {
  it('is its bits in hex, as many digits as the last one needs', () => {
    const names = (bits: number, ...partitions: readonly number[]) =>
      partitions.map((partition) => partitionName(partition, bits));
    expect(names(1, 0, 1)).toEqual(['0', '1']);
    expect(names(4, 0, 10, 15)).toEqual(['0', 'a', 'f']);
    expect(names(5, 0, 10, 31)).toEqual(['00', '0a', '1f']);
    expect(names(12, 0, 4095)).toEqual(['000', 'fff']);
  });

  it('is empty if there is only one', () => {
    expect(partitionName(0, 0)).toBe('');
  });

  it('is the start of the hash of its articles’ ids if it has whole digits', () => {
    // sha256sum of "aaaaaaaaaa" begins with bf2cb58a.
    expect(partitionName(partitionOf('aaaaaaaaaa', 8), 8)).toBe('bf');
    expect(partitionName(partitionOf('aaaaaaaaaa', 12), 12)).toBe('bf2');
    expect(partitionOf('aaaaaaaaaa', 0)).toBe(0);
    expect(partitionOf('aaaaaaaaaa', 1)).toBe(1);
  });
});
