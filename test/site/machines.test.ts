import { describe, expect, test } from 'vitest';
import { introductionOf } from '../../src/content/introduction.ts';
import { transform } from '../../src/content/transform.ts';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { noPublicFiles } from '../../src/site/pages/public-files.ts';
import { summarize } from '../../src/site/pages/render-head.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { renderSitemaps } from '../../src/site/pages/sitemaps.ts';
import { settings } from '../content/settings.ts';
import { article } from '../support/knowledge-base.ts';
import { document, planOf, sampleArticles, sampleCategories } from './support/fixture.ts';
import { renderArticle } from './support/render-article.ts';
import { renderOthers } from './support/render-others.ts';

const plan = planOf(sampleArticles, sampleCategories);

async function renderPage(id: string, language: string, body = '<p>Body</p>'): Promise<string> {
  const site = await createSite(plan, siteSettings.parse({}), {
    templatesFolder: null,
    iframeHosts: [],
  });
  return renderArticle(
    site,
    id,
    language,
    document(body, { text: body.replace(/<\/p><p>/g, '\n').replace(/<.*?>/g, '') }),
  ).content.toString();
}

interface Graph {
  readonly '@graph': readonly Readonly<Record<string, unknown>>[];
}

async function graphOf(id: string, language: string): Promise<Graph['@graph']> {
  const page = await renderPage(id, language);
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? '';
  return (JSON.parse(json) as Graph)['@graph'];
}

describe('structured data', () => {
  test('describes site, page, trail and article in one graph', async () => {
    const graph = await graphOf('aaaaaaaaa1', 'en');
    expect(graph.map((node) => node['@type'])).toEqual([
      'WebSite',
      'WebPage',
      'BreadcrumbList',
      'TechArticle',
    ]);
    expect(graph[3]).toMatchObject({
      headline: 'Reset your password',
      inLanguage: 'en',
      dateModified: '2026-03-01T10:00:00.000Z',
      mainEntityOfPage: { '@id': 'https://help.example.com/docs/en/article/aaaaaaaaa1-reset-your-password/' },
    });
    expect(graph[2]?.itemListElement).toMatchObject([
      { name: 'Home', item: 'https://help.example.com/docs/en/' },
      { name: 'Your account' },
      { name: 'Reset your password' },
    ]);
  });

  test('lists what home, category and index list', async () => {
    const site = await createSite(plan, siteSettings.parse({}), { templatesFolder: null, iframeHosts: [] });
    const listed = new Map<string, unknown>();
    for await (const { path, content } of renderOthers(site)) {
      const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(content.toString())?.[1];
      if (!path.startsWith('en/') || json === undefined) continue;
      const page = (JSON.parse(json) as Graph)['@graph'][1];
      listed.set(path, page?.mainEntity);
    }
    const article = 'https://help.example.com/docs/en/article/aaaaaaaaa1-reset-your-password/';
    expect([...listed.keys()].map((path) => path.split('/')[1])).toContain('category');
    for (const [path, list] of listed) {
      expect(list, path).toMatchObject({ '@type': 'ItemList' });
      const text = JSON.stringify(list);
      if (path === 'en/index/index.html') expect(text).toContain(`"url":"${article}"`);
      expect(text, path).toContain('"position":1,"url":"https://help.example.com/docs/');
    }
  });

  test('ties the original and its translations to each other', async () => {
    const original = (await graphOf('aaaaaaaaa1', 'en')).at(-1);
    const translation = (await graphOf('aaaaaaaaa1', 'ja')).at(-1);
    expect(original?.workTranslation).toContainEqual({ '@id': translation?.['@id'] });
    expect(translation?.translationOfWork).toEqual({ '@id': original?.['@id'] });
  });

  test('cannot be closed by a title', async () => {
    const evil = planOf([article('aaaaaaaaa1', { en: '</script><script>alert(1)</script>' })]);
    const site = await createSite(evil, siteSettings.parse({}), {
      templatesFolder: null,
      iframeHosts: [],
    });
    const { content } = renderArticle(site, 'aaaaaaaaa1', 'en', document('<p>Body</p>'));
    expect(content).not.toContain('<script>alert');
  });
});

test('Site and article name their publisher, which is the site itself with its logo', async () => {
  const graph = await graphOf('aaaaaaaaa1', 'en');
  const reference = { '@id': 'https://help.example.com/docs/#organization' };
  expect(graph[0]?.publisher).toEqual({
    '@type': 'Organization',
    ...reference,
    name: 'Acme Help',
    url: 'https://help.example.com/docs',
  });
  expect(graph.at(-1)).toMatchObject({ author: reference, publisher: reference });
  const settings = siteSettings.parse({ logo: '/logo.svg' });
  const site = await createSite(plan, settings, {
    templatesFolder: null,
    iframeHosts: [],
    publicFiles: { ...noPublicFiles, paths: new Set(['logo.svg']) },
  });
  expect(renderArticle(site, 'aaaaaaaaa1', 'ja', document('<p>文</p>')).content).toContain(
    '"name":"Acme Help","url":"https://help.example.com/docs","logo":"https://help.example.com/docs/logo.svg"',
  );
});

