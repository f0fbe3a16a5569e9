import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { png } from '../site/media/images.ts';
import { layouts, page, type Tree } from '../support/folder-layouts.ts';
import { bodyOf, messages, openFolderProject, outline } from './support/folder-source.ts';

async function read(files: Tree, location = {}) {
  const project = openFolderProject(files, location);
  return { project, source: await project.read() };
}

describe('a folder as lectern pull writes it', () => {
  it('is read without a service, visibility as strictly as from one', async () => {
    const { project, source } = await read(layouts.pulled);
    expect(outline(project, source)).toMatchInlineSnapshot(`
      {
        "articles/brakes": "/Basics en: Adjust the brakes (null)",
        "articles/chain": "/Basics en: Oil the chain (null), de: Kette ölen (null)",
        "articles/prices": "draft",
        "articles/staff": "visibility-unknown",
      }
    `);
    expect(await bodyOf(project, source, 'articles/chain')).toMatchInlineSnapshot(
      `"<p>Use <img src="https://folder.invalid/images/oil.png" alt="drops" /> and see <a href="/article/<articles/brakes>#pads">brakes</a>.</p>"`,
    );
    expect(await bodyOf(project, source, 'articles/chain', 'de')).toMatchInlineSnapshot(
      `"<p>Mit <img src="https://folder.invalid/images/oil.png" alt="Tropfen">.</p>"`,
    );
    expect(messages(source.problems)).toMatchInlineSnapshot(`
      [
        "VISIBILITY_UNKNOWN: is_private cannot be read",
      ]
    `);
  });

  it('is recognised by the state of the last pull whatever else is in it: translations of drafts stay hidden', async () => {
    const project = openFolderProject({
      '.lectern-sync.json': '{}',
      'articles/notes.md': '# How we write',
      'articles/a/en.md': page('title: A\nis_published: true\nis_private: false', 'x'),
      'articles/b/en.md': page(
        `article_id: bbbbbbbbbb\ntitle: TOPSECRET\nis_published: false\nis_private: false`,
        'x',
      ),
      'articles/b/de.md': page(`title: TOPSECRET`, 'x'),
    });
    const source = await project.read();
    expect(outline(project, source)).toEqual({ 'articles/a': 'en: A (null)', 'articles/b': 'draft' });
    expect(messages(source.problems)).toEqual([
      'FILE_IGNORED: articles/notes.md is not in the folder of a record',
    ]);
  });

  it('may have files about itself at any level, which are neither published nor reported', async () => {
    const { project, source } = await read({
      ...layouts.pulled,
      'LICENSE.md': 'TOPSECRET',
      'CHANGELOG.md': 'TOPSECRET',
      'articles/README.md': '# How we write',
      'articles/readme.de.html': 'TOPSECRET',
      'articles/chain/README.md': 'TOPSECRET',
      'categories/License-MIT.md': 'TOPSECRET',
    });
    const plain = await read(layouts.pulled);
    expect(outline(project, source)).toEqual(outline(plain.project, plain.source));
    expect(messages(source.problems)).toEqual(messages(plain.source.problems));
  });

  it('reports other pages outside of the folders of records', async () => {
    const { source } = await read({
      ...layouts.pulled,
      '.lectern-sync.json': '{}',
      'articles/readmes.md': 'x',
    });
    expect(messages(source.problems)).toContain(
      'FILE_IGNORED: articles/readmes.md is not in the folder of a record',
    );
  });

  it.each([
    [
      'mkdocs.yml',
      'site_name: T\n',
      'site_name: T\nmarkdown_extensions: [pymdownx.arithmatex]\n',
      'docs/a.md',
    ],
    [
      'docusaurus.config.js',
      'export default {};',
      'import m from "remark-math"; export default {};',
      'docs/a.md',
    ],
  ])(
    'is rendered again after a change of %s, also if no page changed',
    async (config, before, after, page) => {
      const project = openFolderProject({ [config]: before, [page]: '# A\n\n$x^2$\n' });
      expect(await bodyOf(project, await project.read(), page)).not.toContain('<math');
      project.write({ [config]: after });
      expect(await bodyOf(project, await project.read(), page)).toContain('<math');
    },
  );

  it('is read again if and only if a file was written, added or removed', async () => {
    const text = (title: string) => page(`title: ${title}\nis_published: true\nis_private: false`, '*x*');
    const project = openFolderProject({ 'articles/a/en.md': text('A'), 'articles/b/en.md': text('B') });
    const titles = async () =>
      (await project.read({ allowMassDelete: true })).knowledgeBase.articles
        .flatMap(({ translations }) => translations.map(({ title }) => title))
        .sort();
    expect(await titles()).toEqual(['A', 'B']);
    project.write({ 'articles/a/en.md': text('A longer'), 'articles/c/en.md': text('C') });
    expect(await titles()).toEqual(['A longer', 'B', 'C']);
    rmSync(join(project.root, 'articles/b'), { recursive: true });
    expect(await titles()).toEqual(['A longer', 'C']);
  });

  it('takes own texts in another language than the default one for a translation', async () => {
    const files = {
      'articles/a/de.md': page(
        'article_id: aaaaaaaaaa\ntitle: Hallo\nis_published: true\nis_private: false',
        'x',
      ),
    };
    const project = openFolderProject(files);
    const source = await project.read({ allowMassDelete: true });
    expect(source.knowledgeBase.articles[0]?.translations).toMatchObject([
      { language: 'de', title: 'Hallo' },
    ]);
  });
});

