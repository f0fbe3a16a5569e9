import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { introductionOf } from '../../src/content/introduction.ts';
import { transform } from '../../src/content/transform.ts';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import type { Article } from '../../src/core/model.ts';
import type { RenderedFile } from '../../src/site/pages/assets.ts';
import { brandPictures } from '../../src/site/pages/brand-pictures.ts';
import { createSite, type Site } from '../../src/site/pages/site.ts';
import type { Plan } from '../../src/site/plan/plan.ts';
import { settings } from '../content/settings.ts';
import { article, category } from '../support/knowledge-base.ts';
import { document, planOf } from './support/fixture.ts';
import { renderArticle } from './support/render-article.ts';
import { renderOthers } from './support/render-others.ts';

type Given = Parameters<typeof siteSettings.parse>[0];

function siteOf(plan: Plan, given: Given = {}): Promise<Site> {
  return createSite(plan, siteSettings.parse(given), {
    templatesFolder: null,
    iframeHosts: [],
  });
}

async function pagesOf(plan: Plan, given: Given = {}): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, content } of renderOthers(await siteOf(plan, given)))
    files.set(path, content.toString());
  return files;
}

const titles = ['Start', 'Billing', 'Team', 'Devices', 'Reports', 'Security', 'Orders'];
/** A help centre with one article in each of `count` categories. */
const withCategories = (count: number, name = (title: string) => title) =>
  planOf(
    titles
      .slice(0, count)
      .map((title, at) =>
        article(`aaaaaaaaa${at}`, { en: `About ${title}` }, { categoryId: `ccccccccc${at}` }),
      ),
    titles.slice(0, count).map((title, at) => category(`ccccccccc${at}`, { en: name(title) })),
  );

describe('the navigation beside an article of the look help', () => {
  const navigationIn = (html: string) => /<nav class="tree"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';
  const titlesIn = (html: string) => [...html.matchAll(/>([^<>\n]+)<\/a>/g)].map(([, title]) => title);

  test('lists the articles of its category and marks its own', async () => {
    const ids = [1, 2, 3].map((at) => `aaaaaaaaa${at}`);
    const plan = planOf(
      [
        ...ids.map((id, at) =>
          article(id, { en: `Article ${at + 1}` }, { categoryId: 'ccccccccc1', sortOrder: at }),
        ),
        article('aaaaaaaaa9', { en: 'Elsewhere' }, { categoryId: 'ccccccccc2' }),
      ],
      [category('ccccccccc1', { en: 'Topic' }), category('ccccccccc2', { en: 'Other' })],
    );
    const page = renderArticle(await siteOf(plan), 'aaaaaaaaa2', 'en', document('<p>Text</p>')).content;
    const navigation = navigationIn(page.toString());
    expect(titlesIn(navigation)).toEqual(['Topic', 'Article 1', 'Article 2', 'Article 3']);
    expect(/<a aria-current="page"[^>]*>([^<]+)/.exec(navigation)?.[1]).toBe('Article 2');
    const listing = [...(await pagesOf(plan))].find(([path]) =>
      path.startsWith('en/category/ccccccccc1'),
    )?.[1];
    expect(titlesIn(navigationIn(listing ?? ''))).toEqual(['Topic', 'Other']);
    expect(navigationIn((await pagesOf(plan)).get('en/index.html') ?? '')).toBe('');
  });

  test('lists the articles without a category beside one of them, and of many those around it', async () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      article(`a${String(at).padStart(9, '0')}`, { en: `Article ${at}` }, { sortOrder: at }),
    );
    const site = await siteOf(planOf(many));
    const page = renderArticle(site, 'a000000030', 'en', document('<p>Text</p>')).content.toString();
    const titles = titlesIn(navigationIn(page));
    expect(titles).toHaveLength(1 + 24);
    expect(titles.slice(0, 3)).toEqual(['Articles', 'Article 24', 'Article 25']);
  });
});

