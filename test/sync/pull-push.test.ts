import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ArticleCreate } from '../../src/core/api/article.ts';
import type { CategoryCreate } from '../../src/core/api/category.ts';
import { LecternError } from '../../src/core/errors.ts';
import type { Client } from '../../src/source/api/client-types.ts';
import { compareSides, guardDeletions } from '../../src/sync/compare-sides.ts';
import { decideConflicts, listPushes } from '../../src/sync/plan-sync.ts';
import { applyPull } from '../../src/sync/pull.ts';
import { startTestService } from '../service/support/service.ts';
import { fc, runs } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { clientOf, pull, push, readFiles, toForm } from './support.ts';

async function startWithRecords() {
  const service = await startTestService({ clock: () => Date.parse('2026-01-01') });
  const client = clientOf(service);
  await client.createCategory({
    category_id: 'c1',
    title: 'Basics',
    description: 'First steps',
    multilingual: [{ language_code: 'de', title: 'Grundlagen', description: ' mit Rand ' }],
  });
  await client.createArticle({
    article_id: 'aaaaaaaaaa',
    category_id: 'c1',
    title: 'Reset: how to',
    body: '<p>One</p>\n<p>Two</p>\n',
    tags: ['a', '1.10'],
    is_published: true,
    multilingual: [
      { language_code: 'de', title: 'Zurücksetzen', body: '<p>Eins</p>', is_live: false },
      { language_code: 'ja', title: 'リセット' },
    ],
  });
  await client.createArticle({ article_id: 'bbbbbbbbbb', title: 'Draft' });
  return { service, client, root: join(temporaryFolder(), 'kb') };
}

const resetFile = 'articles/aaaaaaaaaa-reset-how-to/en.md';

