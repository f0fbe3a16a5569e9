import { describe, expect, it } from 'vitest';
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

const guard = { maxDropPercent: 20, languages: null };

describe('a run on top of a previous feed', () => {
  it('stops when more of the feed would go than is believed', async () => {
    const previous = await buildSample(siteOf(10));
    await expect(buildSample(siteOf(7), { previous, guard })).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: 'the feed would hold 7 documents, and the previous one holds 10: a loss of more than 20 %',
    });
  });

  it('stops when one language would lose more than is believed', async () => {
    const previous = await buildSample(siteOf(20, 3));
    await expect(buildSample(siteOf(20, 1), { previous, guard })).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: expect.stringContaining('1 documents in de'),
    });
  });

  it('goes on when little goes, when it is told to believe it, and when there is no previous feed', async () => {
    const previous = await buildSample(siteOf(10));
    await buildSample(siteOf(8), { previous, guard });
    await buildSample(siteOf(1), { previous, guard: null });
    await buildSample(siteOf(1), { guard });
  });

  it('takes a language that is no longer wanted for no loss', async () => {
    const previous = await buildSample(siteOf(10, 10));
    const wanted = { maxDropPercent: 20, languages: ['en'] };
    await buildSample(siteOf(10), { previous, guard: wanted });
    await expect(buildSample(siteOf(10), { previous, guard })).rejects.toMatchObject({ code: 'MASS_DELETE' });
  });
});
