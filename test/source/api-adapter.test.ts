import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSnapshot } from '../../src/source/snapshot/open-snapshot.ts';
import type { Source } from '../../src/source/source.ts';
import { type FetchOptions, fetchSettings } from './support/fetch-settings.ts';
import { fetchKnowledgeBase } from './support/fetching.ts';
import {
  type ServedKnowledgeBase,
  type ServerQuirks,
  serveKnowledgeBase,
} from './support/knowledge-base-server.ts';
import { articleId, articleRecord, articleRecords } from './support/records.ts';
import { startServer } from './support/test-server.ts';

async function start(served: ServedKnowledgeBase, quirks: ServerQuirks = {}) {
  const server = await startServer(serveKnowledgeBase(served, quirks));
  onTestFinished(server.close);
  return server;
}

async function fetchFrom(served: ServedKnowledgeBase, quirks: ServerQuirks = {}, options: FetchOptions = {}) {
  const server = await start(served, quirks);
  const settings = await fetchSettings(server, options);
  const source = await fetchKnowledgeBase(settings);
  onTestFinished(() => source.close());
  return { server, settings, source };
}

function ids({ knowledgeBase }: Source): string[] {
  return knowledgeBase.articles.map(({ id }) => id);
}

describe('reading a knowledge base', () => {
  test('gives articles sorted by id, with their languages and bodies', async () => {
    const { source } = await fetchFrom({
      articles: [
        articleRecord('bbbbbbbbbb', {
          title: ' Second\n article ',
          multilingual: [
            { language_code: 'fr', title: 'Deuxième', body: '<p>Corps</p>', is_live: true },
            { language_code: 'de', title: 'Zweiter', body: '<p>Text 😀</p>', slug: 'zweiter' },
            { language_code: 'es', title: 'Oculto', body: '<p>Secreto</p>', is_live: false },
          ],
        }),
        articleRecord('aaaaaaaaaa'),
      ],
    });
    expect(ids(source)).toEqual(['aaaaaaaaaa', 'bbbbbbbbbb']);
    const second = source.knowledgeBase.articles[1];
    expect(second?.translations.map(({ language, title, slug }) => ({ language, title, slug }))).toEqual([
      { language: 'en', title: 'Second article', slug: 'slug-bbbbbbbbbb' },
      { language: 'de', title: 'Zweiter', slug: 'zweiter' },
      { language: 'fr', title: 'Deuxième', slug: 'slug-bbbbbbbbbb' },
    ]);
    expect(Object.fromEntries(await source.readBodies('bbbbbbbbbb'))).toEqual({
      en: '<p>Body of bbbbbbbbbb</p>',
      de: '<p>Text 😀</p>',
      fr: '<p>Corps</p>',
    });
    expect(source.stats).toMatchObject({
      mode: 'full',
      listed: 2,
      published: 2,
      languages: { de: 1, en: 2, fr: 1 },
    });
  });

  test('skips content that is not public, reports the reason, and does not write it to the cache', async () => {
    const { source, settings } = await fetchFrom({
      articles: [
        articleRecord('public0000'),
        articleRecord('draft00000', { is_published: false, body: 'TOPSECRET', title: 'TOPSECRET' }),
        articleRecord('private000', { is_private: true, body: 'TOPSECRET', title: 'TOPSECRET' }),
        articleRecord('groups0000', { permission_groups: ['staff'], body: 'TOPSECRET', title: 'TOPSECRET' }),
        articleRecord('unknown000', { is_private: 'no', body: 'TOPSECRET', title: 'TOPSECRET' }),
        articleRecord('empty00000', { body: '  ', title: 'No body' }),
        articleRecord('hidden0000', {
          multilingual: [{ language_code: 'de', title: 'TOPSECRET', body: 'TOPSECRET', is_live: false }],
        }),
      ],
    });
    expect(ids(source)).toEqual(['hidden0000', 'public0000']);
    expect(Object.fromEntries(source.knowledgeBase.excluded)).toEqual({
      draft00000: 'draft',
      empty00000: 'no-content',
      groups0000: 'restricted',
      private000: 'private',
      unknown000: 'visibility-unknown',
    });
    for (const name of await readdir(settings.cache)) {
      expect(await readFile(join(settings.cache, name), 'utf8')).not.toContain('TOPSECRET');
    }
  });

  test('reads one by one the bodies that are missing in the list', async () => {
    const { source, server } = await fetchFrom(
      { articles: [articleRecord('aaaaaaaaaa'), articleRecord('bbbbbbbbbb', { is_published: false })] },
      { ignoresIncludeBody: true },
    );
    expect((await source.readBodies('aaaaaaaaaa')).get('en')).toBe('<p>Body of aaaaaaaaaa</p>');
    expect(server.requests.filter((line) => line.startsWith('GET /v1/article/'))).toEqual([
      'GET /v1/article/aaaaaaaaaa',
    ]);
    expect(source.stats.singleReads).toBe(1);
  });

  test('files articles under categories, and reports those that do not exist', async () => {
    const { source } = await fetchFrom({
      articles: [
        articleRecord('aaaaaaaaaa', { category_id: 'child00000' }),
        articleRecord('bbbbbbbbbb', { category_id: 'nowhere000' }),
      ],
      categories: [
        { category_id: 'child00000', title: 'Child', parent_category_id: 'parent0000' },
        {
          category_id: 'parent0000',
          title: 'Parent',
          multilingual: [{ language_code: 'de', title: 'Eltern' }],
        },
      ],
    });
    expect(source.knowledgeBase.categories.map(({ id, parentId }) => ({ id, parentId }))).toEqual([
      { id: 'parent0000', parentId: null },
      { id: 'child00000', parentId: 'parent0000' },
    ]);
    expect(source.knowledgeBase.articles.map(({ categoryId }) => categoryId)).toEqual(['child00000', null]);
    expect(source.problems).toMatchObject([{ code: 'CATEGORY_UNKNOWN', articleId: 'bbbbbbbbbb' }]);
  });

  test('reads of a category the documented fields alone, and reports what is none', async () => {
    const { source } = await fetchFrom({
      articles: [articleRecord('aaaaaaaaaa', { category_id: 'c1' })],
      categories: [null, 7, { category_id: 'c1', title: 'One', path: '../../x', aliases: 'y' }],
    });
    expect(source.knowledgeBase.categories).toStrictEqual([
      {
        ...{ id: 'c1', parentId: null, icon: null, updatedAt: null },
        translations: [{ language: 'en', title: 'One', slug: null, description: null }],
      },
    ]);
    expect(source.problems.map(({ code }) => code)).toEqual(['ID_INVALID', 'ID_INVALID']);
  });

  test('gives the most viewed public articles per language', async () => {
    const { source } = await fetchFrom({
      articles: [
        articleRecord('aaaaaaaaaa'),
        articleRecord('bbbbbbbbbb'),
        articleRecord('cccccccccc', { is_private: true }),
      ],
      views: { aaaaaaaaaa: 3, bbbbbbbbbb: 70, cccccccccc: 900 },
    });
    expect([...source.topArticles]).toEqual([['en', ['bbbbbbbbbb', 'aaaaaaaaaa']]]);
  });

  test('gives the most viewed articles of a language that records spell in several ways', async () => {
    const inLanguage = (id: string, language_code: string) =>
      articleRecord(id, { multilingual: [{ language_code, title: 'Um', body: 'Texto' }] });
    const { source } = await fetchFrom({
      articles: [inLanguage('aaaaaaaaaa', 'pt-BR'), inLanguage('bbbbbbbbbb', 'pt-br')],
      views: { aaaaaaaaaa: 3, bbbbbbbbbb: 70 },
    });
    expect(source.topArticles.get('pt-BR')).toEqual(['bbbbbbbbbb', 'aaaaaaaaaa']);
  });

  test('keeps to the wanted languages', async () => {
    const german = [{ language_code: 'de', title: 'Titel', body: 'Text' }];
    const { source } = await fetchFrom(
      { articles: [articleRecord('aaaaaaaaaa', { multilingual: german }), articleRecord('bbbbbbbbbb')] },
      {},
      { languages: ['de'] },
    );
    expect(ids(source)).toEqual(['aaaaaaaaaa']);
    expect(source.knowledgeBase.articles[0]?.translations.map(({ language }) => language)).toEqual(['de']);
    expect(source.knowledgeBase.excluded.get('bbbbbbbbbb')).toBe('other-language');
    expect(source.stats.excluded).toEqual({ 'other-language': 1 });
  });

  test('finds a wanted language under its deprecated code', async () => {
    const hebrew = [{ language_code: 'iw', title: 'Title', body: 'Text' }];
    const { source } = await fetchFrom(
      { articles: [articleRecord('aaaaaaaaaa', { multilingual: hebrew })] },
      {},
      { languages: ['he'] },
    );
    expect(source.knowledgeBase.articles[0]?.translations.map(({ language }) => language)).toEqual(['he']);
  });

  test('sends the key in a header and not in a URL', async () => {
    const { server } = await fetchFrom({ articles: articleRecords(1) });
    expect(new Set(server.keys)).toEqual(new Set(['Bearer secret-key-1']));
    expect(server.requests.join()).not.toContain('secret-key-1');
  });
});

