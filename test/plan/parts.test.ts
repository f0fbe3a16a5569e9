import { describe, expect, it } from 'vitest';
import { fileBits, partOf, planParts } from '../../src/plan/parts.ts';
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

describe('planParts', () => {
  it('orders articles by the leading bits of their hashes, then by id', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyArticles, anySizes, (articles, sizes) => {
        const plan = planOf(articles);
        const { order, searchBits, fileBits, sourceBits } = planParts(plan, sizes);
        expect(order.toSorted()).toEqual([...plan.articles.keys()]);
        const bits = Math.max(searchBits, ...fileBits.values());
        expect(order).toEqual(order.toSorted().sort((a, b) => partOf(a, bits) - partOf(b, bits)));
        expect([...fileBits.keys()]).toEqual(plan.languages.map(({ tag }) => tag));
        for (const [tag, ofSource] of sourceBits)
          expect(ofSource).toBeLessThanOrEqual(fileBits.get(tag) ?? -1);
      }),
    );
  });

  it('makes parts of the search index whose number comes nearest to the wanted size', {
    tags: 'property',
  }, () => {
    fc.assert(
      fc.property(anyArticles, anySizes, (articles, sizes) => {
        const plan = planOf(articles);
        const pages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
        const size = pages / 2 ** planParts(plan, sizes).searchBits;
        // Half of them, or twice as many, would be further from it.
        if (size > sizes.pages) expect(size / sizes.pages).toBeLessThanOrEqual(Math.SQRT2);
        else if (pages >= sizes.pages) expect(sizes.pages / size).toBeLessThanOrEqual(Math.SQRT2);
      }),
    );
  });

  it('depends only on the number of pages, not on their content', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), anySizes, (count, sizes) => {
        const one = planParts(planOf(english(count, 'a')), sizes);
        const other = planParts(planOf(english(count, 'z')), sizes);
        expect([other.searchBits, other.fileBits]).toEqual([one.searchBits, one.fileBits]);
      }),
    );
  });

  it('keeps the order of the other articles if some are added or removed', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyArticles, anyArticles, anySizes, (before, after, sizes) => {
        const [old, now] = [before, after].map((articles) => planParts(planOf(articles), sizes));
        if (old === undefined || now === undefined || old.searchBits !== now.searchBits) return;
        if (Math.max(...old.fileBits.values()) !== Math.max(...now.fileBits.values())) return;
        expect(now.order.filter((id) => before.has(id))).toEqual(old.order.filter((id) => after.has(id)));
      }),
    );
  });

  it('splits every part in two when there are twice as many', () => {
    const ids = [...english(500).keys()];
    for (const bits of [0, 1, 2, 5]) {
      for (const id of ids) expect(partOf(id, bits + 1) >>> 1).toBe(partOf(id, bits));
    }
  });

  it('counts pages in all languages', () => {
    const languages = ['de', 'en', 'fr', 'ja'];
    const translated = new Map([...english(128).keys()].map((id) => [id, languages]));
    expect(planParts(planOf(english(128))).searchBits).toBe(0);
    expect(planParts(planOf(translated)).searchBits).toBe(2);
  });

  it('divides evenly', () => {
    const { searchBits, order } = planParts(planOf(english(2048)));
    expect(searchBits).toBe(4);
    const sizes = Array.from(
      { length: 16 },
      (_, part) => order.filter((id) => partOf(id, 4) === part).length,
    );
    expect(Math.min(...sizes)).toBeGreaterThan(64);
    expect(Math.max(...sizes)).toBeLessThan(192);
  });
});

describe('the files of the feed', () => {
  const partsOf = (count: number, languages: readonly string[]) =>
    planParts(planOf(new Map([...english(count)].map(([id]) => [id, languages]))));
  const fifteen = 'en,de,ja,ar,fr,es,it,pt,nl,pl,cs,sv,da,fi,tr'.split(',');

  it('are one of a kind up to 64 documents of a language, and of a few above that', () => {
    const bitsOf = (count: number) => partsOf(count, fifteen).fileBits.get('de');
    expect([64, 65, 147, 300].map(bitsOf)).toEqual([0, 5, 6, 6]);
  });

  it('are larger in large languages, so that the manifest stays smaller than its savings', () => {
    const sizeOf = (count: number) => Math.round(count / 2 ** fileBits(count));
    expect([100, 1_000, 10_000, 100_000].map(sizeOf)).toEqual([2, 8, 20, 49]);
  });

  it('may be smaller or larger than parts of the search index', () => {
    const bitsOf = (count: number, languages = ['en']) => {
      const { searchBits, fileBits } = partsOf(count, languages);
      return [searchBits, fileBits.get('en')];
    };
    expect([64, 100, 800].map((count) => bitsOf(count))).toEqual([
      [0, 0],
      [0, 6],
      [3, 7],
    ]);
    expect(bitsOf(60, fifteen)).toEqual([3, 0]);
  });

  it('are divided per language, by the number of its documents', () => {
    const articles = new Map([...english(600)].map(([id], at) => [id, at < 60 ? ['de', 'en'] : ['en']]));
    const { searchBits, fileBits } = planParts(planOf(articles));
    expect([searchBits, Object.fromEntries(fileBits)]).toEqual([2, { en: 7, de: 0 }]);
  });

  it('are one source page up to 256 documents, then one per language up to 256, and of eight files of records above that', () => {
    const sourceOf = (count: number, languages: readonly string[]) => {
      const { isSourceWhole, sourceBits } = partsOf(count, languages);
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
});