function edit(root: string, file: string, from: string, to: string): void {
  const path = join(root, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

describe('pull', () => {
  it('writes nothing if one record has a language code that cannot be a file name', async () => {
    const { client, root } = await startWithRecords();
    const [sound] = await client.listArticles({ include_body: true });
    if (sound === undefined) throw new Error('there is no article');
    const odd = {
      ...sound,
      article_id: 'zzzzzzzzzz',
      multilingual: sound.multilingual.map((one) => ({ ...one, language_code: '../\u001b[31m' })),
    };
    const server: Client = {
      ...client,
      readEveryArticle: async (sink) => {
        await sink.restart();
        await sink.take(sound);
        await sink.take(odd);
      },
    };
    await expect(pull(server, root)).rejects.toMatchObject({ code: 'LANGUAGE_UNUSABLE' });
    expect(existsSync(root)).toBe(false);
  });

  it('writes one file per record and language, drafts included and marked', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    expect(readFiles(root)).toMatchInlineSnapshot(`
      {
        "articles/aaaaaaaaaa-reset-how-to/de.md": "---
      title: Zurücksetzen
      slug: zurucksetzen
      is_live: false
      ---
      Eins
      ",
        "articles/aaaaaaaaaa-reset-how-to/en.md": "---
      article_id: aaaaaaaaaa
      category_id: c1
      title: "Reset: how to"
      slug: reset-how-to
      tags:
        - a
        - "1.10"
      is_published: true
      is_private: false
      created_at: 2026-01-01T00:00:00.000Z
      updated_at: 2026-01-01T00:00:00.000Z
      ---
      One

      Two
      ",
        "articles/aaaaaaaaaa-reset-how-to/ja.md": "---
      title: リセット
      slug: リセット
      body: null
      ---

      ",
        "articles/bbbbbbbbbb-draft/en.md": "---
      article_id: bbbbbbbbbb
      title: Draft
      slug: draft
      is_published: false
      is_private: false
      created_at: 2026-01-01T00:00:00.000Z
      updated_at: 2026-01-01T00:00:00.000Z
      ---

      ",
        "categories/c1-basics/de.md": "---
      title: Grundlagen
      slug: grundlagen
      description: " mit Rand "
      ---

      ",
        "categories/c1-basics/en.md": "---
      category_id: c1
      title: Basics
      slug: basics
      created_at: 2026-01-01T00:00:00.000Z
      updated_at: 2026-01-01T00:00:00.000Z
      ---
      First steps
      ",
      }
    `);
  });

  it('changes nothing when it is repeated', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    const before = readFiles(root);
    expect(await pull(client, root)).toEqual([]);
    expect(readFiles(root)).toEqual(before);
  });

  it('keeps the schedule of articles and translations, which a push sets, changes and removes', async () => {
    const { client, root } = await startWithRecords();
    const times = { publish_at: '2030-01-01T00:00:00.000Z', unpublish_at: '2031-01-01T00:00:00.000Z' };
    const german = { language_code: 'de', publish_at: times.publish_at };
    await client.updateArticle('aaaaaaaaaa', { ...times, multilingual: [german] });
    const before = await client.readArticle('aaaaaaaaaa');
    await pull(client, root);
    expect(readFiles(root)[resetFile]).toContain(`publish_at: ${times.publish_at}\n`);
    expect(await push(client, root)).toEqual([]);
    edit(root, resetFile, times.publish_at, '2030-01-01T01:00:00+01:00');
    expect(await push(client, root)).toEqual([]);
    edit(root, resetFile, `unpublish_at: ${times.unpublish_at}\n`, '');
    edit(root, resetFile.replace('en.md', 'de.md'), times.publish_at, '2029-01-01T00:00:00Z');
    expect(await push(client, root)).toEqual(['article aaaaaaaaaa local-changed']);
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      publish_at: times.publish_at,
      unpublish_at: null,
      body: before.body,
      multilingual: [{ publish_at: '2029-01-01T00:00:00.000Z', unpublish_at: null }, {}],
    });
  });

  it('writes changes, additions and deletions of the service', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    await client.updateArticle('aaaaaaaaaa', {
      body: '<p>New</p>',
      multilingual: [{ language_code: 'ja', is_deleted: true }],
    });
    await client.deleteArticle('bbbbbbbbbb');
    await client.createArticle({ article_id: 'cccccccccc', title: 'Fresh' });
    expect(await pull(client, root)).toEqual([
      'article aaaaaaaaaa remote-changed',
      'article bbbbbbbbbb remote-deleted',
      'article cccccccccc remote-new',
    ]);
    const files = readFiles(root);
    expect(Object.keys(files)).toEqual([
      'articles/aaaaaaaaaa-reset-how-to/de.md',
      'articles/aaaaaaaaaa-reset-how-to/en.md',
      'articles/cccccccccc-fresh/en.md',
      'categories/c1-basics/de.md',
      'categories/c1-basics/en.md',
    ]);
    expect(files[resetFile]).toContain('New');
  });

  it('keeps changes of the folder alone', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    edit(root, resetFile, 'One', 'Edited');
    expect(await pull(client, root)).toEqual(['article aaaaaaaaaa local-changed']);
    expect(readFiles(root)[resetFile]).toContain('Edited');
  });

  it('keeps Markdown files whose text still equals that of the service', async () => {
    const { client, root } = await startWithRecords();
    mkdirSync(join(root, 'articles/hello'), { recursive: true });
    writeFileSync(
      join(root, 'articles/hello/en.md'),
      '---\narticle_id: dddddddddd\ntitle: Hello\n---\nSome *text*\n',
    );
    await push(client, root);
    await client.updateArticle('dddddddddd', { title: 'Hello again' });
    await pull(client, root);
    const file = readFiles(root)['articles/hello/en.md'];
    expect(file).toContain('title: Hello again');
    expect(file).toContain('Some *text*');
  });
});

