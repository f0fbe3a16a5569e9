import { describe, expect, it } from 'vitest';
import { partOf, searchBits } from '../../../src/site/plan/parts.ts';
import { planSite } from '../../../src/site/plan/plan-site.ts';
import { article, knowledgeBase, translation } from '../../support/knowledge-base.ts';
import { fc } from '../../support/properties.ts';

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
const anySize = fc.integer({ min: 1, max: 16 });

describe('searchBits', () => {
  it('makes parts of the search index whose number comes nearest to the wanted size', {
    tags: 'property',
  }, () => {
    fc.assert(
      fc.property(anyArticles, anySize, (articles, wanted) => {
        const plan = planOf(articles);
        const pages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
        const size = pages / 2 ** searchBits(plan, wanted);
        // Half of them, or twice as many, would be further from it.
        if (size > wanted) expect(size / wanted).toBeLessThanOrEqual(Math.SQRT2);
        else if (pages >= wanted) expect(wanted / size).toBeLessThanOrEqual(Math.SQRT2);
      }),
    );
  });

  it('depends only on the number of pages, not on their content', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), anySize, (count, size) => {
        const one = searchBits(planOf(english(count, 'a')), size);
        expect(searchBits(planOf(english(count, 'z')), size)).toBe(one);
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
    expect(searchBits(planOf(english(128)))).toBe(0);
    expect(searchBits(planOf(translated))).toBe(2);
  });

  it('divides evenly', () => {
    const plan = planOf(english(2048));
    expect(searchBits(plan)).toBe(4);
    const ids = [...plan.articles.keys()];
    const sizes = Array.from({ length: 16 }, (_, part) => ids.filter((id) => partOf(id, 4) === part).length);
    expect(Math.min(...sizes)).toBeGreaterThan(64);
    expect(Math.max(...sizes)).toBeLessThan(192);
  });
});
