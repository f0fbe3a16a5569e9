import { describe, expect, it } from 'vitest';
import type { CategoryNode, Plan } from '../../src/site/plan/plan.ts';
import { planSite } from '../../src/site/plan/plan-site.ts';
import { page, type Tree } from '../support/folder-layouts.ts';
import { messages, openFolderProject } from './support/folder-source.ts';

/** The lists of a site in one language: titles of pages, and categories with theirs. */
async function listsOf(files: Tree, language = 'en') {
  const project = openFolderProject(files);
  const source = await project.read({ allowMassDelete: true });
  const { plan } = planSite(source.knowledgeBase, {
    ...{ siteUrl: 'https://help.example.com', siteTitle: 'Help', languages: undefined },
    urls: { article: '{path}', category: '{path}' },
  });
  const planned = plan.languageByTag.get(language);
  const lists = [
    ...titles(plan, planned?.unassignedIds ?? [], language),
    ...nodes(plan, planned?.categories ?? [], language),
  ];
  return {
    lists,
    plan,
    problems: messages(source.problems),
    published: source.knowledgeBase.articles.length,
  };
}

function titles(plan: Plan, ids: readonly string[], language: string): readonly string[] {
  return ids.map((id) => plan.articles.get(id)?.pages.get(language)?.listTitle ?? id);
}

function nodes(plan: Plan, all: readonly CategoryNode[], language: string): readonly unknown[] {
  return all.map((node) => [
    `${node.page.title} ${node.page.href}`,
    ...titles(plan, node.articleIds, language),
    ...nodes(plan, node.children, language),
  ]);
}

const care = {
  'docs/index.md': page('title: Home', 'A'),
  'docs/care/chain.md': page('title: Oil the chain', 'B'),
  'docs/care/brakes.md': page('title: Adjust the brakes', 'C'),
  'docs/care/winter/salt.md': page('title: Salt', 'D'),
  'docs/contributing.md': page('title: Contributing', 'E'),
};