describe('push', () => {
  it('sends only the changes of the folder', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    edit(root, resetFile, 'One', 'Edited');
    edit(root, 'categories/c1-basics/de.md', 'Grundlagen', 'Anfang');
    const before = await client.readArticle('bbbbbbbbbb');
    expect(await push(client, root)).toEqual([
      'category c1 local-changed',
      'article aaaaaaaaaa local-changed',
    ]);
    expect((await client.readArticle('aaaaaaaaaa')).body).toBe('<p>Edited</p>\n<p>Two</p>');
    expect((await client.readCategory('c1')).multilingual[0]).toMatchObject({
      title: 'Anfang',
      description: ' mit Rand ',
    });
    expect(await client.readArticle('bbbbbbbbbb')).toEqual(before);
    expect(await push(client, root)).toEqual([]);
  });

  it('creates new records, a category before its articles, and writes their ids into the files', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    mkdirSync(join(root, 'articles/new'), { recursive: true });
    writeFileSync(join(root, 'articles/new/en.md'), '---\ntitle: New # keep this\n---\nText\n');
    expect(await push(client, root)).toEqual(['article null local-new']);
    const [, id] =
      /^article_id: "(.{10})"\ntitle: New # keep this\n/m.exec(readFiles(root)['articles/new/en.md'] ?? '') ??
      [];
    expect(await client.readArticle(id ?? '')).toMatchObject({ title: 'New', body: '<p>Text</p>' });
    expect(await push(client, root)).toEqual([]);
  });

  it('creates a new article with its translation, and writes the id into the main file', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    mkdirSync(join(root, 'articles/new'), { recursive: true });
    writeFileSync(join(root, 'articles/new/en.md'), '---\ntitle: New\nis_published: true\n---\nText\n');
    writeFileSync(join(root, 'articles/new/de.md'), '---\ntitle: Neu\n---\nInhalt\n');
    expect(await push(client, root)).toEqual(['article null local-new']);
    const files = readFiles(root);
    const [, id = ''] = /^article_id: "(.{10})"$/m.exec(files['articles/new/en.md'] ?? '') ?? [];
    expect(files['articles/new/de.md']).not.toContain('article_id');
    expect(await client.readArticle(id)).toMatchObject({
      ...{ title: 'New', is_published: true, body: '<p>Text</p>' },
      multilingual: [{ language_code: 'de', title: 'Neu', body: '<p>Inhalt</p>' }],
    });
    expect(await push(client, root)).toEqual([]);
    expect(await pull(client, root)).toEqual([]);
  });

  it('creates a draft of an article whose files have only texts', async () => {
    const { client, root } = await startWithRecords();
    mkdirSync(join(root, 'articles/new'), { recursive: true });
    writeFileSync(join(root, 'articles/new/en.md'), '---\ntitle: New\n---\nText\n');
    writeFileSync(join(root, 'articles/new/de.md'), '---\ntitle: Neu\n---\nInhalt\n');
    await push(client, root);
    const [, id = ''] = /^article_id: "(.{10})"$/m.exec(readFiles(root)['articles/new/en.md'] ?? '') ?? [];
    expect(await client.readArticle(id)).toMatchObject({ title: 'New', is_published: false });
  });

  it('follows a service that gives its own ids and takes only title and description of a new category', async () => {
    const { client, root } = await startWithRecords();
    await client.createCategory({ category_id: 'c2', title: 'Inner', parent_category_id: 'c1' });
    await pull(client, root);
    const target = clientOf(await startTestService());
    const hosted = {
      ...target,
      createCategory: ({ title, description }: { title: string; description?: string | null }) =>
        target.createCategory({ title, description: description ?? null }),
      createArticle: ({ article_id: _, ...article }: ArticleCreate) => target.createArticle(article),
    };
    await push(hosted, root, { deletes: false }, 'https://hosted/v1');
    const [outer, inner] = await target.listCategories();
    expect(outer).toMatchObject({ title: 'Basics', multilingual: [{ title: 'Grundlagen' }] });
    expect(inner).toMatchObject({ title: 'Inner', parent_category_id: outer?.category_id });
    const [article] = await target.listArticles({ category_id: outer?.category_id });
    expect(article).toMatchObject({ title: 'Reset: how to' });
    expect(await push(hosted, root, { deletes: false }, 'https://hosted/v1')).toEqual([]);
  });

  it.each(['answered 400: "unknown field article_id"', 'answered 422: "category_id is not allowed"'])(
    'creates a record without its id if the service refuses one: %s',
    async (message) => {
      const { client, root } = await startWithRecords();
      await pull(client, root);
      const target = clientOf(await startTestService());
      const [, field = ''] = /(\w+_id)/.exec(message) ?? [];
      const refuse = (record: object) => {
        if ((record as Record<string, unknown>)[field] !== undefined)
          throw new LecternError('REQUEST_REFUSED', message, { hint: '' });
      };
      const strict = {
        ...target,
        createCategory: async (record: CategoryCreate) => {
          refuse(record);
          return target.createCategory(record);
        },
        createArticle: async (record: ArticleCreate) => {
          if (field === 'article_id') refuse(record);
          return target.createArticle(record);
        },
      };
      await push(strict, root, { deletes: false }, 'https://strict/v1');
      expect(await target.listArticles()).toHaveLength((await client.listArticles()).length);
      expect(await push(strict, root, { deletes: false }, 'https://strict/v1')).toEqual([]);
    },
  );

  it.each(['answered 400: "too many"', 'answered 422: "category_id already exists"'])(
    'does not repeat a creation that was refused for another reason: %s',
    async (message) => {
      const { client, root } = await startWithRecords();
      await pull(client, root);
      const target = clientOf(await startTestService());
      let creations = 0;
      const full = {
        ...target,
        createCategory: async () => {
          creations += 1;
          throw new LecternError('REQUEST_REFUSED', message, { hint: '' });
        },
      };
      await expect(push(full, root, { deletes: false }, 'https://full/v1')).rejects.toThrow(message);
      expect(creations).toBe(1);
    },
  );

  it('deletes only with the flag for it, and never a category', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    rmSync(join(root, 'articles/bbbbbbbbbb-draft'), { recursive: true });
    rmSync(join(root, 'categories/c1-basics'), { recursive: true });
    expect(await push(client, root)).toEqual([
      'category c1 local-deleted',
      'article bbbbbbbbbb local-deleted',
    ]);
    expect(await client.readArticle('bbbbbbbbbb')).toMatchObject({ title: 'Draft' });
    await push(client, root, { deletes: true });
    await expect(client.readArticle('bbbbbbbbbb')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await client.readCategory('c1')).toMatchObject({ title: 'Basics' });
  });

  it('removes a translation whose file was deleted', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    rmSync(join(root, 'articles/aaaaaaaaaa-reset-how-to/ja.md'));
    await push(client, root);
    expect((await client.readArticle('aaaaaaaaaa')).multilingual.map((t) => t.language_code)).toEqual(['de']);
  });

  it('does not change a record that both sides changed, and transfers the others', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    edit(root, resetFile, 'One', 'Mine');
    edit(root, 'articles/bbbbbbbbbb-draft/en.md', 'Draft', 'Also mine');
    await client.updateArticle('aaaaaaaaaa', { body: '<p>Theirs</p>', tags: [] });
    await client.updateCategory('c1', { title: 'Their basics' });
    await expect(push(client, root)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'the folder and the service both changed article aaaaaaaaaa; it was not changed',
    });
    expect(await client.readArticle('bbbbbbbbbb')).toMatchObject({ title: 'Also mine' });
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({ body: '<p>Theirs</p>' });
    await expect(pull(client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    const files = readFiles(root);
    expect(files[resetFile]).toMatch(/tags:[\s\S]*Mine/);
    expect(files['categories/c1-basics/en.md']).toContain('Their basics');
  });

  it('lets the folder win with --ours if both changed one field, and keeps other edits of the service', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    edit(root, resetFile, 'One', 'Mine');
    await client.updateArticle('aaaaaaaaaa', { title: 'Theirs', body: '<p>Theirs</p>' });
    await push(client, root, { deletes: false, ours: true });
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      title: 'Theirs',
      body: '<p>Mine</p>\n<p>Two</p>',
    });
    expect(await pull(client, root)).toEqual(['article aaaaaaaaaa remote-changed']);
    expect(readFiles(root)[resetFile]).toMatch(/title: Theirs[\s\S]*Mine/);
    expect(await push(client, root)).toEqual([]);
  });

  it('lets the service win with --theirs if both changed one field, and keeps other edits of the folder', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    edit(root, resetFile, 'One', 'Mine');
    edit(root, resetFile, 'Reset: how to', 'My title');
    await client.updateArticle('aaaaaaaaaa', { body: '<p>Theirs</p>' });
    const target = { root, baseUrl: 'https://kb/v1', defaultLanguage: 'en', toForm };
    const sides = await compareSides(client, target);
    applyPull({ ...sides, entries: decideConflicts(sides.entries, 'theirs') });
    expect(readFiles(root)[resetFile]).toMatch(/title: "?My title[\s\S]*Theirs/);
    expect(await push(client, root)).toEqual(['article aaaaaaaaaa local-changed']);
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      title: 'My title',
      body: '<p>Theirs</p>',
    });
  });

  it('refuses to delete more than a fifth of the articles', async () => {
    const { client, root } = await startWithRecords();
    for (const title of ['C', 'D', 'E']) await client.createArticle({ title });
    await pull(client, root);
    const guard = async () => {
      const target = { root, baseUrl: 'https://kb/v1', defaultLanguage: 'en', toForm };
      const sides = await compareSides(client, target);
      guardDeletions(sides, listPushes(sides.entries, { deletes: true }));
    };
    rmSync(join(root, 'articles/bbbbbbbbbb-draft'), { recursive: true });
    await guard();
    rmSync(join(root, 'articles/aaaaaaaaaa-reset-how-to'), { recursive: true });
    await expect(guard()).rejects.toMatchObject({ code: 'MASS_DELETE' });
  });

  it('takes a record that was deleted at the service for no conflict because its file has no slug', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    mkdirSync(join(root, 'articles/new'));
    writeFileSync(join(root, 'articles/new/en.md'), '---\ntitle: New\nis_published: true\n---\nText\n');
    await push(client, root);
    const [id = ''] = /(?<=article_id: ")\w{10}/.exec(readFiles(root)['articles/new/en.md'] ?? '') ?? [];
    await client.deleteArticle(id);
    expect(await push(client, root)).toEqual([`article ${id} remote-deleted`]);
    edit(root, 'articles/new/en.md', 'Text', 'Edited');
    await expect(push(client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('does not overwrite an edit made at the service while it runs', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    edit(root, resetFile, 'One', 'Mine');
    edit(root, 'articles/bbbbbbbbbb-draft/en.md', 'Draft', 'Also mine');
    const late = {
      ...client,
      readArticle: async (id: string) => {
        if (id === 'aaaaaaaaaa') await client.updateArticle(id, { title: 'Theirs' });
        return client.readArticle(id);
      },
    };
    await expect(push(late, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await client.readArticle('bbbbbbbbbb')).toMatchObject({ title: 'Also mine' });
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      title: 'Theirs',
      body: '<p>One</p>\n<p>Two</p>\n',
    });
  });

  it('refuses a folder whose own texts are in another language', async () => {
    const { client, root } = await startWithRecords();
    mkdirSync(join(root, 'articles/a'), { recursive: true });
    writeFileSync(join(root, 'articles/a/de.md'), '---\ntitle: Hallo\n---\n');
    await expect(push(client, root)).rejects.toMatchObject({ code: 'DEFAULT_LANGUAGE_DIFFERS', exitCode: 2 });
  });
});

