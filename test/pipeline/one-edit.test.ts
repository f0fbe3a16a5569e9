import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { hashTree } from '../support/hash-tree.ts';
import { createOfflineProject, type WrittenArticle } from '../support/offline-project.ts';

const text = (title: string, body = 'Steady words.'): WrittenArticle['texts'] => ({
  en: { title, body: `<p>${body}</p>` },
});
const article = (id: string, texts = text(`Title of ${id}`)): WrittenArticle => ({
  id,
  categoryId: null,
  tags: [id],
  texts,
});

// reuse.full.test.ts asks this of every part of the output.
it('renders an article whose body changed and no other, and publishes what a first build publishes', async () => {
  const project = createOfflineProject();
  // The feed's history depends on earlier runs.
  const files = async () =>
    Object.entries(await hashTree(project.out)).filter(
      ([path]) => !/^feed\/|^output-files\.txt$|^addresses\.json$/.test(path),
    );
  await project.write([article('aaaaaaaaaa'), article('bbbbbbbbbb'), article('cccccccccc')], []);
  await project.build();
  const first = await files();
  const edited = article('bbbbbbbbbb', text('Title of bbbbbbbbbb', 'New words.'));
  await project.write([article('aaaaaaaaaa'), edited, article('cccccccccc')], []);
  expect((await project.build()).renderedPages).toBe(1);
  const incremental = await files();
  expect(incremental).not.toEqual(first);
  await project.forget();
  await rm(project.out, { recursive: true });
  expect((await project.build()).renderedPages).toBe(3);
  expect(incremental).toEqual(await files());
});
