import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AdapterReading } from '../../../src/source/adapter.ts';
import { createFolderAdapter } from '../../../src/source/folder/folder-adapter.ts';
import { createMemoryBodies } from '../../../src/source/snapshot/body-store.ts';
import { createMemoryFiles } from '../../../src/source/snapshot/file-memory.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const record = (title: string, text: string) =>
  `---\ntitle: ${title}\nis_published: true\nis_private: false\n---\n${text}\n`;

it.each([
  [
    'plain',
    {
      'a.md': '# A\n\n[later](guide/later.md) and [C](c.md)',
      'b.md': '# B\n\n[[later]]',
      'c.md': '# C\n\n[A](a.md#a)',
    },
    { 'guide/later.md': '# Later\n\nHere.' },
    // The heading that is the title is not in the text, so links to it lead to the page.
    { 'a.md': '# Another title\n\n[later](guide/later.md) and [C](c.md)' },
  ],
  [
    'pulled',
    {
      'articles/a/en.md': record('A', '[later](../later/en.md) and [C](../c/en.md)'),
      'articles/b/en.md': record('B', '![later](later.png)'),
      'articles/c/en.md': record('C', '[A](../a/en.md)'),
    },
    { 'articles/later/en.md': record('Later', 'Here.'), 'articles/b/later.png': 'PNG' },
    null,
  ],
] as const)(
  'renders only the articles of a %s folder whose links lead elsewhere after a file was added',
  async (layout, files, added, retitled) => {
    const root = temporaryFolder();
    writeTree(root, files);
    const place = { base: root, root, ignored: [] };
    const adapter = createFolderAdapter({
      ...place,
      ...{ layout, locales: null, math: false, defaultLanguage: 'en' },
    });
    const bodies = createMemoryBodies();
    onTestFinished(bodies.close);
    const openFiles = createMemoryFiles();
    let previous: unknown = null;
    const read = async () => {
      const rendered: string[] = [];
      const { articles, problems } = await adapter.readArticles({
        store: {
          ...bodies,
          put(article, texts) {
            rendered.push(article.translations[0]?.title ?? '');
            return bodies.put(article, texts);
          },
        },
        openFiles: (_key, nowMs) => openFiles(nowMs),
        previous: previous as AdapterReading['previous'],
        settings: {
          ...{ cache: join(root, '.lectern'), defaultLanguage: 'en', languages: null, generator: 'test' },
          ...{ allowMassDelete: true, maxDropPercent: 100 },
        },
      });
      previous = { header: { generator: 'test' }, content: { articles } };
      const codes = [...problems, ...articles.flatMap((one) => one.problems)].map(({ code }) => code);
      return { rendered: rendered.sort(), codes };
    };
    const first = await read();
    expect(first.rendered).toEqual(['A', 'B', 'C']);
    expect(first.codes).toContain('LINK_BROKEN');
    const second = await read();
    expect(second.rendered).toEqual([]);
    writeTree(root, added);
    const third = await read();
    expect(third.rendered).toEqual(['A', 'B', 'Later']);
    expect(third.codes).toEqual([]);
    if (retitled === null) return;
    writeTree(root, retitled);
    expect((await read()).rendered).toEqual(['Another title', 'C']);
  },
);