describe('a folder of Docusaurus', () => {
  it.each([
    ['', '2.0', 'current, 1.0'],
    ["lastVersion: 'current'", 'current', '2.0, 1.0'],
    ["const last = '1.0'; export default { lastVersion: last, includeCurrentVersion: false }", '1.0', '2.0'],
    ["lastVersion: '../../etc'", 'current', '2.0, 1.0'],
  ])('with versions and the configuration %j publishes %s', async (config, shown, others) => {
    const folder = shown === 'current' ? 'docs' : `versioned_docs/version-${shown}`;
    const name = shown === 'current' ? shown : `version-${shown}`;
    const translation = `i18n/de/docusaurus-plugin-content-docs/${name}/a.md`;
    const { project, source } = await read({
      'docusaurus.config.js': config,
      'versions.json': '["2.0", "1.0"]',
      'docs/a.md': page('title: A', 'current'),
      'versioned_docs/version-2.0/a.md': page('title: A', '2.0'),
      'versioned_docs/version-1.0/a.md': page('title: A', '1.0'),
      [translation]: page('title: Ah', 'Text'),
      'i18n/de/docusaurus-plugin-content-docs/version-0.1/a.md': page('title: Old', 'Text'),
    });
    expect(outline(project, source)).toEqual({ [`${folder}/a.md`]: 'en: A (a), de: Ah (a)' });
    expect(messages(source.problems)).toEqual([
      `VERSION_IGNORED: ${folder} is published; these versions are not: ${others}`,
    ]);
  });

  it('gives pages, categories, translations, and links by file and by URL', async () => {
    const { project, source } = await read(layouts.docusaurus);
    expect(outline(project, source)).toMatchInlineSnapshot(`
      {
        "docs/basics/01-chain.md": "/The basics en: Oil the chain (chain), de: Kette ölen (chain)",
        "docs/brakes.md": "en: Adjust the brakes (brakes)",
        "docs/hidden.md": "private",
        "docs/index.md": "en: Welcome (null)",
        "docs/prices.md": "draft",
      }
    `);
    expect(await bodyOf(project, source, 'docs/basics/01-chain.md')).toMatchInlineSnapshot(`
      "<div class="tip-callout">
      <p><strong>Less is more</strong></p>
      <p>One drop.</p>
      </div>
      <p><img src="https://folder.invalid/docs/basics/oil.png" alt="drops" /> <img src="https://folder.invalid/static/img/logo.png" alt="logo" /> <a href="/article/<docs/brakes.md>#pads">brakes</a> <a href="/article/<docs/brakes.md>">by address</a></p>"
    `);
    expect(await bodyOf(project, source, 'docs/basics/01-chain.md', 'de')).toMatchInlineSnapshot(
      `"<p>Ein Tropfen. <a href="/article/<docs/brakes.md>">Bremsen</a></p>"`,
    );
    expect(await bodyOf(project, source, 'docs/brakes.md')).toMatchInlineSnapshot(`
      "<h2 id="pads">The pads</h2>
      <p>Turn.</p>"
    `);
    expect(source.problems).toEqual([]);
    expect(source.knowledgeBase.articles.find(({ tags }) => tags.length > 0)).toMatchObject({
      tags: ['care', 'Winter'],
      updatedAt: '2026-03-01T00:00:00.000Z',
      sortOrder: 1,
    });
  });
});

