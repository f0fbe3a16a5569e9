import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build } from '../../src/pipeline/library-build.ts';
import { sitePage } from '../source/support/site-source.ts';
import { recordsIn } from '../support/feed-records.ts';
import { findBrokenLinks } from '../support/find-broken-links.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const siteUrl = 'https://docs.example.com';

it('publishes a built site with the URL of each page, also of its home pages and of those without a slash', async () => {
  const folder = temporaryFolder();
  const at = (path: string) => `<link rel="canonical" href="${siteUrl}/${path}">`;
  writeTree(join(folder, 'build'), {
    'index.html': sitePage({ title: 'Bikes', body: '<p><a href="/guide/parts">Parts</a></p>', head: at('') }),
    'de/index.html': sitePage({ title: 'Räder', language: 'de', body: '<p>Hallo.</p>', head: at('de/') }),
    'guide/parts.html': sitePage({
      title: 'Parts',
      body: '<p><a href="/">Home</a></p>',
      head: at('guide/parts'),
    }),
    'guide/chain/index.html': sitePage({ title: 'Chain', body: '<p>Oil.</p>', head: at('guide/chain/') }),
    'bell.html': sitePage({ title: 'Bell', body: '<p>Ring.</p>', head: at('bell.html') }),
  });
  await build({ siteUrl, source: { kind: 'site', path: './build' } }, { folder, apiKey: '' });
  const tree = await readTree(join(folder, 'dist'));
  const documents = ['en', 'de'].flatMap((language) =>
    recordsIn<{ title: string; url: string }>(`${tree.get(`feed/${language}/documents.jsonl`)}`),
  );
  expect(Object.fromEntries(documents.map(({ title, url }) => [title, url.slice(siteUrl.length)]))).toEqual({
    Bikes: '/',
    Räder: '/de/',
    Parts: '/guide/parts',
    Chain: '/guide/chain/',
    Bell: '/bell.html',
  });
  const text = (path: string): string => `${tree.get(path)}`;
  expect(text('index.html')).toContain(`<link rel="canonical" href="${siteUrl}/">`);
  expect(text('index.html')).toContain('href="/guide/parts"');
  expect(text('de/index.html')).toContain('Hallo.');
  expect(text('guide/parts/index.html')).toContain(`<link rel="canonical" href="${siteUrl}/guide/parts">`);
  expect(text('sitemaps/en.xml').match(/<loc>[^<]*/g)?.length).toBe(
    new Set(text('sitemaps/en.xml').match(/<loc>[^<]*/g)).size,
  );
  // Every server answers to the path of a folder without its slash.
  const broken = findBrokenLinks(tree, siteUrl).filter(({ href }) => !href.endsWith('/guide/parts'));
  expect(broken).toEqual([]);
});
