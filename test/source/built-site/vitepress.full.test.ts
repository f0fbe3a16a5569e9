import { expect, it } from 'vitest';
import { buildWithPackages, measureFeed, shownText } from '../../support/generated-sites.ts';
import { listFaults, type SiteMeasure } from '../../support/site-gate.ts';
import { describeOnline } from '../../support/tools.ts';

// Installed from the registry, so that nobody who works on Lectern downloads a generator with it.
describeOnline('the feed of a site that VitePress built (needs a registry)', () => {
  let measure: SiteMeasure;

  it('has the text, code, images, links, URLs and languages of each page, and nothing of its navigation', async () => {
    const packages = ['vitepress@1', 'markdown-it-mathjax3@4', 'markdown-it-footnote@4'];
    const root = await buildWithPackages('vitepress', packages, ['vitepress', 'build', '--outDir', 'OUT']);
    measure = await measureFeed(root, 'https://docs.example.com/', shownText.vitepress);
    expect(listFaults(measure)).toEqual([]);
  });

  it('has every page but those that redirect, are empty, or ask not to be found', () => {
    expect(measure.pages.map(({ file }) => file)).toEqual([
      'de/guide/index.html',
      'de/guide/parts.html',
      'guide/code.html',
      'guide/formulas.html',
      'guide/index.html',
      'guide/parts.html',
      'index.html',
    ]);
  });
});