describe('a card of the home page', () => {
  test('lists sections, then articles, at most four, in both looks', async () => {
    const plan = planOf(
      [
        ...[1, 2, 3, 4, 5].map((at) =>
          article(`aaaaaaaaa${at}`, { en: `Article ${at}` }, { categoryId: 'ccccccccc1', sortOrder: at }),
        ),
        article('aaaaaaaaa6', { en: 'Inner' }, { categoryId: 'ccccccccc2' }),
      ],
      [
        category('ccccccccc1', { en: 'Topic' }),
        category('ccccccccc2', { en: 'Section' }, { parentId: 'ccccccccc1' }),
      ],
    );
    for (const look of ['help', 'docs']) {
      const home = (await pagesOf(plan, { look })).get('en/index.html') ?? '';
      const [card = ''] = /<section class="card">[\s\S]*?<\/section>/.exec(home) ?? [];
      expect([...card.matchAll(/<li><a [^>]*>([^<]+)</g)].map(([, title]) => title)).toEqual([
        'Section',
        'Article 1',
        'Article 2',
        'Article 3',
      ]);
      expect(card).toContain('<p class="count">6 articles</p>');
    }
  });
});

describe('for browsers and home screens', () => {
  test('a page names the colours of its palette, and a manifest', async () => {
    const files = await pagesOf(withCategories(2), { theme: { palette: 'forest' } });
    const home = files.get('en/index.html');
    expect(home).toContain(
      '<meta name="theme-color" content="#131417" media="(prefers-color-scheme: dark)">',
    );
    expect(home).toContain('<meta name="theme-color" content="#fff">');
    expect(home).toContain('<link rel="manifest" href="/docs/en/manifest.webmanifest">');
    expect(home).toMatch(/<link rel="apple-touch-icon" href="\/docs\/assets\/icon-192\.\w+\.png">/);
    expect(home).toMatch(
      /<meta property="og:image" content="https:\/\/[^"]+\/docs\/assets\/share\.\w+\.png">/,
    );
    expect(JSON.parse(files.get('en/manifest.webmanifest') ?? '')).toEqual({
      name: 'Acme Help',
      lang: 'en',
      dir: 'ltr',
      start_url: '/docs/',
      scope: '/docs/',
      display: 'minimal-ui',
      theme_color: '#0b6b4b',
      background_color: '#fff',
      icons: [
        ...[192, 512].map((size) => ({
          src: expect.stringMatching(new RegExp(`^/docs/assets/icon-${size}\\.\\w+\\.png$`)),
          sizes: `${size}x${size}`,
          type: 'image/png',
        })),
        { src: expect.stringMatching(/^\/docs\/assets\/favicon\./), sizes: 'any', type: 'image/svg+xml' },
      ],
    });
  });
});

test('A site without pictures gets some in its accent colour, which decode as PNG', async () => {
  const files: RenderedFile[] = [];
  for await (const file of renderOthers(await siteOf(withCategories(2), { theme: { palette: 'forest' } })))
    if (/^assets\/(?:share|icon)/.test(file.path)) files.push(file);
  expect(files.map(({ path }) => path.replace(/\.\w+(?=\.png)/, ''))).toEqual([
    'assets/share.png',
    'assets/icon-192.png',
    'assets/icon-512.png',
  ]);
  for (const [at, size] of [
    [0, [1200, 630]],
    [1, [192, 192]],
    [2, [512, 512]],
  ] as const) {
    const bytes = Buffer.from(files[at]?.content ?? '');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(size);
    // The first colour of the palette is the ground.
    const palette = bytes.indexOf('PLTE') + 4;
    expect(bytes.subarray(palette, palette + 3).toString('hex')).toBe('0b6b4b');
    const data = bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8);
    expect(inflateSync(data)).toHaveLength((size[0] + 1) * size[1]);
  }
});