describe('the navigation of a project', () => {
  it('has the posts of a blog of Material in its page, the newest first', async () => {
    const { lists } = await listsOf({
      'mkdocs.yml': 'plugins:\n  - blog\nnav:\n  - index.md\n  - News:\n      - blog/index.md\n',
      'docs/index.md': page('title: Home', 'A'),
      'docs/blog/index.md': '# Blog\n',
      'docs/blog/posts/a.md': page('title: Old\ndate: 2025-01-05', 'B'),
      'docs/blog/posts/b.md': page('title: New\ndate: 2026-01-05', 'C'),
    });
    expect(lists).toEqual(['Home', ['News /blog/', 'New', 'Old']]);
  });

  it('is the parents that pages of Just the Docs name: a page with children is a section', async () => {
    const { lists, problems, published } = await listsOf({
      '_config.yml': 'theme: just-the-docs\n',
      'index.md': page('title: Home\nnav_order: 1', 'A'),
      'tools.md': page('title: Tools\nnav_order: 3', 'B'),
      'bikes/index.md': page('title: Bikes\nnav_order: 2', 'C'),
      'bikes/wheels.md': page('title: Wheels\nparent: Bikes\nnav_order: 2', 'D'),
      'bikes/brakes.md': page('title: Brakes\nparent: Bikes\nnav_order: 1', 'E'),
      'bikes/spokes.md': page('title: Spokes\nparent: Wheels\ngrand_parent: Bikes', 'F'),
      // Two pages have the title of its parent.
      'trailers.md': page('title: Trailers', 'G'),
      'trailer-wheels.md': page('title: Wheels\nparent: Trailers', 'H'),
      'hubs.md': page('title: Hubs\nparent: Wheels\ngrand_parent: Trailers', 'I'),
      'legal.md': page('title: Legal\nnav_exclude: true', 'J'),
      'lost.md': page('title: Lost\nparent: Boats', 'K'),
    });
    expect(lists).toEqual([
      'Home',
      'Tools',
      'Lost',
      ['Bikes /category/bikes/', 'Bikes', 'Brakes', ['Wheels /category/bikes/wheels/', 'Wheels', 'Spokes']],
      ['Trailers /category/trailers/', 'Trailers', ['Wheels /category/trailers/wheels/', 'Wheels', 'Hubs']],
    ]);
    expect(published).toBe(11);
    expect(problems).toEqual([
      'NAVIGATION_UNKNOWN: the page names "Boats" as its parent, which is the title of no page',
    ]);
  });

  it('lists no pages of Just the Docs that are parents of each other, and does not hang', async () => {
    const { lists, published } = await listsOf({
      '_config.yml': 'theme: just-the-docs\n',
      'a.md': page('title: A\nparent: B', 'A'),
      'b.md': page('title: B\nparent: A', 'B'),
      'c.md': page('title: C\nparent: C', 'C'),
      'd.md': page('title: D', 'D'),
    });
    expect(lists).toEqual(['C', 'D']);
    expect(published).toBe(4);
  });

  it('is .nav.yml of awesome-nav: titles, sections, patterns, and folders with their own', async () => {
    const { lists } = await listsOf({
      ...care,
      'docs/care/zoom.md': page('title: Zoom', 'F'),
      'mkdocs.yml': 'site_name: Help',
      'docs/.nav.yml': 'nav:\n  - Start: index.md\n  - care\n  - Legal:\n      - Rules: contributing.md\n',
      'docs/care/.nav.yml':
        'title: Looking after it\nnav:\n  - brakes.md\n  - glob: "z*"\n  - "*.md"\n  - "*"\n',
    });
    expect(lists).toEqual([
      'Start',
      [
        'Looking after it /care/',
        'Adjust the brakes',
        'Zoom',
        'Oil the chain',
        ['Winter /care/winter/', 'Salt'],
      ],
      ['Legal /category/legal/', 'Rules'],
    ]);
  });

  it('is nav of mkdocs.yml: order, titles and sections; other pages are published, but not listed', async () => {
    const { lists, plan, problems, published } = await listsOf({
      ...care,
      'mkdocs.yml': `theme:
  custom: !!python/name:a.b
nav:
  - index.md
  - Looking after it:
      - Chain: care/chain.md
      - care/brakes.md
      - Lost: care/lost.md
      - Shop: https://shop.example.com
      - In winter:
          - care/winter/salt.md
`,
    });
    expect(lists).toEqual([
      'Home',
      ['Looking after it /care/', 'Chain', 'Adjust the brakes', ['In winter /care/winter/', 'Salt']],
    ]);
    expect(published).toBe(5);
    expect([...plan.articles.values()].flatMap(({ pages }) => pages.get('en')?.href)).toContain(
      '/contributing/',
    );
    expect(problems).toEqual([
      'NAVIGATION_UNKNOWN: the navigation in mkdocs.yml names "care/lost.md", which is no page',
    ]);
  });

  it('is .pages of each folder', async () => {
    const { lists } = await listsOf({
      ...care,
      'mkdocs.yml': 'site_name: Help\nplugins: [awesome-pages]',
      'docs/.pages': 'nav:\n  - Start: index.md\n  - care',
      'docs/care/.pages': 'title: Care\nnav:\n  - chain.md\n  - ...\n',
    });
    expect(lists).toEqual([
      'Start',
      ['Care /care/', 'Oil the chain', 'Adjust the brakes', ['Winter /care/winter/', 'Salt']],
    ]);
  });

  it('is the sidebars of Docusaurus in JSON or TypeScript, with generated folders', async () => {
    const config =
      "export default { presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.ts') } }]] }";
    const { lists, problems } = await listsOf({
      ...care,
      'docs/care/winter/_category_.json': '{ "label": "Cold days" }',
      'docusaurus.config.js': config,
      'sidebars.ts': `import type { SidebarsConfig } from '@docusaurus/plugin-content-docs';
        const sidebars: SidebarsConfig = { docs: ['index',
          { type: 'category', label: 'All about care', link: { type: 'doc', id: 'care/brakes' }, items: [{ type: 'autogenerated', dirName: 'care' }] },
          { Other: ['missing'] } ] };
        export default sidebars;`,
    });
    expect(lists).toEqual([
      'Home',
      [
        'All about care /docs/care/',
        'Adjust the brakes',
        'Oil the chain',
        ['Cold days /docs/care/winter/', 'Salt'],
      ],
    ]);
    expect(problems).toEqual([
      'NAVIGATION_UNKNOWN: the navigation in sidebars.ts names "missing", which is no page',
    ]);
  });

  it('follows the folders where it is code, which is never run', async () => {
    const { lists, problems } = await listsOf({
      ...care,
      'docusaurus.config.js':
        "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] }",
      'sidebars.js': 'module.exports = { docs: process.exit(3) || ["index", ...makeItems()] };',
    });
    expect(lists).toEqual([
      'Home',
      'Contributing',
      ['Care /docs/care/', 'Adjust the brakes', 'Oil the chain', ['Winter /docs/care/winter/', 'Salt']],
    ]);
    expect(problems).toEqual([]);
    const broken = await listsOf({
      ...care,
      'docusaurus.config.js':
        "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] }",
      'sidebars.js': 'module.exports = {\n docs: [',
    });
    expect(broken.problems).toEqual([
      expect.stringMatching(/^NAVIGATION_UNREAD: sidebars\.js cannot be read: line 2: /),
    ]);
  });

  it('is the sidebar of Starlight, with its translations', async () => {
    const files = {
      'astro.config.mjs': `const items = ['care/chain', { label: 'Brakes', slug: 'care/brakes', translations: { de: 'Bremsen' } }];
        export default defineConfig({ integrations: [starlight({ title: 'Help', sidebar: [
          { label: 'Care', translations: { de: 'Pflege', fr: 'Soins' }, items }, { label: 'Cold', autogenerate: { directory: 'care/winter' } } ] })] })`,
      ...Object.fromEntries(Object.entries(care).map(([path, text]) => [`src/content/${path}`, text])),
      'src/content/docs/de/care/brakes.md': page('title: Bremsen einstellen', 'F'),
    };
    expect((await listsOf(files)).lists).toEqual([
      ['Care /care/', 'Oil the chain', 'Brakes'],
      ['Cold /care/winter/', 'Salt'],
    ]);
    expect((await listsOf(files, 'de')).lists[0]).toEqual(['Pflege /de/care/', 'Bremsen']);
  });

  it('is the sidebar of VitePress, also from functions that return data', async () => {
    const { lists } = await listsOf({
      ...Object.fromEntries(Object.entries(care).map(([path, text]) => [path.slice(5), text])),
      '.vitepress/config.ts': `export default defineConfig({ themeConfig: { sidebar: { '/care/': { base: '/care/', items: careItems() } } } });
        function careItems(): DefaultTheme.SidebarItem[] {
          return [{ text: 'Care', items: [{ text: 'Chain', link: 'chain' }, { text: 'Salt', link: 'winter/salt.html' }] }];
        }`,
    });
    expect(lists).toEqual([['Care /care/', 'Chain', 'Salt']]);
  });

  it('is weights and menus of Hugo, and nav_exclude of Jekyll', async () => {
    const hugo = await listsOf({
      'hugo.toml': '',
      'content/a.md': page('title: A\nmenus:\n  docs:\n    weight: 2', 'A'),
      'content/b.md': page('title: B\nweight: 1', 'B'),
    });
    expect(hugo.lists).toEqual(['B', 'A']);
    const jekyll = await listsOf({
      '_config.yml': 'title: Help',
      'a.md': page('title: A', 'A'),
      'b.md': page('title: B\nnav_exclude: true', 'B'),
    });
    expect(jekyll.lists).toEqual(['A']);
  });

  it('lists the index page of a folder first, but not one that is alone in its folder', async () => {
    const text = (title: string) => `---\ntitle: ${title}\n---\nText.\n`;
    const { lists } = await listsOf({
      'guide/alpha.md': text('Alpha'),
      'guide/index.md': text('Overview'),
      'guide/zeta/index.md': text('Zeta'),
    });
    expect(JSON.stringify(lists)).toMatch(/Overview.*Alpha.*Zeta/);
  });
});
