import { describe, expect, it } from 'vitest';
import { manifestSchema } from '../../src/feed/read/manifest.ts';
import { articleSeparator, sourcePage } from '../../src/feed/source-pages.ts';
import { buildSample } from './support/build-sample.ts';
import type { SampleSite } from './support/sample-plan.ts';

const site: SampleSite = {
  languages: ['en', 'de'],
  categories: [
    { id: 'cat1', titles: { en: 'Account', de: 'Konto' } },
    { id: 'cat2', parentId: 'cat1', titles: { en: 'Sign-in' } },
  ],
  articles: [
    {
      id: 'bbbbbbbbbb',
      categoryId: 'cat2',
      tags: ['login'],
      updatedAt: '2025-03-01T10:00:00.000Z',
      pages: {
        en: { title: 'Reset your password', markdown: 'Open **Settings**.\n\n## Then\n\nPress reset.\n' },
        de: { title: 'Passwort zurücksetzen', markdown: 'Öffnen Sie die Einstellungen.\n' },
      },
    },
    { id: 'aaaaaaaaaa', pages: { en: { title: 'Welcome', markdown: `Hello.\n\n${articleSeparator}\n` } } },
  ],
};

describe('the source page', () => {
  it('lists every article of its language, sorted by id', async () => {
    const output = await buildSample(site);
    const page = sourcePage.parse(JSON.parse(output.text('feed/en/source.json')));
    expect(page.articles.map(({ id }) => id)).toEqual(['a-aaaaaaaaaa-en', 'a-bbbbbbbbbb-en']);
    expect(page.articles[1]).toMatchInlineSnapshot(`
      {
        "article_id": "bbbbbbbbbb",
        "category_path": [
          "Account",
          "Sign-in",
        ],
        "hash": "7705b143e2615ed58f404a8a3095460cd2c048b621084c2b377dc2c69bd6389b",
        "id": "a-bbbbbbbbbb-en",
        "language": "en",
        "tags": [
          "login",
        ],
        "text": "Open Settings.
      Then
      Press reset.",
        "title": "Reset your password",
        "url": "https://help.example.com/en/article/bbbbbbbbbb-page/",
      }
    `);
  });

  it('never fills a language with titles of another one', async () => {
    const output = await buildSample(site);
    const german = sourcePage.parse(JSON.parse(output.text('feed/de/source.json')));
    expect(german.languages).toEqual(['de']);
    expect(german.articles.map(({ title, category_path }) => [title, category_path])).toEqual([
      ['Passwort zurücksetzen', ['Konto']],
    ]);
  });

  it('has the same paths with one language', async () => {
    const output = await buildSample({ ...site, languages: ['en'] });
    expect(output.paths().filter((path) => path.includes('/source'))).toEqual([
      'feed/en/source.json',
      'feed/en/source.txt',
    ]);
  });

  it('is one file with all articles, however many there are', async () => {
    const articles = Array.from({ length: 300 }, (_, at) => ({
      id: `article${String(at).padStart(3, '0')}`,
      pages: { en: { title: `Title ${at}`, markdown: `Text ${at}.\n` } },
    }));
    const output = await buildSample({ languages: ['en', 'de'], articles });
    const page = sourcePage.parse(JSON.parse(output.text('feed/en/source.json')));
    expect(page.articles.map(({ article_id }) => article_id)).toEqual(articles.map(({ id }) => id));
    expect(output.text('feed/en/source.txt').match(/^Title: /gm)).toHaveLength(300);
  });

  it('does not change in a language if only the date of its article changed', async () => {
    const edited = site.articles.map((article) => ({
      ...article,
      updatedAt: '2026-03-01T10:00:00.000Z',
      pages: { ...article.pages, en: { title: 'Welcome', markdown: 'Hello, you.\n' } },
    }));
    const before = await buildSample(site);
    const after = await buildSample({ ...site, articles: edited }, { previous: before });
    const changed = after
      .paths()
      .filter((path) => path.includes('source') && after.text(path) !== before.text(path));
    expect(changed).toEqual(['feed/en/source.json', 'feed/en/source.txt']);
  });

  it('is separated in its text form so that a text holding the separator cannot split an article', async () => {
    const output = await buildSample(site);
    const parts = output.text('feed/en/source.txt').split(`${articleSeparator}\n`);
    expect(parts.filter((part) => /^Title: /.test(part))).toHaveLength(2);
    expect(parts).toHaveLength(2 * 2 + 1);
  });

  it('is valid JSON without any article', async () => {
    const output = await buildSample({ languages: ['en'], articles: [] });
    expect(sourcePage.parse(JSON.parse(output.text('feed/en/source.json'))).articles).toEqual([]);
  });

  it('contains root-relative URLs if the site URL is unknown', async () => {
    const output = await buildSample({ ...site, siteUrl: null });
    const page = sourcePage.parse(JSON.parse(output.text('feed/en/source.json')));
    expect(page.site.url).toBe('/');
    expect(page.articles[0]?.url).toBe('/en/article/aaaaaaaaaa-page/');
  });
});

