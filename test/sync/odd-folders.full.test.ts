import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../src/source/api/client-types.ts';
import { readFolder } from '../../src/source/folder/read-folder.ts';
import { compareSides } from '../../src/sync/compare-sides.ts';
import { decideConflicts } from '../../src/sync/plan-sync.ts';
import { applyPull } from '../../src/sync/pull.ts';
import { startTestService } from '../service/support/service.ts';
import { page } from '../support/folder-layouts.ts';
import { canMount, mountDisk, unmountDisk } from '../support/mounted-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { clientOf, pull, push, readFiles, toForm } from './support.ts';

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
  const root = join(temporaryFolder(), 'kb');
  await pull(client, root);
  return { client, root };
}

async function pullTheirs(client: Client, root: string) {
  const sides = await compareSides(client, { root, baseUrl: 'https://kb/v1', defaultLanguage: 'en', toForm });
  applyPull({ ...sides, entries: decideConflicts(sides.entries, 'theirs') });
}

async function languagesOf(client: Client) {
  const { title, multilingual } = await client.readArticle(id);
  return { title, ...Object.fromEntries(multilingual.map((one) => [one.language_code, one.title])) };
}

describe('a file whose Markdown takes too much work', () => {
  it('is not pushed, with the file and the reason', async () => {
    const { client, root } = await startPulled();
    writeFileSync(join(root, folder, 'de.md'), page('title: Hallo', `${'- '.repeat(200)}x`));
    await expect(push(client, root)).rejects.toMatchObject({
      code: 'PATH_UNUSABLE',
      message: expect.stringMatching(/de\.md.*its Markdown takes too much work to render/s),
    });
    expect((await client.readArticle(id)).multilingual).toMatchObject([{ body: '<p>Hallo</p>' }]);
  });
});

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
      code: 'PATH_UNUSABLE',
      message: `${folder}: DE.md and de.md are in the same language`,
    });
    rmSync(join(root, folder, 'DE.md'));
    writeFileSync(join(root, folder, 'de.html'), page('title: Andere', 'x'));
    await expect(pull(client, root)).rejects.toMatchObject({ code: 'PATH_UNUSABLE' });
    expect(await languagesOf(client)).toEqual({ title: 'Hello', de: 'Hallo' });
  });

  it('is refused if it is not a language: notes of authors are not published', async () => {
    const { client, root } = await startPulled();
    writeFileSync(join(root, folder, 'notes.md'), page('title: SECRET', 'x'));
    await expect(push(client, root)).rejects.toMatchObject({
      code: 'PATH_UNUSABLE',
      message: `${folder}/notes.md: "notes" is not a language; give files of your own another extension`,
    });
    rmSync(join(root, folder, 'notes.md'));
    await client.updateArticle(id, { multilingual: [{ language_code: 'english', title: 'Old', body: 'x' }] });
    await pull(client, root);
    expect(await push(client, root)).toEqual([]);
  });
});

it('a language of four or more letters does not stop a pull when its record was deleted', async () => {
  const { client, root } = await startPulled();
  await client.updateArticle(id, { multilingual: [{ language_code: 'deutsch', title: 'Alt', body: 'x' }] });
  await client.createArticle({ article_id: 'bbbbbbbbbb', title: 'Other' });
  await pull(client, root);
  writeFileSync(join(root, 'articles/bbbbbbbbbb-other/deutsch.md'), page('title: Andere', 'x'));
  expect(await push(client, root)).toEqual(['article bbbbbbbbbb local-changed']);
  await client.deleteArticle(id);
  await client.deleteArticle('bbbbbbbbbb');
  expect(await pull(client, root)).toEqual([
    `article ${id} remote-deleted`,
    'article bbbbbbbbbb remote-deleted',
  ]);
  expect(readFiles(root)).toEqual({});
});

it('a deletion in the service removes no files of the user', async () => {
  const { client, root } = await startPulled();
  writeFileSync(join(root, folder, 'plan.partial'), 'mine');
  writeFileSync(join(root, folder, 'en.md.4711.partial'), 'x');
  writeFileSync(join(root, folder, 'faq.md'), page('title: Mine', 'x'));
  await client.deleteArticle(id);
  await expect(pullTheirs(client, root)).rejects.toMatchObject({
    code: 'PATH_UNUSABLE',
    message: `${folder}/faq.md: its article was deleted and never had it; move or delete it`,
  });
  renameSync(join(root, folder, 'faq.md'), join(root, folder, 'faq.txt'));
  await pullTheirs(client, root);
  expect(Object.keys(readFiles(root))).toEqual([`${folder}/faq.txt`, `${folder}/plan.partial`]);
  expect(await pull(client, root)).toEqual([]);
});

