import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { page, type Tree } from '../support/folder-layouts.ts';
import { messages, openFolderProject } from './support/folder-source.ts';

/** The path of every page of a project by its file, and its aliases. */
async function pathsOf(files: Tree) {
  const project = openFolderProject(files);
  const source = await project.read({ allowMassDelete: true });
  const found = source.knowledgeBase.articles.flatMap(({ id, translations }) =>
    translations.map(({ language, sourcePath, aliases }) => [
      `${project.adapter.toSourceId(id)} ${language}`,
      [sourcePath, ...aliases].join(' < '),
    ]),
  );
  return { source, paths: Object.fromEntries(found.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))) };
}

const i18n = 'i18n/de/docusaurus-plugin-content-docs/current';

describe('the path of a page in its own site generator', () => {
  it('is that of Docusaurus: base path, slug, id, order, language, and client redirects', async () => {
    const { source, paths } = await pathsOf({
      'docusaurus.config.ts': `import type { Config } from '@docusaurus/types';
        const base = 'help';
        export default {
          presets: [['classic', { docs: { routeBasePath: base } }]],
          plugins: [['@docusaurus/plugin-client-redirects', { redirects: [
            { from: ['/old', '/older'], to: '/help/care/chain' }, { from: '/shop', to: 'https://shop.example.com' } ] }]],
        } satisfies Config;`,
      'docs/index.md': page('title: Hello\nslug: /', 'A'),
      'docs/02-care/01-chain.md': page('title: Chain', 'B'),
      'docs/wheels/Wheels.md': page('title: Care', 'C'),
      'docs/02-care/b.md': page('title: B\nid: brakes', 'D'),
      'docs/02-care/tyres.md': page('title: T\nslug: wheels', 'E'),
      [`${i18n}/02-care/01-chain.md`]: page('title: Kette', 'F'),
    });
    expect(paths).toEqual({
      'docs/02-care/01-chain.md de': 'de/help/care/chain',
      'docs/02-care/01-chain.md en': 'help/care/chain < old < older',
      'docs/02-care/b.md en': 'help/care/brakes',
      'docs/02-care/tyres.md en': 'help/care/wheels',
      'docs/index.md en': 'help',
      'docs/wheels/Wheels.md en': 'help/wheels',
    });
    expect(messages(source.problems)).toContain(
      'REDIRECT_UNREAD: docusaurus.config.ts redirects shop to https://shop.example.com, which is no page of the folder',
    );
  });

  it('is that of Starlight, VitePress and MkDocs', async () => {
    const starlight = await pathsOf({
      'astro.config.mjs': `export default defineConfig({ integrations: [starlight({})], redirects: { '/start': '/guides/first-steps/' } })`,
      'src/content/docs/index.md': page('title: H', 'A'),
      'src/content/docs/Guides/First Steps!.md': page('title: F', 'B'),
      'src/content/docs/de/guides/chain.md': page('title: K', 'C'),
      'src/content/docs/brakes.md': page('title: S\nslug: stop/now', 'D'),
    });
    expect(Object.values(starlight.paths)).toEqual([
      'guides/first-steps/ < start',
      'stop/now/',
      'de/guides/chain/',
      '/'.slice(1),
    ]);
    const vitepress = async (options: string) =>
      (
        await pathsOf({
          '.vitepress/config.mts': `export default defineConfig({ ${options} })`,
          'en/guide/chain.md': page('title: C', 'A'),
          'de/guide/chain.md': page('title: K', 'B'),
          'en/index.md': page('title: H', 'C'),
        })
      ).paths;
    expect(await vitepress("rewrites: { 'en/:rest*': ':rest*' }")).toEqual({
      'en/guide/chain.md de': 'de/guide/chain.html',
      'en/guide/chain.md en': 'guide/chain.html',
      'en/index.md en': '',
    });
    expect(Object.values(await vitepress('cleanUrls: true'))).toEqual([
      'de/guide/chain',
      'en/guide/chain',
      'en/',
    ]);
    const mkdocs = async (options: string) =>
      (
        await pathsOf({
          'mkdocs.yml': `site_name: Help\nmarkdown_extensions:\n  - emoji: !!python/name:a.b\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        old.md: guide/chain.md\n        far.md: https://example.com\n${options}`,
          'docs/index.md': page('title: H', 'A'),
          'docs/guide/chain.md': page('title: C', 'B'),
          'docs/guide/README.md': page('title: G', 'C'),
        })
      ).paths;
    expect(await mkdocs('')).toEqual({
      'docs/guide/README.md en': 'guide/',
      'docs/guide/chain.md en': 'guide/chain/ < old/',
      'docs/index.md en': '',
    });
    expect(Object.values(await mkdocs('use_directory_urls: false'))).toEqual([
      'guide/index.html',
      'guide/chain.html < old.html',
      'index.html',
    ]);
  });

  it('is that of Hugo and Jekyll, with their old paths', async () => {
    const hugo = await pathsOf({
      'hugo.toml': "defaultContentLanguage = 'en'\n[permalinks]\nnews = '/:year/:slug/'",
      'content/Guides/The Chain.md': page('title: C\naliases: [/chain/, brakes]', 'A'),
      'content/guides/brakes/index.md': page('title: B\nslug: stop', 'B'),
      'content/guides/tyres.md': page('title: T\nurl: /wheels.html', 'C'),
      'content/news/sale.md': page('title: Big Sale\ndate: 2026-01-05', 'D'),
      'content/guides/tyres.de.md': page('title: R\naliases: [rad]', 'E'),
    });
    expect(hugo.paths).toEqual({
      'content/Guides/The Chain.md en': 'guides/the-chain/ < chain/ < Guides/brakes',
      'content/guides/brakes/index.md en': 'guides/stop/',
      'content/guides/tyres.md de': 'de/guides/tyres/ < de/guides/rad',
      'content/guides/tyres.md en': 'wheels.html',
      'content/news/sale.md en': '2026/big-sale/',
    });
    const jekyll = await pathsOf({
      '_config.yml': 'title: Help\ncollections:\n  guides:\n    output: true',
      'about.md': page('title: A\nredirect_from: /who/', 'A'),
      'index.md': page('title: I', 'B'),
      'terms.md': page('title: T\npermalink: /legal/', 'C'),
      '_guides/care/chain.md': page('title: C', 'D'),
      '_posts/2026-02-03-sale.md': page('title: S\ncategories: [news]', 'E'),
    });
    expect(Object.values(jekyll.paths).sort()).toEqual([
      '',
      'about.html < who/',
      'guides/care/chain.html',
      'legal/',
      'news/2026/02/03/sale.html',
    ]);
  });

  it('is that of the posts of the blog plugin of Material', async () => {
    const { paths } = await pathsOf({
      'mkdocs.yml': 'site_name: Help\nplugins:\n  - blog\n',
      'docs/index.md': page('title: H', 'A'),
      'docs/blog/index.md': '# Blog\n',
      'docs/blog/posts/one.md': page('date: 2026-01-05', '# Oil the _chain_!\n\nB'),
      'docs/blog/posts/two.md': page('date:\n  created: 2026-02-06\nslug: stop', 'C'),
      'docs/blog/other.md': page('date: 2026-01-05', 'D'),
    });
    expect(paths).toEqual({
      'docs/blog/other.md en': 'blog/other/',
      'docs/blog/posts/one.md en': 'blog/2026/01/05/oil-the-chain/',
      'docs/blog/posts/two.md en': 'blog/2026/02/06/stop/',
      'docs/index.md en': '',
    });
  });

  it('of a post of Jekyll has the day of the time zone of the site', async () => {
    const posts = {
      '_posts/2026-02-03-a.md': page('title: A\ndate: 2026-02-03 02:12:52 +0200', 'A'),
      '_posts/2026-02-03-b.md': page('title: B\ndate: 2026-02-03 02:12:52', 'B'),
      '_posts/2026-02-03-c.md': page('title: C\ndate: 2026-02-03', 'C'),
    };
    const daysOf = async (config: string) =>
      Object.values((await pathsOf({ '_config.yml': config, ...posts })).paths).map((path) =>
        String(path).slice(0, 10),
      );
    expect(await daysOf('title: Help')).toEqual(['2026/02/03', '2026/02/03', '2026/02/03']);
    expect(await daysOf('timezone: America/Los_Angeles')).toEqual(['2026/02/02', '2026/02/02', '2026/02/03']);
    expect(await daysOf('timezone: Nowhere')).toEqual(['2026/02/03', '2026/02/03', '2026/02/03']);
  });

  it('of a folder is that of its index page without text, with its old paths', async () => {
    const { source } = await pathsOf({
      'hugo.toml': "defaultContentLanguage = 'en'",
      'content/guides/_index.md': '---\ntitle: Guides\nurl: /help/\naliases: [/how-to/]\n---\n',
      'content/guides/chain.md': page('title: C', 'A'),
      'content/care/_index.md': page('title: Care', 'This has a text.'),
      'content/care/brakes.md': page('title: B', 'B'),
    });
    const places = source.knowledgeBase.categories.map(({ path, aliases }) => [path, ...(aliases ?? [])]);
    expect(places).toEqual([['category/care/'], ['help/', 'how-to/']]);
  });

  it('leads to the original in languages for which the generator shows that', async () => {
    const fallbacksOf = async (files: Tree) => {
      const source = await openFolderProject(files).read({ allowMassDelete: true });
      return source.knowledgeBase.articles
        .flatMap(({ translations }) =>
          translations.map(({ sourcePath, fallbacks }) => [sourcePath, ...fallbacks]),
        )
        .sort();
    };
    const starlight = `export default { integrations: [starlight({ locales: { root: { lang: 'en' }, de: {}, 'pt-br': {} } })] }`;
    expect(
      await fallbacksOf({
        'astro.config.mjs': starlight,
        'src/content/docs/chain.md': page('title: C', 'A'),
        'src/content/docs/brakes.md': page('title: B', 'B'),
        'src/content/docs/de/brakes.md': page('title: S', 'C'),
      }),
    ).toEqual([['brakes/', 'pt-br/brakes/'], ['chain/', 'de/chain/', 'pt-br/chain/'], ['de/brakes/']]);
    expect(
      await fallbacksOf({
        'docusaurus.config.js': `module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'de'] } }`,
        'docs/chain.md': page('title: C', 'A'),
      }),
    ).toEqual([['docs/chain', 'de/docs/chain']]);
    expect(
      await fallbacksOf({
        'hugo.toml': '[languages.en]\n[languages.de]',
        'content/chain.md': page('title: C', 'A'),
      }),
    ).toEqual([['chain/']]);
  });

  it('of Hugo follows the folder that the project mounts as its content', async () => {
    const mounts = `[[module.mounts]]\nsource = 'text/en'\ntarget = 'content'\n`;
    const files = {
      'content/LICENSE.md': page('title: L', 'A'),
      'text/en/chain.md': page('title: C', 'B'),
      'text/de/chain.md': page('title: K', 'C'),
    };
    expect((await pathsOf({ 'hugo.toml': mounts, ...files })).paths).toEqual({
      'text/en/chain.md en': 'chain/',
    });
    const german = `${mounts}lang = 'en'\n[[module.mounts]]\nsource = 'text/de'\ntarget = 'content'\nlang = 'de'\n`;
    expect((await pathsOf({ 'hugo.toml': german, ...files })).paths).toEqual({
      'text/en/chain.md de': 'de/chain/',
      'text/en/chain.md en': 'chain/',
    });
    // Two folders in one: everything is read, as without mounts.
    const merged = `${mounts}[[module.mounts]]\nsource = 'text/de'\ntarget = 'content'\n`;
    expect(Object.keys((await pathsOf({ 'hugo.toml': merged, ...files })).paths)).toEqual([
      'content/LICENSE.md en',
    ]);
  });

  it('is that of the file in other folders', async () => {
    const { paths } = await pathsOf({
      'care/chain.md': page('title: C', 'A'),
      'de/care/chain.md': page('title: K', 'B'),
      'care/README.md': page('title: H', 'C'),
    });
    expect(Object.values(paths)).toEqual(['care', 'de/care/chain', 'care/chain']);
  });
});

