import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

  it('is recognised without that state, also by language codes that only a service has: translations of drafts stay hidden', async () => {
    const { project, source } = await read({
      'articles/a/en.md': page('title: A\nis_published: true\nis_private: false', 'x'),
      'articles/a/de-formal.md': page('title: B', 'x'),
      'articles/b/en.md': page(
        'article_id: bbbbbbbbbb\ntitle: TOPSECRET\nis_published: false\nis_private: false',
        'x',
      ),
      'articles/b/de-formal.md': page('title: TOPSECRET', 'x'),
    });
    expect(outline(project, source)).toEqual({
      'articles/a': 'en: A (null), de-formal: B (null)',
      'articles/b': 'draft',
    });
  });

  it('may have new articles with translations, which are public only if the main file says so', async () => {
    const isPublic = 'is_published: true\nis_private: false';
    const project = openFolderProject({
      '.lectern-sync.json': '{}',
      'articles/a/en.md': page(`title: A\n${isPublic}`, 'x'),
      'articles/a/de.md': page('title: A', 'x'),
      'articles/b/en.md': page('title: TOPSECRET', 'x'),
      'articles/b/de.md': page('title: TOPSECRET', 'x'),
      'articles/c/en.md': page('title: TOPSECRET', 'x'),
      'articles/c/de.md': page(`title: TOPSECRET\n${isPublic}`, 'x'),
      'articles/d/en.md': page(`title: TOPSECRET\n${isPublic}`, 'x'),
      'articles/d/de.md': page('title: TOPSECRET\nis_private: true', 'x'),
    });
    expect(outline(project, await project.read())).toEqual({
      'articles/a': 'en: A (null), de: A (null)',
      'articles/b': 'visibility-unknown',
      'articles/c': 'invalid',
      'articles/d': 'invalid',
    });
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

describe('a translation whose page does not exist', () => {
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
          code: 'TEXT_TOO_COMPLEX',
          articleId: project.idOf('deep.md'),
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
      'TEXT_TOO_COMPLEX: the Markdown of articles/deep/en.md is published as text',
    );
  });
});