describe('a translation whose page does not exist', () => {
  const i18n = (language: string, path: string) =>
    `i18n/${language}/docusaurus-plugin-content-docs/current/${path}`;

  it('is excluded and named in a folder of Docusaurus, which lists only the pages in docs/', async () => {
    const { project, source } = await read({
      ...layouts.docusaurus,
      'docs/kept.mdx': page('title: Kept', 'See [it](./old.md).'),
      [i18n('de', 'old.md')]: page('title: TOPSECRET', 'TOPSECRET'),
      [i18n('fr', 'old.md')]: page('title: TOPSECRET', 'TOPSECRET'),
      // Each of these is an error in a page that is read.
      [i18n('fr', 'broken.md')]: '---\ntitle: [\n---\nTOPSECRET',
      [i18n('fr', 'kept.md')]: page('title: TOPSECRET', 'TOPSECRET'),
      [i18n('fr', 'kept.mdx')]: page('title: Conservé', '![only here](./only.png) [old](./old.md)'),
      [i18n('fr', 'only.png')]: png(10, 10),
      [i18n('fr', '_partial.md')]: 'TOPSECRET',
    });
    const {
      [i18n('fr', 'broken.md')]: broken,
      [i18n('de', 'old.md')]: old,
      ...rest
    } = outline(project, source);
    expect([broken, old]).toEqual(['no-source', 'no-source']);
    const plain = await read(layouts.docusaurus);
    expect(rest).toEqual({
      ...outline(plain.project, plain.source),
      'docs/kept.mdx': 'en: Kept (kept), fr: Conservé (kept)',
    });
    expect(source.stats).toMatchObject({ excluded: { 'no-source': 2 }, languages: { en: 4, de: 1, fr: 1 } });
    expect(messages(source.problems)).toMatchInlineSnapshot(`
      [
        "LINK_BROKEN: the link "./old.md" in docs/kept.mdx points to a file that does not exist",
        "LINK_BROKEN: the link "./old.md" in i18n/fr/docusaurus-plugin-content-docs/current/kept.mdx points to a file that does not exist",
        "TRANSLATION_WITHOUT_SOURCE: docs/broken.md does not exist, so its translations are not published: fr",
        "TRANSLATION_WITHOUT_SOURCE: docs/kept.md does not exist, so its translations are not published: fr",
        "TRANSLATION_WITHOUT_SOURCE: docs/old.md does not exist, so its translations are not published: de, fr",
      ]
    `);
    expect(await bodyOf(project, source, 'docs/kept.mdx', 'fr')).toMatchInlineSnapshot(
      `"<p><img src="https://folder.invalid/i18n/fr/docusaurus-plugin-content-docs/current/only.png" alt="only here" /> <a>old</a></p>"`,
    );
  });

  it('leaves the id of its old path to the page that was renamed', async () => {
    const { project, source } = await read({
      'docusaurus.config.js': '',
      'docs/old.md': page('title: Old', 'Text.'),
      [i18n('de', 'old.md')]: page('title: Alt', 'Text.'),
    });
    const id = project.adapter.toArticleId('docs/old.md') as string;
    rmSync(join(project.root, 'docs/old.md'));
    project.write({ 'docs/new.md': page(`title: New\narticle_id: ${id}`, 'Text.') });
    const renamed = await project.read({ allowMassDelete: true });
    expect(outline(project, renamed)).toEqual({ 'docs/new.md': 'en: New (new)' });
    expect(renamed.knowledgeBase.articles.map((article) => article.id)).toEqual([id]);
    expect(source.stats.published).toBe(1);
  });

  it.each([
    ['Starlight', { 'astro.config.mjs': '' }, 'src/content/docs/', 'de/old.md'],
    ['MkDocs, as its i18n plugin does by folder', { 'mkdocs.yml': '' }, 'docs/', 'de/old.md'],
    ['MkDocs, as its i18n plugin does by suffix', { 'mkdocs.yml': '' }, 'docs/', 'old.de.md'],
    ['Hugo', { 'hugo.toml': '[languages.en]\n[languages.de]' }, 'content/', 'old.de.md'],
    ['no generator', {}, '', 'old.de.md'],
  ])('is published in its own language in a folder of %s', async (_name, project, folder, old) => {
    const translated = old.startsWith('de/') ? 'de/kept.md' : 'kept.de.md';
    const { project: opened, source } = await read({
      ...project,
      [`${folder}kept.md`]: page('title: Kept', 'Text.'),
      [`${folder}${translated}`]: page('title: Behalten', 'Text.'),
      [`${folder}${old}`]: page('title: Alt', 'Text.'),
    });
    expect(outline(opened, source)).toEqual({
      [`${folder}kept.md`]: 'en: Kept (kept), de: Behalten (kept)',
      [`${folder}${old}`]: 'de: Alt (old)',
    });
    expect(messages(source.problems)).toEqual([]);
  });

  it('is published from a pulled folder only if its own front matter says that the article is public', async () => {
    const { project, source } = await read({
      ...layouts.pulled,
      'articles/open/de.md': page('title: Offen\nis_published: true\nis_private: false', 'Text.'),
      'articles/shut/de.md': page('title: TOPSECRET', 'TOPSECRET'),
    });
    expect(outline(project, source)).toMatchObject({
      'articles/open': 'de: Offen (null)',
      'articles/shut': 'visibility-unknown',
    });
  });
});

describe('a folder of Starlight', () => {
  it('gives pages, locale folders, and links by URL', async () => {
    const { project, source } = await read(layouts.starlight);
    expect(outline(project, source)).toMatchInlineSnapshot(`
      {
        "src/content/docs/guides/brakes.md": "/Guides en: Adjust the brakes (brakes)",
        "src/content/docs/guides/chain.md": "/Guides en: Oil the chain (chain), de: Kette ölen (chain)",
        "src/content/docs/guides/prices.md": "draft",
        "src/content/docs/index.mdx": "no-content",
      }
    `);
    expect(await bodyOf(project, source, 'src/content/docs/guides/chain.md')).toMatchInlineSnapshot(`
      "<div class="caution-callout">
      <p>One drop.</p>
      </div>
      <p><img src="https://folder.invalid/src/assets/oil.png" alt="drops" /></p>
      <p><a href="/article/<src/content/docs/guides/brakes.md>#pads">brakes</a> and <a href="/article/<src/content/docs/guides/brakes.md>">again</a></p>"
    `);
    expect(await bodyOf(project, source, 'src/content/docs/guides/chain.md', 'de')).toMatchInlineSnapshot(
      `"<p>Ein Tropfen. <a href="/article/<src/content/docs/guides/brakes.md>">Bremsen</a></p>"`,
    );
    expect(messages(source.problems)).toMatchInlineSnapshot(`
      [
        "ARTICLE_NOT_PUBLISHABLE: there is a title but no text below it",
        "MARKUP_UNKNOWN: <Staff> in src/content/docs/index.mdx, line 5, is not published",
        "TRANSLATION_INCOMPLETE: en has no body",
      ]
    `);
  });
});

