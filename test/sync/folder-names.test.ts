import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestService } from '../service/support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { clientOf, pull, push, readFiles } from './support.ts';

it('records whose ids and slugs give the same name for a folder get a folder each, which a later pull keeps', async () => {
  const client = clientOf(await startTestService());
  const root = join(temporaryFolder(), 'kb');
  const ids = ['a.b', 'a-b', 'A-B', '🎉', '🎂'];
  for (const category_id of ids)
    await client.createCategory({ category_id, title: /\w/.test(category_id) ? 'Guide' : '🎈' });
  await pull(client, root);
  const files = readFiles(root);
  const found = Object.values(files).flatMap((text) => /category_id: (.*)/.exec(text)?.[1] ?? []);
  expect(found.sort()).toEqual(ids.toSorted());
  expect(new Set(Object.keys(files).map((path) => path.toLowerCase())).size).toBe(Object.keys(files).length);
  expect([await push(client, root), await pull(client, root), readFiles(root)]).toEqual([[], [], files]);
  await client.createCategory({ category_id: 'a b', title: 'Guide' });
  await pull(client, root);
  const pages = (all: typeof files) => Object.entries(all).filter(([path]) => path.endsWith('.md'));
  const later = pages(readFiles(root));
  expect(later).toEqual(expect.arrayContaining(pages(files)));
  expect(later).toHaveLength(ids.length + 1);
});

it('a record whose slug has long characters gets a folder whose name every disk can hold', async () => {
  const client = clientOf(await startTestService());
  const root = join(temporaryFolder(), 'kb');
  await client.createArticle({ title: 'A', slug: '𞤀'.repeat(100), body: '<p>A</p>' });
  await client.createCategory({ category_id: '𞤀'.repeat(32), title: 'A', slug: '𞤀'.repeat(100) });
  expect(await pull(client, root)).toHaveLength(2);
  expect(await push(client, root)).toEqual([]);
});