describe('the manifest', () => {
  it('lists every other file of the feed with hash, bytes, kind and language', async () => {
    const output = await buildSample(site);
    const manifest = manifestSchema.parse(JSON.parse(output.text('feed/manifest.json')));
    const written = [...output.files()].filter(
      ({ path }) => !path.endsWith('.md') && path !== 'feed/manifest.json',
    );
    expect(manifest.files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes }))).toEqual(written);
    expect(manifest.files.map(({ path, kind, language }) => [path, kind, language])).toEqual([
      ['de/llms-full.txt', 'llms', 'de'],
      ['de/llms.txt', 'llms', 'de'],
      ['en/llms-full.txt', 'llms', 'en'],
      ['en/llms.txt', 'llms', 'en'],
      ['feed/de/chunks.jsonl', 'chunks', 'de'],
      ['feed/de/documents.jsonl', 'documents', 'de'],
      ['feed/de/source.json', 'source', 'de'],
      ['feed/de/source.txt', 'source', 'de'],
      ['feed/en/chunks.jsonl', 'chunks', 'en'],
      ['feed/en/documents.jsonl', 'documents', 'en'],
      ['feed/en/source.json', 'source', 'en'],
      ['feed/en/source.txt', 'source', 'en'],
      ['llms.txt', 'llms', undefined],
    ]);
    expect(manifest.languages.map(({ language, documents }) => [language, documents])).toEqual([
      ['en', 2],
      ['de', 1],
    ]);
  });

  it('tells the time of the run and nothing else does', async () => {
    const first = await buildSample(site, { builtAt: '2025-01-01T00:00:00.000Z' });
    const second = await buildSample(site, { builtAt: '2026-01-01T00:00:00.000Z' });
    const different = first.paths().filter((path) => first.text(path) !== second.text(path));
    expect(different).toEqual(['feed/manifest.json']);
  });
});

describe('a large file of records', () => {
  it('is divided by the hashes of article ids, above the limit', async () => {
    const articles = Array.from({ length: 40 }, (_, at) => ({
      id: `article${String(at).padStart(3, '0')}`,
      pages: { en: { title: `Title ${at}`, markdown: `${'Some text. '.repeat(50)}\n` } },
    }));
    const output = await buildSample({ languages: ['en'], articles }, { settings: { maxFileMb: 0.015 } });
    const paths = output.paths().filter((path) => /^feed\/en\/(?:documents|chunks)/.test(path));
    const names = ['0', '1', '2', '3'].map((part) => `${part}.jsonl`);
    expect(paths).toEqual(
      ['chunks', 'documents'].flatMap((kind) => names.map((name) => `feed/en/${kind}/${name}`)),
    );
    for (const path of paths) expect(output.text(path).length).toBeLessThan(30_000);
    expect(
      new Set(paths.flatMap((path) => output.text(path).match(/"document_id":"[^"]+"/g) ?? [])).size,
    ).toBe(40);
  });
});

describe('a Markdown twin', () => {
  it('has front matter, the title as its h1, and the Markdown unchanged', async () => {
    const output = await buildSample(site);
    expect(output.text('en/article/bbbbbbbbbb-page/index.html.md')).toMatchInlineSnapshot(`
      "---
      id: a-bbbbbbbbbb-en
      language: "en"
      title: "Reset your password"
      url: "https://help.example.com/en/article/bbbbbbbbbb-page/"
      updated_at: "2025-03-01T10:00:00.000Z"
      tokens: 11
      ---

      # Reset your password

      Open **Settings**.

      ## Then

      Press reset.
      "
    `);
  });
});
