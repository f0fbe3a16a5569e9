import { describe, expect, it } from 'vitest';
import { openSiteProject, sitePage } from './support/site-source.ts';

describe('a built site as a source', () => {
  it('publishes its pages with the URLs of the site, and links them to each other', async () => {
    const { adapter, read } = openSiteProject({
      'index.html': sitePage({
        title: 'Bikes',
        body: '<p>Read <a href="/guide/chain.html#oil">this</a>.</p>',
      }),
      'guide/chain.html': sitePage({
        title: 'Chain',
        body: '<h2 id="oil">Oil</h2><p>One drop. <a href="../files/plan.pdf">Plan</a></p>',
      }),
      'files/plan.pdf': '%PDF-1.4',
      '404.html': sitePage({ title: 'Not found', body: '<p>Nothing here.</p>' }),
      'old.html': '<meta http-equiv="refresh" content="0; url=/guide/chain.html">',
    });
    const { knowledgeBase, readBodies, stats } = await read();
    const pages = knowledgeBase.articles.flatMap(({ translations }) =>
      translations.map(({ title, sourcePath }) => [sourcePath, title]),
    );
    expect(Object.fromEntries(pages)).toEqual({ '': 'Bikes', 'guide/chain.html': 'Chain' });
    const chain = adapter.toArticleId('guide/chain.html') ?? '';
    expect((await readBodies(adapter.toArticleId('index.html') ?? '')).get('en')).toBe(
      `<p>Read <a href="/article/${chain}#oil">this</a>.</p>`,
    );
    expect((await readBodies(chain)).get('en')).toBe(
      '<h2 id="oil">Oil</h2><p>One drop. <a href="https://folder.invalid/files/plan.pdf">Plan</a></p>',
    );
    expect(stats.excluded).toEqual({ 'not-found': 1, redirect: 1 });
  });
});
