import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Client } from '../../src/source/api/client-types.ts';
import { startTestService } from '../service/support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { clientOf, pull, push, readFiles } from './support.ts';

it('a client changes and deletes a record only while it has the ETag that was read', async () => {
  const client = clientOf(await startTestService());
  const made = await client.createArticle({ title: 'First' });
  const { article_id: id } = made;
  const read = await client.readArticle(id);
  expect(client.etagOf(made)).toBe(client.etagOf(read));
  const mine = await client.updateArticle(id, { title: 'Mine' }, { ifMatch: client.etagOf(read) });
  const stale = { ifMatch: client.etagOf(read) };
  await expect(client.updateArticle(id, { title: 'Theirs' }, stale)).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  await expect(client.deleteArticle(id, stale)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await client.readArticle(id)).title).toBe('Mine');
  await client.deleteArticle(id, { ifMatch: client.etagOf(mine) });

  const category = await client.createCategory({ title: 'First' });
  await client.updateCategory(category.category_id, { title: 'Mine' });
  await expect(
    client.updateCategory(category.category_id, { title: 'x' }, { ifMatch: client.etagOf(category) }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(client.etagOf({ ...category })).toBeNull();
});

it.each(['article', 'category'])(
  'a push never overwrites an edit made between its last read of the %s and its change',
  async (kind) => {
    const service = await startTestService();
    const client = clientOf(service);
    const other = clientOf(service);
    const root = join(temporaryFolder(), 'kb');
    const { category_id } = await client.createCategory({ title: 'Category' });
    const { article_id } = await client.createArticle({ title: 'Article', body: '<p>One</p>' });
    await pull(client, root);
    const own = kind === 'article' ? article_id : category_id;
    const files = Object.entries(readFiles(root)).filter(([path]) => path.includes(own));
    expect(files).toHaveLength(1);
    for (const [path, text] of files) {
      writeFileSync(join(root, path), text.replace(/^title: .*/m, 'title: From the folder'));
    }

    // Somebody else is quicker, each time after the client has read the record.
    let isInTime = false;
    const interrupt = async () => {
      if (!isInTime) return;
      if (kind === 'article') await other.updateArticle(article_id, { title: 'From somebody' });
      else await other.updateCategory(category_id, { title: 'From somebody' });
    };
    const slow: Client = {
      ...client,
      async readArticle(id) {
        const article = await client.readArticle(id);
        await interrupt();
        return article;
      },
      async readCategory(id) {
        const category = await client.readCategory(id);
        await interrupt();
        return category;
      },
    };
    isInTime = true;
    await expect(push(slow, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    const { title } =
      kind === 'article' ? await client.readArticle(article_id) : await client.readCategory(category_id);
    expect(title).toBe('From somebody');
  },
);

it('a push takes no change of its own for that of somebody else, if the answer to it was lost', async () => {
  const client = clientOf(await startTestService());
  const root = join(temporaryFolder(), 'kb');
  const { article_id: id } = await client.createArticle({ title: 'Article', body: '<p>One</p>' });
  await pull(client, root);
  for (const [path, text] of Object.entries(readFiles(root)))
    writeFileSync(join(root, path), text.replace('title: Article', 'title: Mine'));
  const lossy: Client = {
    ...client,
    async updateArticle(...change) {
      await client.updateArticle(...change);
      return client.updateArticle(...change);
    },
  };
  await push(lossy, root);
  expect((await client.readArticle(id)).title).toBe('Mine');
  expect(await push(client, root)).toEqual([]);
});
