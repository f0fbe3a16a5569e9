import { describe, expect, it } from 'vitest';
import { manifestSchema } from '../../src/feed/read/manifest.ts';
import { sourcePage } from '../../src/feed/source-pages.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { buildSample } from './support/build-sample.ts';
import { readerOf, recordsOf } from './support/memory-output.ts';
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
    { id: 'aaaaaaaaaa', pages: { en: { title: 'Welcome', markdown: 'Hello.\n' } } },
  ],
};

describe('the source page', () => {
  it('lists every article of its language in the order of the site: by category, those without one at the end', async () => {
    const output = await buildSample(site);
    const page = sourcePage.parse(JSON.parse(output.text('feed/en/source.json')));
    expect(page.articles.map(({ id }) => id)).toEqual(['a-bbbbbbbbbb-en', 'a-aaaaaaaaaa-en']);
    expect(page.articles[0]).toMatchInlineSnapshot(`
      {
        "article_id": "bbbbbbbbbb",
        "category": {
          "id": "cat2",
          "path": [
            "Account",
            "Sign-in",
          ],
        },
        "description": "Open Settings. Then Press reset.",
        "id": "a-bbbbbbbbbb-en",
        "language": "en",
        "markdown": "Open **Settings**.

      ## Then

      Press reset.
      ",
        "tags": [
          "login",
        ],
        "title": "Reset your password",
        "updated_at": "2025-03-01T10:00:00.000Z",
        "url": "https://help.example.com/en/article/bbbbbbbbbb-page/",
      }
    `);
  });

  it('never fills a language with titles of another one', async () => {
    const output = await buildSample(site);
    const german = sourcePage.parse(JSON.parse(output.text('feed/de/source.json')));
    expect(german.language).toBe('de');
    expect(german.articles.map(({ title, category }) => [title, category?.path])).toEqual([
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
    expect(page.articles.map(({ id }) => id).sort()).toEqual(articles.map(({ id }) => `a-${id}-en`));
    expect(output.text('feed/en/source.txt').match(/^## Title /gm)).toHaveLength(300);
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

  it('has the same text in llms-full.txt, and the beginnings of the records in source.json', async () => {
    const output = await buildSample(site);
    expect(output.text('en/llms-full.txt')).toBe(output.text('feed/en/source.txt'));
    expect(output.text('en/llms.txt')).toContain('https://help.example.com/en/llms-full.txt');
    const page = sourcePage.parse(JSON.parse(output.text('feed/en/source.json')));
    const records = recordsOf<object>(output, 'en', 'documents');
    expect(page.articles).toHaveLength(2);
    for (const [at, article] of page.articles.entries()) expect(records[at]).toMatchObject(article);
    const one = await buildSample({ ...site, languages: ['en'] });
    expect(one.text('llms-full.txt')).toBe(one.text('feed/en/source.txt'));
  });

  it('reads like a book: the help centre, categories, articles with URL and date, and headings one level down', async () => {
    const output = await buildSample(site);
    expect(output.text('feed/en/source.txt')).toMatchInlineSnapshot(`
      "# Example help

      > Every help article of Example help in English (en).

      Other languages: https://help.example.com/llms.txt

      # Account › Sign-in

      ## Reset your password

      URL: https://help.example.com/en/article/bbbbbbbbbb-page/
      Updated: 2025-03-01

      Open **Settings**.

      ### Then

      Press reset.

      # More articles

      ## Welcome

      URL: https://help.example.com/en/article/aaaaaaaaaa-page/

      Hello.
      "
    `);
  });

  it('has no categories if the help centre has none', async () => {
    const output = await buildSample({ ...site, categories: [] });
    expect(output.text('feed/en/source.txt').match(/^# .*/gm)).toHaveLength(1);
  });

  it('is valid JSON without any article', async () => {
    const output = await buildSample({ languages: ['en'], articles: [] });
    expect(sourcePage.parse(JSON.parse(output.text('feed/en/source.json'))).articles).toEqual([]);
  });

  it('contains root-relative URLs if the site URL is unknown', async () => {
    const output = await buildSample({ ...site, siteUrl: null });
    const page = sourcePage.parse(JSON.parse(output.text('feed/en/source.json')));
    expect(page.site.url).toBe('/');
    expect(page.articles[0]?.url).toBe('/en/article/bbbbbbbbbb-page/');
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

it('lines of records have no character but the line feed at which a reader could end them', async () => {
  const code = 'one\u2028two\u2029three';
  const pages = { en: { title: 'Separators', markdown: `\`\`\`\n${code}\n\`\`\`\n` } };
  const output = await buildSample({ languages: ['en'], articles: [{ id: 'aaaaaaaaaa', pages }] });
  for (const name of ['documents.jsonl', 'chunks.jsonl', 'source.json'])
    expect(output.text(`feed/en/${name}`)).not.toMatch(/[\v\f\x1c-\x1e\x85\u2028\u2029]/);
  expect(recordsOf<{ text: string }>(output, 'en', 'chunks')[0]?.text).toContain(code);
  expect((await verifyFeed(readerOf(output))).findings).toEqual([]);
});