describe('pull, push and pull again', () => {
  it('is a fixed point, also by way of another service', async () => {
    const { client, root } = await startWithRecords();
    await pull(client, root);
    const before = readFiles(root);
    const other = clientOf(await startTestService());
    await push(other, root, { deletes: false }, 'https://other/v1');
    const copy = join(temporaryFolder(), 'copy');
    await pull(other, copy);
    expect(readFiles(copy)).toEqual(before);
    expect(await push(client, root)).toEqual([]);
  });

  it('loses nothing of texts that are hard to write down', { tags: 'property' }, async () => {
    const service = await startTestService({ requestsPerMinute: 0 });
    const client = clientOf(service);
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.constantFrom(
        '---',
        '1.10',
        'null',
        ' x ',
        'a: b',
        '\n',
        'a\r\nb',
        '\uFEFFx',
        '#',
        '- a',
        '\u2028',
        '"',
        "'",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.option(text),
        text,
        fc.array(text, { maxLength: 3 }),
        async (title, description, body, tags) => {
          const { article_id } = await client.createArticle({
            title,
            description,
            body,
            tags,
            multilingual: [{ language_code: 'de', title, description, body }],
          });
          const root = join(temporaryFolder(), 'kb');
          await pull(client, root);
          expect(await push(client, root)).toEqual([]);
          await client.deleteArticle(article_id);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