describe('a page of MDX', () => {
  it('is read without code and unknown components, which are reported', async () => {
    const { project, source } = await read({
      'guide.mdx':
        'import { Card } from \'x\';\n\n# Guide\n\n<Card title="Tools">\nA [wrench](tools.mdx).\n</Card>\n',
      'tools.mdx': '# Tools\n\nText.',
      'staff.mdx': '# Staff\n\n{isStaff && "TOPSECRET"}',
    });
    expect(await bodyOf(project, source, 'guide.mdx')).toBe(
      '<p><strong>Tools</strong></p>\n<p>A <a href="/article/<tools.mdx>">wrench</a>.</p>\n',
    );
    expect(messages(source.problems)).toEqual([
      'ARTICLE_NOT_PUBLISHABLE: there is a title but no text below it',
      'MARKUP_UNKNOWN: {…} in staff.mdx, line 3, is not published',
      'TRANSLATION_INCOMPLETE: en has no body',
    ]);
  });
});

describe('a page whose Markdown takes too much work', () => {
  it('is published as it is written, and reported each time it is read', async () => {
    const { project, source } = await read({
      'deep.md': `# Deep\n\n${'- '.repeat(200)}*x*\n`,
      'b.md': '# B\n\n*b*',
    });
    expect(await bodyOf(project, source, 'deep.md')).toContain(`${'- '.repeat(200)}*x*`);
    expect(await bodyOf(project, source, 'b.md')).toBe('<p><em>b</em></p>');
    const again = await project.read();
    for (const { problems } of [source, again]) {
      expect(problems).toMatchObject([
        {
          code: 'MARKDOWN_LITERAL',
          articleId: project.adapter.toArticleId('deep.md'),
          message: 'the Markdown of deep.md is published as text',
        },
      ]);
    }
  });

  it('is reported in a pulled folder too', async () => {
    const { source } = await read({
      '.lectern-sync.json': '{}',
      'articles/deep/en.md': page(
        'title: Deep\nis_published: true\nis_private: false',
        `${'- '.repeat(200)}*x*`,
      ),
    });
    expect(messages(source.problems)).toContain(
      'MARKDOWN_LITERAL: the Markdown of articles/deep/en.md is published as text',
    );
  });
});

describe('a folder of MkDocs', () => {
  it('gives pages without front matter, suffixes of languages, and admonitions', async () => {
    const { project, source } = await read(layouts.mkdocs);
    expect(outline(project, source)).toMatchInlineSnapshot(`
      {
        "docs/basics/brakes.md": "/Basics en: Adjust the brakes (brakes)",
        "docs/basics/chain.md": "/Basics en: Oil the chain (chain), de: Kette ölen (chain)",
        "docs/config.ts.md": "en: A file in TypeScript (config.ts)",
        "docs/index.md": "en: Welcome (null)",
        "docs/prices.md": "draft",
      }
    `);
    expect(await bodyOf(project, source, 'docs/basics/chain.md')).toMatchInlineSnapshot(`
      "<div class="warning-callout">
      <p><strong>Careful</strong></p>
      <p>One drop.</p>
      <pre><code>!!! not a note
      </code></pre>
      </div>
      <p><img src="https://folder.invalid/docs/basics/img/oil.png" alt="drops" /></p>
      <p>See <a href="/article/<docs/basics/brakes.md>#pads">brakes</a>.</p>"
    `);
    expect(source.problems).toEqual([]);
  });

  it.each([
    'docs_dir: pages',
    'docs_dir: docs\r\ndocs_dir: ./pages/ # ours\r\n',
    'docs_dir:\n  pages',
    '\uFEFF"docs_dir" : \'pages\'',
    'markdown_extensions:\n  - x:\n      docs_dir: other\n      y: !!python/name:z.y\ndocs_dir: .\\pages',
  ])('reads the folder that its configuration names: %j', async (configuration) => {
    const { project, source } = await read({
      'mkdocs.yml': configuration,
      'pages/a.md': '![drops](oil.png)',
      'pages/oil.png': layouts.pulled['images/oil.png'],
      'docs/b.md': 'TOPSECRET',
    });
    expect(outline(project, source)).toEqual({ 'pages/a.md': 'en: A (a)' });
    expect(source.problems).toEqual([]);
  });

  it('does not follow a link as its folder', async () => {
    const project = openFolderProject({ 'mkdocs.yml': 'docs_dir: pages' });
    const outside = openFolderProject({ 'b.md': 'TOPSECRET' });
    symlinkSync(outside.root, join(project.root, 'pages'));
    const source = await project.read({ allowMassDelete: true });
    expect(outline(project, source)).toEqual({});
    expect(messages(source.problems)).toEqual(['SYMLINK_SKIPPED: pages is not a regular file']);
  });
});