describe('a snapshot', () => {
  test('gives the same knowledge base again without a network', async () => {
    const { source, settings, server } = await fetchFrom({
      articles: [
        articleRecord('aaaaaaaaaa', { category_id: 'cat0000000', tags: ['x', 'x', 7] }),
        articleRecord('bbbbbbbbbb', { is_published: false }),
        articleRecord('not an id'),
      ],
      categories: [{ category_id: 'cat0000000', title: '' }],
      views: { aaaaaaaaaa: 1 },
    });
    await server.close();
    const again = await openSnapshot(settings);
    onTestFinished(() => again.close());
    expect(again.knowledgeBase).toStrictEqual(source.knowledgeBase);
    expect(again.problems).toEqual(source.problems);
    expect(again.topArticles).toEqual(source.topArticles);
    expect(await again.readBodies('aaaaaaaaaa')).toEqual(await source.readBodies('aaaaaaaaaa'));
    expect(again.stats).toEqual({ ...source.stats, mode: 'offline' });
  });

  test('is replaced by the next run, which leaves no other files', async () => {
    const served = { articles: articleRecords(3) };
    const { settings, source } = await fetchFrom(served);
    served.articles = articleRecords(4);
    const second = await fetchKnowledgeBase(settings);
    onTestFinished(() => second.close());
    expect(ids(second)).toHaveLength(4);
    expect((await source.readBodies(articleId(0))).size).toBe(1);
    const others = (await readdir(settings.cache)).filter(
      (name) => !/^snapshot\.db(?:-wal|-shm)?$/.test(name),
    );
    expect(others).toEqual([]);
  });
});
