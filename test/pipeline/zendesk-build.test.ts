import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { idOfZendesk } from '../../src/core/zendesk-id.ts';
import { createFolderReader } from '../../src/feed/read/feed-reader.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { build } from '../../src/pipeline/library-build.ts';
import { startServer } from '../source/support/test-server.ts';
import { createZendesk, zendeskNumber } from '../source/support/zendesk-server.ts';
import { findBrokenLinks } from '../support/find-broken-links.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const siteUrl = 'https://help.example.com';

it('publishes a help centre of Zendesk Guide, and redirects its URLs', async () => {
  const folder = temporaryFolder();
  const { handle, hold } = createZendesk();
  const [chain, brakes] = [zendeskNumber('chain'), zendeskNumber('brakes')];
  hold({
    chain: {
      title: 'Oil the chain',
      body: `<p>See <a href="/hc/en/articles/${brakes}-brakes">brakes</a>.</p>`,
      updated: '2026-01-02T00:00:00Z',
      german: { title: 'Kette ölen', body: '<p>Ein Tropfen.</p>' },
      category: 'child',
    },
    brakes: { title: 'Adjust the brakes', body: '<p>Turn.</p>', updated: '2026-01-03T00:00:00Z' },
    wages: { title: 'TOPSECRET', body: 'TOPSECRET', updated: '2026-01-03T00:00:00Z', state: 'restricted' },
  });
  const server = await startServer(handle);
  onTestFinished(server.close);
  writeFileSync(join(folder, 'ca.pem'), server.ca);
  const settings = {
    siteUrl,
    baseUrl: server.origin,
    source: { kind: 'zendesk' },
    tls: { ca: 'ca.pem' },
  } as const;
  await build(settings, { folder, apiKey: 'agent@example.com/token:secret' });
  const out = join(folder, 'dist');
  const tree = await readTree(out);
  expect(findBrokenLinks(tree, siteUrl)).toEqual([]);
  expect((await verifyFeed(createFolderReader(out).read)).findings).toEqual([]);
  for (const [path, bytes] of tree) expect([path, bytes.includes('TOPSECRET')]).toEqual([path, false]);
  const page = (language: string, number: number, name: string) =>
    `/${language}/article/${idOfZendesk(number)}-${name}/`;
  const redirects = new Map(
    (tree.get('_redirects')?.toString() ?? '').split('\n').flatMap((line): [string, string][] => {
      const [from = '', to = '', status = ''] = line.split(/\s+/);
      return from.startsWith('/hc') ? [[from, `${to} ${status}`]] : [];
    }),
  );
  expect(redirects.get(`/hc/en/articles/${chain}-chain`)).toBe(`${page('en', chain, 'chain')} 301`);
  expect(redirects.get(`/hc/de/articles/${chain}`)).toBe(`${page('de', chain, 'chain')} 301`);
  expect(redirects.get(`/hc/articles/${brakes}`)).toBe(`${page('en', brakes, 'brakes')} 301`);
  // Not translated: for the time being.
  expect(redirects.get(`/hc/de/articles/${brakes}`)).toBe(`${page('en', brakes, 'brakes')} 302`);
  expect(redirects.get('/hc/en/sections/12')).toMatch(/^\/en\/category\/s12-/);
  const again = await build(settings, { folder, apiKey: 'agent@example.com/token:secret' });
  expect(again.renderedPages).toBe(0);
});