describe('lang in front matter', () => {
  it('is the language of a page whose path has none, and not part of its path', async () => {
    const { paths } = await pathsOf({
      'anleitung.md': page('title: A\nlang: de', 'A'),
      'guide.md': page('title: B\nlang: en-US', 'B'),
      'fr/guide.md': page('title: C\nlang: de', 'C'),
      'odd.md': page('title: D\nlang: 7', 'D'),
    });
    expect(paths).toEqual({
      'anleitung.md de': 'anleitung',
      'guide.md en': 'guide',
      'guide.md fr': 'fr/guide',
      'odd.md en': 'odd',
    });
  });
});

describe('the progress of a folder', () => {
  it('does not mention statistics, which it has none of', async () => {
    const kinds = new Set<string>();
    const onProgress = ({ kind }: { readonly kind: string }) => kinds.add(kind);
    await openFolderProject({ 'a.md': page('title: A', 'A') }).read({ onProgress });
    expect([...kinds]).toEqual(['articles', 'categories']);
  });
});

describe('a file that was renamed', () => {
  const text = 'Turn the pedals backwards and let one drop fall on each link of the chain.';

  it('is reported with the line that keeps its id, and replaces the old article', async () => {
    const project = openFolderProject({
      'chain.md': page('title: C', text),
      'brakes.md': page('title: B', 'x'),
    });
    await project.read();
    const id = project.adapter.toArticleId('chain.md') as string;
    rmSync(join(project.root, 'chain.md'));
    project.write({ 'care/chain.md': page('title: C', text) });
    const source = await project.read({ allowMassDelete: true });
    expect(source.knowledgeBase.articles.map(({ replaces }) => replaces.en ?? '').sort()).toEqual(['', id]);
    expect(messages(source.problems)).toEqual([
      `PAGE_RENAMED: kb/care/chain.md has the text of kb/chain.md, which is gone; to keep its id, add the line "article_id: ${id}" to the front matter of kb/care/chain.md`,
    ]);
    project.write({ 'care/chain.md': page(`title: C\narticle_id: ${id}`, text) });
    const kept = await project.read({ allowMassDelete: true });
    expect(kept.knowledgeBase.articles.map((article) => article.id)).toContain(id);
    expect(kept.problems).toEqual([]);
  });

  it('is not guessed if two pages had the text, or if it is short and has another title', async () => {
    const project = openFolderProject({
      'a.md': page('title: A', text),
      'b.md': page('title: B', text),
      'c.md': page('title: C', 'Soon.'),
    });
    await project.read();
    for (const name of ['a.md', 'b.md', 'c.md']) rmSync(join(project.root, name));
    project.write({ 'd.md': page('title: D', text), 'e.md': page('title: E', 'Soon.') });
    const source = await project.read({ allowMassDelete: true });
    expect(source.knowledgeBase.articles.map(({ replaces }) => replaces)).toEqual([{}, {}]);
  });
});