test('A page names the image it is shared with, per language', async () => {
  const settings = siteSettings.parse({ ogImage: { en: '/share.png', ja: '/share-ja.png' } });
  const publicFiles = { ...noPublicFiles, paths: new Set(['share.png', 'share-ja.png']) };
  const options = { templatesFolder: null, iframeHosts: [] };
  const site = await createSite(plan, settings, { ...options, publicFiles });
  const page = (language: string) =>
    renderArticle(site, 'aaaaaaaaa1', language, document('<p>x</p>')).content;
  expect(page('ja')).toContain(
    '<meta property="og:image" content="https://help.example.com/docs/share-ja.png">',
  );
  expect(page('ar')).toContain(
    '<meta property="og:image" content="https://help.example.com/docs/share.png">',
  );
  expect(page('en')).toContain('<meta name="twitter:card" content="summary_large_image">');
  await expect(createSite(plan, settings, options)).rejects.toMatchObject({ code: 'SITE_FILE_MISSING' });
});

test('A title that several articles have is distinguished by the category', async () => {
  const twins = planOf(
    [
      article('aaaaaaaaa1', { en: 'Overview' }, { categoryId: 'ccccccccc1' }),
      article('aaaaaaaaa2', { en: 'Overview' }, { categoryId: 'ccccccccc2' }),
      article('aaaaaaaaa3', { en: 'Overview' }),
      article('aaaaaaaaa4', { en: 'Prices' }, { categoryId: 'ccccccccc2' }),
    ],
    sampleCategories,
  );
  const site = await createSite(twins, siteSettings.parse({}), {
    templatesFolder: null,
    iframeHosts: [],
  });
  const titles = ['aaaaaaaaa1', 'aaaaaaaaa2', 'aaaaaaaaa3', 'aaaaaaaaa4'].map((id) => {
    const { content } = renderArticle(site, id, 'en', document('<p>x</p>'));
    return /<title>(.*)<\/title>/.exec(content.toString())?.[1];
  });
  expect(titles).toEqual([
    'Overview · Your account · Acme Help',
    'Overview · Billing · Acme Help',
    'Overview · Acme Help',
    'Prices · Acme Help',
  ]);
});

test('A page names its Markdown twin and the feed of updates', async () => {
  const page = await renderPage('aaaaaaaaa1', 'en');
  expect(page).toContain(
    '<link rel="alternate" href="/docs/en/article/aaaaaaaaa1-reset-your-password/index.html.md" type="text/markdown">',
  );
  expect(page).toContain('<link rel="alternate" href="/docs/en/updates.atom" type="application/atom+xml"');
});

describe('the Atom feed', () => {
  test('lists the latest updates first and the time of the newest', async () => {
    const site = await createSite(plan, siteSettings.parse({}), {
      templatesFolder: null,
      iframeHosts: [],
    });
    let feed = '';
    for await (const { path, content } of renderOthers(site))
      if (path === 'en/updates.atom') feed = content.toString();
    expect([...feed.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title)).toEqual([
      'Acme Help',
      'Change your email &amp; name',
      'Reset your password',
    ]);
    expect(feed).toContain('<updated>2026-05-01T10:00:00.000Z</updated>\n<author>');
  });
});

describe('sitemaps', () => {
  const pages = Array.from({ length: 10 }, (_, index) =>
    article(`aaaaaaaaa${index}`, { en: `Page ${index}` }),
  );

  test('are split by count', () => {
    const files = [...renderSitemaps(planOf(pages), { maxUrls: 5, maxBytes: 1e6 })];
    expect(files.map(({ path }) => path)).toEqual([
      'sitemaps/en.xml',
      'sitemaps/en.2.xml',
      'sitemaps/en.3.xml',
      'sitemap.xml',
    ]);
    expect(files.map(({ content }) => content.toString().match(/<url>/g)?.length ?? 0)).toEqual([5, 5, 2, 0]);
    expect(
      files
        .at(-1)
        ?.content.toString()
        .match(/<sitemap>/g),
    ).toHaveLength(3);
  });

  test('are split by bytes', () => {
    const files = [...renderSitemaps(planOf(pages), { maxUrls: 1000, maxBytes: 500 })];
    for (const { content } of files.slice(0, -1)) {
      const entries =
        content
          .toString()
          .match(/<url>.*\n/g)
          ?.join('') ?? '';
      expect(Buffer.byteLength(entries)).toBeLessThanOrEqual(500);
    }
    expect(files.length).toBeGreaterThan(2);
  });

  test('are not written if the site URL is unknown', () => {
    expect([...renderSitemaps(planOf(pages, [], null))]).toEqual([]);
  });
});

describe('a description', () => {
  test('is cut at a word', () => {
    expect(summarize('one two  three\nfour', 12)).toBe('one two…');
    expect(summarize('short', 12)).toBe('short');
  });

  test('names neither a list of the headings of its page nor lines without a word', () => {
    const list =
      '<ol><li><a href="#setup">Setup</a><ul><li><a href="#old">Old phones</a></li></ul></li></ol>';
    const body = `<p>.</p><p>In this article:</p>${list}<p>Get it running:</p><ul><li>Ask us</li></ul><h2>Setup</h2><h3>Old phones</h3>`;
    expect(introductionOf(transform(body, settings()))).toBe('Get it running:\n- Ask us\nSetup\nOld phones');
  });

  test('starts with the first line of the body that has a word', async () => {
    const [untold] = sampleArticles.filter(({ translations }) => translations[0]?.description === null);
    const page = await renderPage(untold?.id ?? '', 'en', '<p>.</p><p>Get it running</p>');
    expect(page).toContain('<meta name="description" content="Get it running">');
  });

  test('never ends in half a character', () => {
    expect(summarize('😀😀😀😀', 3)).toBe('😀…');
  });
});
