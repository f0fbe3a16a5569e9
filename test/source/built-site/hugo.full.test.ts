import { expect, it } from 'vitest';
import { buildWithProgram, measureFeed, shownText } from '../../support/generated-sites.ts';
import { listFaults, type SiteMeasure } from '../../support/site-gate.ts';
import { describeWith } from '../../support/tools.ts';

describeWith('hugo', 'the feed of a site that Hugo built', (hugo) => {
  let measure: SiteMeasure;

  it('has the text, code, images, links, URLs and languages of each page, and nothing of its navigation', async () => {
    const root = await buildWithProgram('hugo', hugo, ['--destination', 'OUT', '--noBuildLock', '--quiet']);
    measure = await measureFeed(root, 'https://docs.example.com/manual/', shownText.hugo);
    expect(listFaults(measure)).toEqual([]);
  });

  it('has every page but those that only list, redirect, or ask not to be found', () => {
    expect(measure.pages.map(({ file }) => file)).toEqual([
      'de/guide/index.html',
      'de/guide/start/index.html',
      'de/index.html',
      'guide/index.html',
      'guide/parts/index.html',
      'guide/start/index.html',
      'index.html',
      'posts/news-1/index.html',
      'posts/news-2/index.html',
      'posts/news-3/index.html',
    ]);
  });
});
