import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../src/source/client-types.ts';
import { makeFolder, startTestService } from '../service/support/service.ts';
import { page } from '../support/folder-layouts.ts';
import { canMount, mountDisk, unmountDisk } from '../support/mounted-disk.ts';
import { clientOf, pull, push, readFiles } from './support.ts';

const id = 'aaaaaaaaaa';
const folder = `articles/${id}-hello`;

async function startPulled() {
  const service = await startTestService();
  const client = clientOf(service);
  await client.createArticle({
    article_id: id,
    title: 'Hello',
    body: '<p>Hello</p>',
    multilingual: [{ language_code: 'de', title: 'Hallo', body: '<p>Hallo</p>' }],
  });
  const root = join(makeFolder(), 'kb');
  await pull(client, root);
  return { client, root };
}

async function languagesOf(client: Client) {
  const { title, multilingual } = await client.readArticle(id);
  return { title, ...Object.fromEntries(multilingual.map((one) => [one.language_code, one.title])) };
}

describe('the name of a language file', () => {
  it('is the language of the service whatever its case', async () => {
    const { client, root } = await startPulled();
    renameSync(join(root, folder, 'de.md'), join(root, folder, 'DE.md'));
    renameSync(join(root, folder, 'en.md'), join(root, folder, 'EN.md'));
    expect(await push(client, root)).toEqual([]);
    writeFileSync(join(root, folder, 'DE.md'), page('title: Guten Tag\nslug: hallo', 'Hallo'));
    expect(await push(client, root)).toEqual([`article ${id} local-changed`]);
    expect(await languagesOf(client)).toEqual({ title: 'Hello', de: 'Guten Tag' });
    expect(await pull(client, root)).toEqual([]);
    expect(await push(client, root)).toEqual([]);
  });

  it('is refused if it would replace another file in that language', async () => {
    const { client, root } = await startPulled();
    writeFileSync(join(root, folder, 'DE.md'), page('title: Andere', 'x'));
    await expect(push(client, root)).rejects.toMatchObject({
      code: 'FOLDER_INVALID',
      message: `${folder}: DE.md and de.md are in the same language`,
    });
    rmSync(join(root, folder, 'DE.md'));
    writeFileSync(join(root, folder, 'de.html'), page('title: Andere', 'x'));
    await expect(pull(client, root)).rejects.toMatchObject({ code: 'FOLDER_INVALID' });
    expect(await languagesOf(client)).toEqual({ title: 'Hello', de: 'Hallo' });
  });

  it('is refused if it is not a language: notes of authors are not published', async () => {
    const { client, root } = await startPulled();
    writeFileSync(join(root, folder, 'notes.md'), page('title: SECRET', 'x'));
    await expect(push(client, root)).rejects.toMatchObject({
      code: 'FOLDER_INVALID',
      message: `${folder}/notes.md: "notes" is not a language; give files of your own another extension`,
    });
    rmSync(join(root, folder, 'notes.md'));
    await client.updateArticle(id, { multilingual: [{ language_code: 'english', title: 'Old', body: 'x' }] });
    await pull(client, root);
    expect(await push(client, root)).toEqual([]);
  });
});

describe('a sub-folder', () => {
  it('with the files of others stays when its record was deleted, and is no record', async () => {
    const { client, root } = await startPulled();
    writeFileSync(join(root, folder, 'plan.txt'), 'mine');
    await client.deleteArticle(id);
    await pull(client, root);
    expect(readFiles(root)).toEqual({ [`${folder}/plan.txt`]: 'mine' });
    await pull(client, root);
    expect(await push(client, root)).toEqual([]);
  });

  it('that is empty is no record', async () => {
    const { client, root } = await startPulled();
    mkdirSync(join(root, 'articles/empty'));
    mkdirSync(join(root, 'articles/nested/deep'), { recursive: true });
    await expect(push(client, root)).rejects.toMatchObject({
      message: 'articles/nested: the folder has no .md or .html file',
    });
    rmSync(join(root, 'articles/nested'), { recursive: true });
    expect(await push(client, root)).toEqual([]);
  });

  it('that a killed pull left is replaced', async () => {
    const { client, root } = await startPulled();
    const before = readFiles(root);
    rmSync(root, { recursive: true });
    const partial = join(root, `articles/.${id}-hello.partial`);
    mkdirSync(partial, { recursive: true });
    writeFileSync(join(partial, 'en.md'), page(`article_id: ${id}\ntitle: Hello`, 'Hello'));
    writeFileSync(join(partial, 'fr.md'), 'x');
    await pull(client, root);
    expect(readFiles(root)).toEqual(before);
    expect(existsSync(partial)).toBe(false);
  });
});

it.each(['article', 'category'] as const)(
  'a push that loses the response to a new %s does not create it again',
  async (kind) => {
    const { client, root } = await startPulled();
    const [parent, method] =
      kind === 'article'
        ? (['articles', 'createArticle'] as const)
        : (['categories', 'createCategory'] as const);
    mkdirSync(join(root, parent, 'new'), { recursive: true });
    writeFileSync(join(root, parent, 'new/en.md'), '---\r\ntitle: New\r\n---\r\nText\r\n');
    const broken: Client = {
      ...client,
      [method]: async (record: { readonly title: string }) => {
        await client[method](record);
        throw new Error('the connection was lost');
      },
    };
    await expect(push(broken, root)).rejects.toThrow('the connection was lost');
    expect(await push(client, root)).toEqual([]);
    const all = kind === 'article' ? await client.listArticles() : await client.listCategories();
    expect(all.filter(({ title }) => title === 'New')).toHaveLength(1);
    expect(readFiles(root)[`${parent}/new/en.md`]).toMatch(
      /^---\r\n(?:article|category)_id: "\w{10}"\r\ntitle: New\r\n---\r\nText\r\n$/,
    );
  },
);

it.runIf(canMount)('a full disk is named, and neither pull nor push does half of a record', async () => {
  const { client } = await startPulled();
  const root = makeFolder();
  mountDisk(root, 'size=64k');
  onTestFinished(() => unmountDisk(root));
  await client.createArticle({ title: 'Long', body: `<p>${'long '.repeat(40_000)}</p>` });
  await expect(pull(client, root)).rejects.toMatchObject({
    code: 'ENOSPC',
    path: expect.stringMatching(/\/en\.md$/),
  });
  mountDisk(root, 'remount,size=4m');
  await pull(client, root);
  expect(await push(client, root)).toEqual([]);
});