test.each([
  ['Acme Help', true],
  ['Öffentliche Hilfe', true],
  ['ヘルプ', false],
  ['A name that is much too long for a picture, even in several rows of very small letters', false],
])(
  'The picture for shared links has the name of the site if letters for it are known: %s',
  (title, isDrawn) => {
    const [share] = brandPictures({ palette: 'ink' }, title).paint();
    const bytes = Buffer.from(share?.content ?? '');
    const rows = inflateSync(bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8));
    const white = [...rows].filter((shade, at) => shade === 63 && at % 1201 > 500);
    expect(white.length > 0).toBe(isDrawn);
  },
);

describe('a description', () => {
  const introduction = (body: string) => introductionOf(transform(body, settings()));

  test('skips a callout at the start, unless there is nothing else', () => {
    const callout = '<div class="note"><p><strong>Note:</strong> This is about Android.</p></div>';
    expect(introduction(`${callout}<p>Open the app.</p>`)).toBe('Open the app.');
    expect(introduction(callout)).toBe('Note: This is about Android.');
    expect(introduction(`<p>Open the app.</p>${callout}`)).toBe(
      'Open the app.\nNote: This is about Android.',
    );
  });

  test('that three articles of a language share is shown nowhere, and the next text takes its place', async () => {
    const described = (id: string, description: string): Article => {
      const made = article(id, { en: `Title ${id}` }, { categoryId: 'ccccccccc1' });
      return { ...made, translations: made.translations.map((each) => ({ ...each, description })) };
    };
    const plan = planOf(
      [
        ...[1, 2, 3].map((at) => described(`aaaaaaaaa${at}`, 'This article is about the app for…')),
        ...[4, 5].map((at) => described(`aaaaaaaaa${at}`, 'About two things.')),
      ],
      [category('ccccccccc1', { en: 'Topic' })],
    );
    const list = [...(await pagesOf(plan))].find(([path]) => path.startsWith('en/category/'))?.[1] ?? '';
    expect(list).not.toContain('This article is about');
    expect(list.match(/<p>About two things\.<\/p>/g)).toHaveLength(2);
    const body = '<p>This article is about the app for Android.</p><p>Open the app.</p>';
    const site = await siteOf(plan);
    const page = renderArticle(site, 'aaaaaaaaa1', 'en', transform(body, settings())).content.toString();
    expect(page).toContain('<meta name="description" content="Open the app.">');
  });
});

test('Equal titles are told apart by the nearest category of another name', async () => {
  const plan = planOf(
    [
      article('aaaaaaaaa1', { en: 'Problems' }, { categoryId: 'ccccccccc2' }),
      article('aaaaaaaaa2', { en: 'Problems' }, { categoryId: 'ccccccccc3' }),
    ],
    [
      category('ccccccccc1', { en: 'Android' }),
      category('ccccccccc2', { en: 'Problems' }, { parentId: 'ccccccccc1' }),
      category('ccccccccc3', { en: 'iOS' }),
    ],
  );
  const site = await siteOf(plan);
  const titleOf = (id: string) =>
    /<title>(.*)<\/title>/.exec(
      renderArticle(site, id, 'en', document('<p>Text</p>')).content.toString(),
    )?.[1];
  expect(titleOf('aaaaaaaaa1')).toBe('Problems · Android · Acme Help');
  expect(titleOf('aaaaaaaaa2')).toBe('Problems · iOS · Acme Help');
});

test('Indents of authors become steps, and small ones and those of lists are none', () => {
  const publish = (body: string) => transform(body, settings()).html;
  expect(publish('<p style="margin-left: 36pt">a</p>')).toBe('<p class="indent-1">a</p>');
  expect(publish('<p style="padding-left:80px;text-align:center">a</p>')).toBe(
    '<p class="indent-2 align-center">a</p>',
  );
  expect(publish('<p style="margin-left:900px">a</p>')).toBe('<p class="indent-3">a</p>');
  expect(publish('<p style="margin-left:8px">a</p>')).toBe('<p>a</p>');
  expect(publish('<ul style="margin-left:40px"><li>a</li></ul>')).not.toContain('indent');
});
