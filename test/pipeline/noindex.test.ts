import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { build } from '../../src/pipeline/library-build.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function openProject() {
  const folder = temporaryFolder();
  writeTree(folder, {
    'kb/a.md': '# A\n\nText.',
    'kb/guides/b.md': '# B\n\nText.',
    'kb/de/a.md': '# A\n\nText.',
  });
  return async (config: UserConfig = {}) => {
    const source = { kind: 'folder', path: './kb' } as const;
    const settings = { siteUrl: 'https://help.example.com', source, ...config };
    const report = await build(settings, { folder, apiKey: '' });
    const tree = new Map(
      [...(await readTree(join(folder, 'dist')))].map(([path, text]) => [path, `${text}`]),
    );
    return { report, tree };
  };
}

describe('a site with noindex', () => {
  it('asks so on every page and in every response, and has no sitemap', async () => {
    const publish = openProject();
    const { tree } = await publish({
      noindex: true,
      site: { fallback: { mode: 'notice' } },
      redirects: { formats: ['netlify', 'nginx'] },
    });
    const pages = [...tree].filter(([path]) => path.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(10);
    const listed = pages.filter(([, html]) => !html.includes('<meta name="robots" content="noindex">'));
    expect(listed.map(([path]) => path)).toEqual([]);
    expect([...tree.keys()].filter((path) => path.includes('sitemap'))).toEqual([]);
    expect(tree.get('robots.txt')).toBe('User-agent: *\nAllow: /\n');
    expect(tree.get('_headers')).toMatch(/^\/\*\n(?: {2}.*\n)* {2}X-Robots-Tag: noindex\n/);
    expect(tree.get('hosting/nginx/http.conf')).toContain('noindex');
  });

  it('is the same site for readers, and differs from the next build without it', async () => {
    const publish = openProject();
    const quiet = await publish({ noindex: true });
    const loud = await publish();
    expect(loud.report.renderedPages).toBe(quiet.report.renderedPages);
    for (const [path, text] of loud.tree) {
      if (path.startsWith('feed/') && path !== 'feed/manifest.json') expect(quiet.tree.get(path)).toBe(text);
      expect([path, /X-Robots-Tag|content="noindex"/.test(text)]).toEqual([
        path,
        /(?:^|\/)(?:404|search\/(?:contact\/)?index)\.html$/.test(path),
      ]);
    }
    expect(loud.tree.get('robots.txt')).toContain('Sitemap: https://help.example.com/sitemap.xml');
  });
});

it('header files of all hosts allow the form of the contact page', async () => {
  const publish = openProject();
  const { tree } = await publish({
    site: { contact: { form: 'https://desk.example.com/requests' } },
    redirects: { formats: ['netlify', 'vercel'] },
  });
  for (const path of ['_headers', 'vercel.json'])
    expect(tree.get(path)).toMatch(/form-action 'self' https:\/\/desk\.example\.com/);
});
