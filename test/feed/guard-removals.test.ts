import { describe, expect, it } from 'vitest';
import { addDayCounts } from '../../src/feed/guard/guard-removals.ts';
import { buildSample } from './support/build-sample.ts';
import type { SampleSite } from './support/sample-plan.ts';

/** A site of numbered articles; the first `translated` of them in German too. */
function siteOf(count: number, translated = 0): SampleSite {
  const articles = Array.from({ length: count }, (_, index) => {
    const page = (title: string) => ({ title, markdown: `${title}.\n` });
    const pages = index < translated ? { en: page('One'), de: page('Eins') } : { en: page('One') };
    return { id: `article${String(index).padStart(3, '0')}`, pages };
  });
  return { languages: translated > 0 ? ['en', 'de'] : ['en'], articles };
}

const guard = { maxDropPercent: 20 };

describe('a run on top of a previous feed', () => {
  it('stops when the feed would lose more than the limit', async () => {
    const previous = await buildSample(siteOf(10));
    await expect(buildSample(siteOf(7), { previous, ...guard })).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: expect.stringMatching(
        /^7 documents, down from 10 in the previous feed: a drop of more than 20%(?:\n {2}\S+){3}$/,
      ),
    });
  });

  it('stops when one language would lose more than the limit', async () => {
    const previous = await buildSample(siteOf(20, 3));
    await expect(buildSample(siteOf(20, 1), { previous, ...guard })).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: expect.stringContaining('1 document in de, down from '),
    });
  });

  it('continues when little is lost, when the loss is allowed, and when there is no previous feed', async () => {
    const previous = await buildSample(siteOf(10));
    await buildSample(siteOf(8), { previous, ...guard });
    await buildSample(siteOf(1), { previous, maxDropPercent: null });
    await buildSample(siteOf(1), guard);
  });

  it('continues when one article of few is lost in every language, and stops at two', async () => {
    const previous = await buildSample(siteOf(4, 4));
    await buildSample(siteOf(3, 3), { previous, ...guard });
    await expect(buildSample(siteOf(2, 2), { previous, ...guard })).rejects.toMatchObject({
      code: 'MASS_DELETE',
    });
  });

  it('stops when nothing of the previous feed is left, as with another source', async () => {
    const previous = await buildSample(siteOf(3, 3));
    const others = siteOf(3, 3).articles.map(({ id, pages }) => ({
      id: id.replace('article', 'another'),
      pages,
    }));
    const other = { ...siteOf(3, 3), articles: others };
    await expect(buildSample(other, { previous, ...guard })).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: 'none of the 6 documents in the previous feed is left, and 6 others would replace them',
    });
    await expect(
      buildSample({ ...other, articles: others.slice(1) }, { previous, ...guard }),
    ).rejects.toMatchObject({
      message: 'none of the 6 documents in the previous feed is left, and 4 others would replace them',
      hint: expect.stringContaining('to replace the site, pass --allow-mass-delete once'),
    });
    const [first, ...rest] = others;
    const [kept] = siteOf(3, 3).articles;
    if (first === undefined || kept === undefined) throw new Error('there are three articles');
    await buildSample({ ...other, articles: [kept, ...rest] }, { previous, ...guard });
    await buildSample(other, { previous, maxDropPercent: null });
  });

  it('stops when the configuration drops a language, but not for another spelling of it', async () => {
    const previous = await buildSample(siteOf(10, 10));
    await expect(buildSample(siteOf(10), { previous, ...guard, languages: ['en'] })).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: 'de is published (10 documents), but "languages" does not include it',
    });
    await expect(buildSample(siteOf(10), { previous, ...guard })).rejects.toMatchObject({
      code: 'MASS_DELETE',
    });
    await buildSample(siteOf(10, 10), { previous, ...guard, languages: ['EN', 'DE'] });
  });
});

describe('the counts a feed remembers', () => {
  const on = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();

  it('are the largest of each day', () => {
    const first = addDayCounts(undefined, new Map([['en', 7]]), on(1));
    const second = addDayCounts(
      first,
      new Map([
        ['en', 5],
        ['de', 2],
      ]),
      on(1),
    );
    expect(second).toEqual([{ day: '2026-01-01', languages: { en: 7, de: 2 } }]);
  });

  it('are those of the last 30 days on which it was built', () => {
    let recent = addDayCounts(undefined, new Map([['en', 100]]), on(1));
    for (let day = 2; day <= 62; day += 2) recent = addDayCounts(recent, new Map([['en', day]]), on(day));
    expect(recent).toHaveLength(30);
    expect(recent.at(0)).toEqual({ day: '2026-01-04', languages: { en: 4 } });
    expect(recent.at(-1)).toEqual({ day: '2026-03-03', languages: { en: 62 } });
  });
});
