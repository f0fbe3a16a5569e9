import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { AdapterReading } from '../../../src/source/adapter.ts';
import { createFolderAdapter } from '../../../src/source/folder/folder-adapter.ts';
import { createMemoryBodies } from '../../../src/source/snapshot/body-store.ts';
import { createMemoryFiles, isSettled } from '../../../src/source/snapshot/file-memory.ts';
import { writeTree } from '../../support/folder-layouts.ts';

const opened = vi.hoisted((): string[] => []);

vi.mock('../../../src/core/user-folder.ts', async (importActual) => {
  const actual = await importActual<typeof import('../../../src/core/user-folder.ts')>();
  return {
    ...actual,
    readFileIn(...args: Parameters<typeof actual.readFileIn>) {
      opened.push(args[1]);
      return actual.readFileIn(...args);
    },
  };
});

const record = (title: string, text: string) =>
  `---\ntitle: ${title}\nis_published: true\nis_private: false\n---\n${text}\n`;

beforeEach(() => void opened.splice(0));

it.each([
  ['plain', { 'a.md': '# A\n\nOne.', 'b.md': '# B\n\nTwo.' }, 'b.md', '# B\n\nSix.', []],
  [
    'pulled',
    {
      'categories/k/en.md': '---\ntitle: K\n---\nWhat is in K.\n',
      'articles/a/en.md': record('A', 'One.'),
      'articles/b/en.md': record('B', 'Two.'),
      'articles/nul/en.md': record('Nul', 'A\0B'),
    },
    'articles/b/en.md',
    record('B', 'Six.'),
    ['articles/nul: body contains NUL or half a surrogate pair'],
  ],
] as const)('opens only the edited file of a %s folder', async (layout, files, path, text, mistakes) => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-unopened-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeTree(root, files);
  const bodies = createMemoryBodies();
  onTestFinished(bodies.close);
  const openFiles = createMemoryFiles();
  const location = { root, base: root, layout, locales: null, defaultLanguage: 'en', ignored: [] } as const;
  let previous: AdapterReading['previous'] = null;
  const read = async (nowMs: number) => {
    const { articles, problems } = await createFolderAdapter(location).readArticles({
      ...{ store: bodies, openFiles: (_key, ms) => openFiles(ms), previous },
      settings: {
        ...{ cache: join(root, '.lectern'), defaultLanguage: 'en', languages: null, generator: 'test' },
        ...{
          allowMassDelete: true,
          maxDropPercent: 100,
          ports: { now: () => nowMs, sleep: async () => {}, random: () => 0 },
        },
      },
    });
    previous = { header: { generator: 'test' }, content: { articles } } as never;
    expect(problems.map(({ message }) => message)).toEqual(mistakes);
    return {
      opened: opened.splice(0).sort(),
      texts: articles.flatMap(({ article }) => [...bodies.read(article).values()]),
    };
  };
  // The files are old enough then that they cannot have changed directly after they were read.
  const later = Date.now() + 60_000;
  expect(isSettled(Date.now(), later)).toBe(true);
  expect((await read(later)).opened).toEqual(Object.keys(files).sort());
  // Whether a category is public depends on its articles, so nothing of it is kept.
  const always = Object.keys(files).filter((file) => file.startsWith('categories/'));
  expect((await read(later)).opened).toEqual(always);
  writeTree(root, { [path]: text });
  const edited = await read(later);
  expect(edited.opened).toEqual([path, ...always]);
  expect(edited.texts.join()).toContain('Six.');
});