describe('a folder of Hugo', () => {
  it.each([
    ['build: { render: never, list: local }', 'private'],
    ['build: { list: never }', 'private'],
    ['build: { render: always, list: local, publishResources: false }', 'en: A (a)'],
    ['build: { render: sometimes }', 'visibility-unknown'],
    ['draft: true', 'draft'],
    ['params: { color: red }', 'en: A (a)'],
    ['target: { path: /x/** }\n  draft: true', 'draft'],
    ['target: { path: "/{y,z}/**" }\n  draft: true', 'en: A (a)'],
    ['target: { kind: section }\n  draft: true', 'en: A (a)'],
    ['target: { kind: page, lang: en, environment: production }\n  draft: true', 'draft'],
    ['target: { sites: { matrix: {} } }\n  draft: true', 'visibility-unknown'],
    ['- target: { path: /x/a }\n    draft: false\n  - draft: true', 'en: A (a)'],
  ])('reads the cascade %j as %s', async (cascade, expected) => {
    const { project, source } = await read({
      'hugo.toml': '',
      'content/home.md': '# Home\n\nText.',
      'content/x/_index.md': page(`cascade:\n  ${cascade}`, ''),
      'content/x/a.md': page('title: A', 'Text.'),
    });
    expect(String(outline(project, source)['content/x/a.md'])).toContain(expected);
  });

  it('makes no pages of the files of a bundle, and applies the cascade of the configuration', async () => {
    const { project, source } = await read({
      'hugo.toml': "[[cascade]]\n[cascade.build]\nrender = 'never'\n[cascade.target]\npath = '/internal/**'",
      'content/home.md': page('title: Home', 'Text.'),
      'content/post/index.md': page('title: Post', 'Text.'),
      'content/post/part.md': page('title: Part', 'TOPSECRET'),
      'content/post/more/part.md': page('title: More', 'TOPSECRET'),
      'content/internal/a.md': page('title: A', 'TOPSECRET'),
    });
    expect(outline(project, source)).toEqual({
      'content/home.md': 'en: Home (home)',
      'content/post/index.md': 'en: Post (post)',
      'content/internal/a.md': 'private',
    });
  });

  it('gives sections, bundles, dates of publication, and links by shortcode', async () => {
    const { project, source } = await read(layouts.hugo);
    expect(outline(project, source)).toMatchInlineSnapshot(`
      {
        "content/basics/brakes.md": "/The basics en: Adjust the brakes (brakes)",
        "content/basics/chain/index.md": "/The basics en: Oil the chain (chain), de: Kette ölen (chain)",
        "content/basics/later.md": "draft",
        "content/basics/over.md": "draft",
        "content/internal/wages.md": "draft",
      }
    `);
    expect(await bodyOf(project, source, 'content/basics/chain/index.md')).toMatchInlineSnapshot(`
      "<p><img src="https://folder.invalid/content/basics/chain/oil.png" alt="drops" /></p>
      <p><a href="/article/<content/basics/brakes.md>">brakes</a></p>
      <iframe src="https://www.youtube-nocookie.com/embed/abc" title="YouTube"></iframe>
      "
    `);
    expect(messages(source.problems)).toEqual([]);
    expect(source.knowledgeBase.categories[0]?.translations).toMatchObject([
      { language: 'en', title: 'The basics', description: 'Where to begin' },
      { language: 'de', title: 'Die Grundlagen' },
    ]);
  });

  it.each([
    [{ 'hugo.toml': '[languages.de]\nweight = 2' }],
    [{ 'config.yaml': 'Languages:\n  de: { weight: 2 }' }],
    [{ 'config/_default/languages.json': '{ "de": {} }' }],
    [{ 'hugo.toml': '', 'content/other/two.md': 'Two', 'content/other/two.de.md': 'Zwei' }],
  ])('takes a suffix for a language that the site has: %j', async (site) => {
    const { project, source } = await read({
      ...site,
      'content/a.md': 'Text.',
      'content/third.de.md': '# Drei\n\nText.',
    });
    expect(outline(project, source)).toMatchObject({ 'content/third.de.md': 'de: Drei (third)' });
    expect(source.problems).toEqual([]);
  });

  it.each([
    { 'hugo.toml': '[languages.de]\ndisabled = true\n[languages.en]' },
    { 'config.yaml': 'disablelanguages: [de]\nlanguages: { de: {}, en: {} }' },
    { 'config/_default/languages.json': '{ "de": { "Disabled": true }, "en": {} }' },
    {
      'hugo.toml': '[languages.de]\n[languages.en]',
      'config/production/hugo.toml': 'disableLanguages = ["de"]',
    },
    { 'hugo.toml': '', 'config/production/config.yaml': 'languages: { de: { disabled: true }, en: {} }' },
    {
      'config/_default/languages.toml': '[de]\n[en]',
      'config/production/languages.toml': '[de]\ndisabled = true',
    },
    { 'hugo.yaml': 'languages:\n  de:\n    disabled: True\n  en: {}' },
    { 'hugo.toml': '[languages.de]\ndisabled = "true"\n[languages.en]' },
    { 'hugo.toml': 'disableLanguages = "de"\n[languages.de]\n[languages.en]' },
  ])('publishes no language that the site disables: %j', async (site) => {
    const { project, source } = await read({
      ...site,
      'content/a.md': 'Text.',
      'content/a.de.md': 'TOPSECRET',
      'content/b.de.md': 'TOPSECRET',
      'content/de/c.md': 'TOPSECRET',
    });
    expect(outline(project, source)).toEqual({
      'content/a.md': 'en: A (a)',
      'content/b.de.md': 'other-language',
      'content/de/c.md': 'other-language',
    });
    expect(source.listSkippedTranslations()).toMatchObject([{ language: 'de' }]);
    expect(source.problems).toEqual([]);
  });

  it('publishes a language that the site disables, but not in production', async () => {
    const { project, source } = await read({
      'config/_default/hugo.toml': 'disableLanguages = ["fr"]\n[languages.de]\ndisabled = true',
      'config/production/hugo.toml': 'disableLanguages = []\n[languages.de]\ndisabled = false',
      'content/start.md': 'Text.',
      'content/de/a.md': 'Text.',
      'content/fr/b.md': 'Text.',
    });
    expect(outline(project, source)).toEqual({
      'content/start.md': 'en: Start (start)',
      'content/de/a.md': 'de: A (a)',
      'content/fr/b.md': 'fr: B (b)',
    });
  });

  it.each([
    {
      'hugo.toml':
        '[languages.de]\ndisabled = true\ncontentDir = "content/german/"\n[languages.en]\ncontentDir = "content"',
    },
    {
      'config/_default/languages.toml': '[de]\ncontentDir = "./content/german"\n[en]',
      'config/production/hugo.toml': 'disableLanguages = "de"',
    },
  ])('publishes nothing of the folder of a language that the site disables: %j', async (site) => {
    const { project, source } = await read({
      ...site,
      'content/a.md': 'Text.',
      'content/germany.md': 'Text.',
      'content/german/a.md': 'TOPSECRET',
      'content/german/deep/b.md': 'TOPSECRET',
    });
    expect(outline(project, source)).toMatchObject({
      'content/a.md': 'en: A (a)',
      'content/german/a.md': 'other-language',
      'content/german/deep/b.md': 'other-language',
      'content/germany.md': 'en: Germany (germany)',
    });
  });

  it('publishes the folder of a language inside of that of a disabled one, and one that both share', async () => {
    const nested = await read({
      'hugo.toml':
        '[languages.de]\ndisabled = true\ncontentDir = "content"\n[languages.en]\ncontentDir = "content/english"',
      'content/a.md': 'TOPSECRET',
      'content/english/b.md': 'Text.',
    });
    expect(outline(nested.project, nested.source)).toMatchObject({
      'content/a.md': 'other-language',
      'content/english/b.md': expect.stringContaining('en: B (b)'),
    });
    const shared = await read({
      'hugo.toml': '[languages.de]\ndisabled = true\ncontentDir = "content"\n[languages.en]',
      'content/a.md': 'Text.',
      'content/a.de.md': 'TOPSECRET',
    });
    expect(outline(shared.project, shared.source)).toEqual({ 'content/a.md': 'en: A (a)' });
  });

  it.each([
    {
      'config.yml':
        'languages:\n  en: { contentDir: content/en }\n  de: { contentDir: ./deutsch/ }\n  pt_BR: { contentDir: content/portuguese }',
    },
    {
      'config/_default/languages.toml':
        '[en]\ncontentDir = "content/en"\n[de]\ncontentDir = "deutsch"\n[pt-br]\ncontentDir = "content/portuguese"',
    },
  ])('reads the folder of each language: %j', async (site) => {
    const { project, source } = await read({
      ...site,
      'content/en/guides/a.md': 'See [b](b.md).',
      'content/en/guides/b.md': 'Text.',
      'deutsch/guides/a.md': 'Siehe [b](b.md).',
      'content/portuguese/guides/a.md': 'Texto.',
    });
    expect(outline(project, source)).toEqual({
      'content/en/guides/a.md': expect.stringMatching(/^\/Guides en: A \(a\), de: A \(a\), pt-BR: A \(a\)$/i),
      'content/en/guides/b.md': '/Guides en: B (b)',
    });
    expect(await bodyOf(project, source, 'content/en/guides/a.md', 'de')).toContain('href="/article/');
    expect(source.problems).toEqual([]);
  });

  it('reads the folder of the site that its configuration names, but none outside of the project', async () => {
    const { project, source } = await read({
      'hugo.toml': 'contentDir = "pages"\n[languages.en]\n[languages.de]\ncontentDir = "../other"',
      'pages/a.md': 'Text.',
      'pages/a.de.md': 'Text.',
      'content/b.md': 'Text.',
    });
    expect(outline(project, source)).toEqual({ 'pages/a.md': 'en: A (a), de: A (a)' });
    expect(messages(source.problems)).toEqual([
      'FILE_SKIPPED: ../other is read only if contentDir is a folder inside the project',
    ]);
  });

  it.each([
    ['../shared', 'TOP', '../shared is read only if contentDir is a folder inside the project'],
    ['.', 'TOP', '. is read only if contentDir is a folder inside the project'],
    ['C:/site/content', 'TOP', 'C:/site/content is read only if contentDir is a folder inside the project'],
    ['pagez', 'TOP', 'the contentDir pagez does not exist'],
    ['pagez', 'LANGUAGE', 'the contentDir pagez does not exist'],
  ])('reads nothing if contentDir is %s (%s)', async (folder, where, why) => {
    const contentDir = `contentDir = "${folder}"`;
    const [top, language] = where === 'TOP' ? [contentDir, ''] : ['', contentDir];
    for (const name of ['hugo.toml', 'config.toml']) {
      const project = openFolderProject({
        [name]: `${top}\ndisableLanguages = ["de"]\n[languages.en]\n${language}\n[languages.de]`,
        'content/a.md': 'Text.',
        'content/a.de.md': 'TOPSECRET',
        'archetypes/x.md': 'TOPSECRET',
        'themes/t/README.md': 'TOPSECRET',
      });
      await expect(project.read()).rejects.toMatchObject({ code: 'FOLDER_INVALID', message: why });
    }
  });

  it.each([
    [{ 'hugo.toml': '' }, 'the contentDir content does not exist'],
    [{ 'config/_default/params.toml': '' }, 'the contentDir content does not exist'],
    [{ 'config.toml': 'contentDir = "content"' }, 'the contentDir content does not exist'],
    [
      { 'config.yml': 'languages: { de: { contentDir: x, disabled: true } }' },
      'the contentDir content does not exist',
    ],
    [{ 'config.toml': 'contentDir =' }, expect.stringContaining('config.toml cannot be read')],
  ])('reads nothing of a site without its folder: %j', async (site, message) => {
    const project = openFolderProject({ ...site, 'archetypes/x.md': 'TOPSECRET' });
    await expect(project.read()).rejects.toMatchObject({ code: 'FOLDER_INVALID', message });
  });

  it('takes a folder for one of pages if only its config.yml could be of Hugo, but hides disabled languages', async () => {
    const { project, source } = await read({
      'config.yml': 'languages: { en: {}, de: { disabled: true } }',
      'a.md': 'Text.',
      'b.de.md': 'TOPSECRET',
    });
    expect(outline(project, source)).toEqual({ 'a.md': 'en: A (a)', 'b.de.md': 'other-language' });
    expect(source.problems).toEqual([]);
    const pages = await read({
      'config.yml': 'title: x',
      'mkdocs.yml': '',
      'docs/a.md': 'Text.',
      'b.md': 'x',
    });
    expect(outline(pages.project, pages.source)).toEqual({ 'docs/a.md': 'en: A (a)' });
  });

  it.each(['config.yml', 'config.toml'])('ignores a broken %s if nothing else is of Hugo', async (name) => {
    const { project, source } = await read({ [name]: '{ key = [', 'a.md': 'Text.' });
    expect(outline(project, source)).toEqual({ 'a.md': 'en: A (a)' });
    expect(source.problems).toEqual([]);
  });

  it.each<Tree>([
    { 'content/a.md': 'Text.' },
    { 'archetypes/default.md': 'Text.' },
    { 'layouts/index.html': 'x' },
    { 'themes/a/theme.toml': '' },
    { 'config.yml': 'baseurl: x\n  y: {' },
    { 'config.yml': 'contentDir: x\n  y: {' },
    { 'config.yml': 'disableLanguages: [de' },
    { 'config.yml': new Uint8Array([0xff, 0xfe, 0x41, 0]) },
    { 'hugo.toml': '' },
  ])('reads nothing if a broken config.yml may be of Hugo: %j', async (site) => {
    const project = openFolderProject({ 'config.yml': '{ key = [', 'b.md': 'TOPSECRET', ...site });
    await expect(project.read()).rejects.toMatchObject({
      code: 'FOLDER_INVALID',
      message: expect.stringContaining('config.yml cannot be read'),
    });
  });

  it('still reads a folder that lectern pull wrote', async () => {
    const { project, source } = await read({ 'hugo.toml': 'contentDir = "pagez"', ...layouts.pulled });
    expect(outline(project, source)).toMatchObject({ 'articles/prices': 'draft' });
  });

  it('reads only the folders of the languages if each has its own', async () => {
    const { project, source } = await read({
      'hugo.toml':
        '[languages.en]\ncontentDir = "content/en"\n[languages.de]\ncontentDir = "content/de"\n[languages.fr]\ndisabled = true\n[languages.it]\ncontentDir = "content/itt"',
      'content/en/a.md': 'Text.',
      'content/de/a.md': 'Text.',
      'content/b.md': 'TOPSECRET',
      'content/private/b.md': 'TOPSECRET',
      'content/es/c.md': 'TOPSECRET',
      'content/it/d.md': 'TOPSECRET',
    });
    expect(outline(project, source)).toEqual({ 'content/en/a.md': 'en: A (a), de: A (a)' });
    expect(messages(source.problems)).toEqual(['FILE_SKIPPED: the contentDir content/itt does not exist']);
  });

  it('does not treat every suffix that looks like a language as one', async () => {
    const { project, source } = await read({
      'hugo.toml': '[languages.fr]',
      'content/third.de.md': '# Drei\n\nText.',
      'content/vite.config.ts.md': '# Vite\n\nText.',
    });
    expect(outline(project, source)).toEqual({
      'content/third.de.md': 'en: Drei (third.de)',
      'content/vite.config.ts.md': 'en: Vite (vite.config.ts)',
    });
  });

  it.each([
    [
      { 'hugo.toml': 'disableLanguages = ["de"]\n[languages' },
      'hugo.toml cannot be read: Invalid TOML document: incomplete key-value: cannot find end of key at line 2, column 2',
    ],
    [
      { 'hugo.yaml': 'title: x', 'config/production/languages.yaml': 'de: { disabled: true' },
      expect.stringMatching(
        /^config\/production\/languages\.yaml cannot be read: line 1: .* does not end with \}/,
      ),
    ],
    [{ 'config.json': '{' }, expect.stringContaining('config.json cannot be read: ')],
  ])(
    'reads nothing if the configuration cannot be read, since it may disable languages: %j',
    async (site, message) => {
      const project = openFolderProject({
        ...site,
        'content/a.md': 'Text.',
        'content/a.de.md': 'TOPSECRET',
        'content/b.md': 'Text.',
      });
      await expect(project.read()).rejects.toMatchObject({
        code: 'FOLDER_INVALID',
        message,
        hint: 'correct the configuration, or choose the folder of the pages as the source; nothing was read from the folder',
      });
    },
  );

  it.each([
    { 'mkdocs.yml': '', 'docs/a.md': 'Text.' },
    { 'docusaurus.config.js': '', 'docs/a.md': 'Text.', 'content/b.md': 'TOPSECRET' },
  ])('ignores a broken config.yml in a project of another generator: %j', async (site) => {
    const { project, source } = await read({ 'config.yml': '{', ...site });
    expect(outline(project, source)).toEqual({ 'docs/a.md': 'en: A (a)' });
    expect(source.problems).toEqual([]);
  });

  it('reads folders that the configuration spells with backslashes', async () => {
    const { project, source } = await read({
      'hugo.toml':
        "[languages.en]\ncontentDir = 'content\\en'\n[languages.de]\ncontentDir = '.\\content\\de\\'\ndisabled = true",
      'content/en/a.md': 'Text.',
      'content/de/b.md': 'TOPSECRET',
    });
    expect(outline(project, source)).toEqual({ 'content/en/a.md': 'en: A (a)' });
    expect(source.problems).toEqual([]);
  });

  it('finds the target of ref on the whole site if only one page has the name', async () => {
    const { project, source } = await read({
      'hugo.toml': '',
      'content/start/a.md':
        '[1]({{< ref "second.md#x" >}}) [2]({{% relref "bundle" %}}) [3]({{< ref "deep/er/second.md" >}}) [4]({{< ref "twice.md" >}})',
      'content/start/here.md': '[own]({{< ref "twice.md" >}})',
      'content/start/twice.md': 'Own.',
      'content/deep/er/second.md': 'Two.',
      'content/deep/bundle/index.md': 'Bundle.',
      'content/one/three.md': '[draft]({{< ref "half" >}}) [both]({{< ref "twice.md" >}}) [plain](second.md)',
      'content/deep/twice.md': 'Another.',
      'content/deep/half.md': 'Public.',
      'content/old/half.md': page('draft: true', 'TOPSECRET'),
    });
    expect(await bodyOf(project, source, 'content/start/a.md')).toMatchInlineSnapshot(
      `"<p><a href="/article/<content/deep/er/second.md>#x">1</a> <a href="/article/<content/deep/bundle/index.md>">2</a> <a href="/article/<content/deep/er/second.md>">3</a> <a href="/article/<content/start/twice.md>">4</a></p>"`,
    );
    expect(await bodyOf(project, source, 'content/one/three.md')).toMatchInlineSnapshot(
      `"<p><a href="/article/<content/deep/half.md>">draft</a> <a>both</a> <a>plain</a></p>"`,
    );
    expect(messages(source.problems)).toMatchInlineSnapshot(`
      [
        "LINK_BROKEN: the link "second.md" in content/one/three.md points to a file that does not exist",
        "LINK_BROKEN: the link "twice.md" in content/one/three.md is ambiguous: content/deep/twice.md or content/start/twice.md",
      ]
    `);
  });
});