describe('translations of one language', () => {
  it('in another case of the default language do not stop a pull', async () => {
    const { client, root } = await startPulled();
    const multilingual = [{ language_code: 'EN', title: 'Hi', body: '<p>Hi</p>' }];
    await client.createArticle({ article_id: 'bbbbbbbbbb', title: 'Other', multilingual });
    await client.createCategory({
      category_id: 'cccccccccc',
      title: 'Basics',
      multilingual: [{ language_code: 'EN', title: 'Basic' }],
    });
    await pull(client, root);
    expect(Object.keys(readFiles(root))).toEqual([
      `${folder}/de.md`,
      `${folder}/en.md`,
      'articles/bbbbbbbbbb-other/en.md',
      'categories/cccccccccc-basics/en.md',
    ]);
    expect(await pull(client, root)).toEqual([]);
    expect(await push(client, root)).toEqual([]);
    expect((await client.readArticle('bbbbbbbbbb')).multilingual).toMatchObject(multilingual);
  });

  it('are refused before anything is written, because their files would be the same', async () => {
    const { client } = await startPulled();
    const article = await client.readArticle(id);
    const [german] = article.multilingual;
    if (german === undefined) throw new Error('there is no translation');
    const both: Client = {
      ...client,
      readEveryArticle: async (sink) => {
        await sink.restart();
        await sink.take({ ...article, multilingual: [german, { ...german, language_code: 'DE' }] });
      },
    };
    const root = join(temporaryFolder(), 'new');
    await expect(pull(both, root)).rejects.toMatchObject({
      code: 'LANGUAGE_UNUSABLE',
      message: `article ${id}: de and DE are the same language`,
    });
    expect(existsSync(root)).toBe(false);
  });
});

describe('a subfolder', () => {
  it('with the files of others stays when its record was deleted, and is no record', async () => {
    const { client, root } = await startPulled();
    writeFileSync(join(root, folder, 'plan.txt'), 'mine');
    await client.deleteArticle(id);
    await pull(client, root);
    expect(readFiles(root)).toEqual({ [`${folder}/plan.txt`]: 'mine' });
    await pull(client, root);
    expect(await push(client, root)).toEqual([]);
  });

  it('with a subfolder of the user stays, too, and no later pull or push refuses it', async () => {
    const { client, root } = await startPulled();
    mkdirSync(join(root, folder, 'src'));
    writeFileSync(join(root, folder, 'src/a.psd'), 'mine');
    await client.createArticle({ article_id: 'bbbbbbbbbb', title: 'Other' });
    await pull(client, root);
    await client.deleteArticle(id);
    expect(await pull(client, root)).toEqual([`article ${id} remote-deleted`]);
    expect(await pull(client, root)).toEqual([]);
    expect(await push(client, root)).toEqual([]);
    rmSync(join(root, 'articles/bbbbbbbbbb-other'), { recursive: true });
    expect(await push(client, root, { deletes: true })).toEqual(['article bbbbbbbbbb local-deleted']);
    expect(Object.keys(readFiles(root))).toEqual([`${folder}/src/a.psd`]);
  });

  it('that lost its pages is not deleted in the service', async () => {
    for (const left of ['.en.md.icloud', 'diagram.png']) {
      const { client, root } = await startPulled();
      rmSync(join(root, folder, 'en.md'));
      rmSync(join(root, folder, 'de.md'));
      writeFileSync(join(root, folder, left), 'x');
      const refused = {
        code: 'PATH_UNUSABLE',
        message: `${folder}: the folder has no .md or .html file; restore its pages, or move or delete it`,
      };
      await expect(push(client, root, { deletes: true })).rejects.toMatchObject(refused);
      await expect(pull(client, root)).rejects.toMatchObject(refused);
      expect(() => readFolder(root)).toThrow(refused.message);
      rmSync(join(root, '.lectern-sync.json'));
      expect(() => readFolder(root)).toThrow(refused.message);
      expect(await languagesOf(client)).toEqual({ title: 'Hello', de: 'Hallo' });
    }
  });

  it('with files alone is no record, also if records are deleted later', async () => {
    const { client, root } = await startPulled();
    mkdirSync(join(root, 'articles/images'));
    writeFileSync(join(root, 'articles/images/a.png'), 'x');
    expect(await push(client, root)).toEqual([]);
    rmSync(join(root, folder), { recursive: true });
    expect(await push(client, root, { deletes: true })).toEqual([`article ${id} local-deleted`]);
    expect(await pull(client, root)).toEqual([]);
  });

  it('that is empty is no record', async () => {
    const { client, root } = await startPulled();
    mkdirSync(join(root, 'articles/empty'));
    mkdirSync(join(root, 'articles/nested/deep'), { recursive: true });
    await expect(push(client, root)).rejects.toMatchObject({
      message: expect.stringContaining('articles/nested: the folder has no .md or .html file'),
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
  const root = temporaryFolder();
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

describe('a file about a folder', () => {
  it('is no language, and stays when its record is pulled again', async () => {
    const { client, root } = await startPulled();
    for (const path of ['articles/README.md', `${folder}/README.md`, `${folder}/license.html`])
      writeFileSync(join(root, path), 'Read me.');
    expect(await push(client, root)).toEqual([]);
    await client.updateArticle(id, { title: 'Hello again' });
    expect(await pull(client, root)).toEqual([`article ${id} remote-changed`]);
    expect(readFiles(root)).toMatchObject({
      [`${folder}/README.md`]: 'Read me.',
      [`${folder}/license.html`]: 'Read me.',
    });
  });
});
