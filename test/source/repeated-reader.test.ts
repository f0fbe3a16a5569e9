import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolderAdapter } from '../../src/source/folder/folder-adapter.ts';
import { createRepeatedReader } from '../../src/source/read-knowledge-base.ts';
import type { Source } from '../../src/source/source.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function openReader() {
  const root = temporaryFolder();
  const cache = join(root, '.lectern');
  writeTree(root, { 'a.md': '# A\n\nFirst.', 'b.md': '# B\n\nSecond.', 'c.md': '# C\n\nThird.' });
  const how = { layout: 'plain', locales: null, math: false, defaultLanguage: 'en' } as const;
  const adapter = createFolderAdapter({ base: root, root, ignored: [cache], ...how });
  const settings = { cache, defaultLanguage: 'en', languages: null, generator: 'test' };
  return { root, cache, adapter, reader: createRepeatedReader(adapter, settings) };
}

async function textsOf({ knowledgeBase, readBodies }: Source): Promise<readonly (string | undefined)[]> {
  const bodies = await Promise.all(knowledgeBase.articles.map(({ id }) => readBodies(id)));
  return bodies.map((one) => one.get('en')?.trim()).sort();
}

it('keeps the bodies of earlier readings, and writes no file', async () => {
  const { root, cache, reader } = openReader();
  const first = await reader.read();
  expect(await textsOf(first)).toEqual(['<p>First.</p>', '<p>Second.</p>', '<p>Third.</p>']);
  writeFileSync(join(root, 'b.md'), '# B\n\nAnother.');
  const second = await reader.read();
  expect(await textsOf(second)).toEqual(['<p>Another.</p>', '<p>First.</p>', '<p>Third.</p>']);
  expect(second.stats.mode).toBe('incremental');
  expect(await textsOf(first)).toEqual(['<p>First.</p>', '<p>Second.</p>', '<p>Third.</p>']);
  reader.close();
  expect(existsSync(cache)).toBe(false);
});

it('goes on from the last complete reading after one that failed', async () => {
  const { root, reader } = openReader();
  onTestFinished(() => reader.close());
  await reader.read();
  writeFileSync(join(root, 'hugo.toml'), '');
  await expect(reader.read()).rejects.toMatchObject({ code: 'GENERATOR_PROJECT' });
  rmSync(join(root, 'hugo.toml'));
  writeFileSync(join(root, 'a.md'), '# A\n\nRight.');
  rmSync(join(root, 'c.md'));
  expect(await textsOf(await reader.read())).toEqual(['<p>Right.</p>', '<p>Second.</p>']);
});

it('reads the files as they were listed for the stamp, and lists them again for the next reading', async () => {
  const { root, adapter, reader } = openReader();
  onTestFinished(() => reader.close());
  const stamp = adapter.stamp();
  writeFileSync(join(root, 'd.md'), '# D\n\nFourth.');
  expect((await reader.read()).knowledgeBase.articles).toHaveLength(3);
  expect((await reader.read()).knowledgeBase.articles).toHaveLength(4);
  expect(adapter.stamp()).not.toBe(stamp);
});