describe('a project of another site generator without its folder of pages', () => {
  it.each([
    [{ 'docusaurus.config.ts': '' }, 'docusaurus.config.ts: the folder docs does not exist'],
    [{ 'astro.config.mjs': '' }, 'astro.config.mjs: the folder src/content/docs does not exist'],
    [{ 'mkdocs.yml': '' }, 'mkdocs.yml: the folder docs does not exist'],
    [{ 'mkdocs.yml': 'docs_dir: pagez' }, 'mkdocs.yml: the folder pagez does not exist'],
    ...['..', '../shared', '.', '/srv/pages', 'C:\\\\pages', 'pages/../..'].map((folder): [Tree, unknown] => [
      { 'mkdocs.yml': `docs_dir: "${folder}"` },
      expect.stringMatching(/^mkdocs\.yml: .+ is read only if docs_dir is a folder inside the project$/),
    ]),
    [{ 'mkdocs.yml': 'docs_dir: [pages]' }, expect.stringContaining('docs_dir must be the name of a folder')],
    [{ 'mkdocs.yml': 'docs_dir: !ENV [DIR, pages]' }, expect.stringContaining('mkdocs.yml cannot be read')],
  ])('is not read, since its other Markdown is not for readers: %j', async (site, message) => {
    const project = openFolderProject({ ...site, 'README.md': 'TOPSECRET', 'pages/a.md': 'TOPSECRET' });
    await expect(project.read()).rejects.toMatchObject({ code: 'FOLDER_INVALID', message });
  });

  it('is read if lectern pull wrote it', async () => {
    const { project, source } = await read({ 'mkdocs.yml': '', ...layouts.pulled });
    expect(outline(project, source)).toMatchObject({ 'articles/prices': 'draft' });
  });
});
