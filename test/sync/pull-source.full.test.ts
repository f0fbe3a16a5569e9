import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { configSchema } from '../../src/core/config/schema.ts';
import type { FileFetcher } from '../../src/core/net/fetch-file.ts';
import { idOfZendesk } from '../../src/core/zendesk-id.ts';
import { build } from '../../src/pipeline/library-build.ts';
import { sourceIdentity } from '../../src/pipeline/open-source.ts';
import type { PublicContent } from '../../src/pipeline/pull-source/public-records.ts';
import { createFolderFetcher } from '../../src/source/folder/folder-fetcher.ts';
import { readKnowledgeBase } from '../../src/source/read-knowledge-base.ts';
import type { Source } from '../../src/source/source.ts';
import { openZendeskAdapter } from '../../src/source/zendesk/zendesk-adapter.ts';
import { compareSides } from '../../src/sync/compare-sides.ts';
import { applyPush } from '../../src/sync/push.ts';
import { startTestService } from '../service/support/service.ts';
import { png } from '../site/media/images.ts';
import { fetchSettings } from '../source/support/fetch-settings.ts';
import { fetchKnowledgeBase } from '../source/support/fetching.ts';
import { openFolderProject } from '../source/support/folder-source.ts';
import { startServer } from '../source/support/test-server.ts';
import { createZendesk, zendeskNumber } from '../source/support/zendesk-server.ts';
import { page } from '../support/folder-layouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { contentOf, createTarget, type Fault, kbFolder, pullSource } from './pull-source-support.ts';
import { clientOf, pull, push, readFiles, toForm } from './support.ts';

const translation = (language: string, title: string) => ({
  language,
  title,
  slug: null,
  description: null,
  updatedAt: null,
  bodyHash: '',
  blockFingerprints: [],
  listTitle: null,
  sourcePath: null,
  aliases: [],
  file: null,
});

const article = (id: string, en: string, de: string | null = null, categoryId: string | null = 'bike') => ({
  article: {
    id,
    categoryId,
    tags: ['care'],
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    isFeatured: false,
    sortOrder: null,
    showToc: true,
    isListed: true,
    replaces: {},
    translations: [
      translation('en', `Title ${id}`),
      ...(de === null ? [] : [translation('de', `Titel ${id}`)]),
    ],
  },
  bodies: new Map([['en', en], ...(de === null ? [] : [['de', de] as const])]),
});

const category = (id: string, parentId: string | null) => ({
  id,
  parentId,
  icon: null,
  updatedAt: null,
  translations: [
    { language: 'en', title: `Category ${id}`, slug: null, description: null },
    { language: 'de', title: `Kategorie ${id}`, slug: null, description: 'Text' },
  ],
});

/** Articles that link to each other in both directions, and two of one title. */
const world: PublicContent = {
  defaultLanguage: 'en',
  origins: { hosts: ['https://old.example'], siteUrl: null, apiUrl: null },
  excluded: new Map([['hidden0000', 'draft']]),
  categories: [category('shop', null), category('bike', 'shop'), category('tools', 'shop')],
  articles: [
    article(
      'aaaaaaaaaa',
      '<a href="/article/bbbbbbbbbb-x#pads">b</a> <a href="/category/tools">t</a>',
      '<a href="https://old.example/l/de/article/cccccccccc">c</a>',
    ),
    article('bbbbbbbbbb', '<p><a href="/article/aaaaaaaaaa">a</a></p>'),
    article('cccccccccc', '<p>No links.</p> <a href="https://elsewhere.example/article/aaaaaaaaaa">e</a>'),
    {
      ...article('dddddddddd', '<p>Same title.</p>', null, null),
      article: {
        ...article('dddddddddd', '').article,
        translations: [translation('en', 'Title cccccccccc')],
      },
    },
  ],
};

describe('a pull from a source and a push', () => {
  it('keep the ids, dates and links if the service accepts them, and do nothing the second time', async () => {
    const { client, articles, categories, ...target } = createTarget();
    const root = kbFolder();
    expect(pullSource(root, world).outcomes).toHaveLength(7);
    expect(await push(client, root)).toHaveLength(7);
    expect([...articles.keys()].sort()).toEqual(world.articles.map((one) => one.article.id));
    expect(articles.get('aaaaaaaaaa')).toMatchObject({
      body: '<a href="/article/bbbbbbbbbb-x#pads">b</a> <a href="/category/tools">t</a>',
      updated_at: '2026-01-02T00:00:00.000Z',
      category_id: 'bike',
      is_published: true,
      multilingual: [{ language_code: 'de', body: '<a href="/article/cccccccccc">c</a>', is_live: true }],
    });
    expect(categories.get('tools')).toMatchObject({
      parent_category_id: 'shop',
      sort_order: 2,
      multilingual: [{ language_code: 'de', title: 'Kategorie tools', description: 'Text' }],
    });
    const before = readFiles(root);
    expect(pullSource(root, world).outcomes).toEqual([]);
    expect(readFiles(root)).toEqual(before);
    target.fail(null);
    expect(await push(client, root)).toEqual([]);
    expect(target.writes()).toBe(0);
  });

  it('change links to the new ids if the service gives its own', async () => {
    const { client, articles, categories } = createTarget({ givesIds: true });
    const root = kbFolder();
    pullSource(root, world);
    await push(client, root);
    const byTitle = new Map([...articles.values()].map((one) => [one.title, one]));
    const idOf = (letter: string) => byTitle.get(`Title ${letter.repeat(10)}`)?.article_id;
    const tools = [...categories.values()].find(({ title }) => title === 'Category tools')?.category_id;
    expect(byTitle.get('Title aaaaaaaaaa')).toMatchObject({
      body: `<a href="/article/${idOf('b')}-x#pads">b</a> <a href="/category/${tools}">t</a>`,
      is_published: true,
    });
    expect(byTitle.get('Title bbbbbbbbbb')?.body).toBe(`<p><a href="/article/${idOf('a')}">a</a></p>`);
    expect([...articles.values()].every((one) => one.is_published)).toBe(true);
    expect(await push(client, root)).toEqual([]);

    // The source still has the old ids.
    expect(pullSource(root, world).outcomes).toEqual([]);
    const [a, ...others] = world.articles;
    if (a === undefined) throw new Error('an article');
    const edited = { ...a, bodies: new Map([...a.bodies, ['en', '<a href="/article/bbbbbbbbbb">New</a>']]) };
    expect(pullSource(root, { ...world, articles: [edited, ...others] }).outcomes).toEqual([
      'article aaaaaaaaaa changed',
    ]);
    expect(await push(client, root)).toEqual([`article ${idOf('a')} local-changed`]);
    expect(articles.get(idOf('a') ?? '')?.body).toBe(`<a href="/article/${idOf('b')}">New</a>`);
  });

  it.each([
    ['unmade', false],
    ['unanswered', false],
    ['unmade', true],
    ['unanswered', true],
  ] as const)(
    'that end at any write (%s, own ids: %s) go on there and create nothing twice',
    async (kind, givesIds) => {
      const whole = createTarget({ givesIds });
      const first = kbFolder();
      pullSource(first, world);
      await push(whole.client, first);
      expect(whole.writes()).toBeGreaterThanOrEqual(7);
      for (let at = 1; at <= whole.writes(); at += 1) {
        const target = createTarget({ givesIds });
        // Somebody else's, of a title that is copied: it is neither taken for the copy nor changed.
        await target.client.createArticle({
          title: 'Title bbbbbbbbbb',
          article_id: 'other00000',
          body: 'theirs',
        });
        const root = kbFolder();
        pullSource(root, world);
        const fault: Fault = { at, kind };
        target.fail(fault);
        await expect(push(target.client, root)).rejects.toThrow(`write ${at}`);
        target.fail(null);
        await push(target.client, root);
        const own = [...target.articles.values()].filter(({ body }) => body !== 'theirs');
        expect([own.length, target.articles.size, target.categories.size], `write ${at}`).toEqual([4, 5, 3]);
        expect(own.every((one) => one.is_published)).toBe(true);
        expect(
          own
            .flatMap(({ body = '' }) => [...body.matchAll(/"\/article\/(\w+)/g)])
            .every(([, id = '']) => target.articles.has(id)),
        ).toBe(true);
        target.fail(null);
        await push(target.client, root);
        expect(target.writes(), `write ${at}`).toBe(0);
        expect(pullSource(root, world).outcomes).toEqual([]);
      }
    },
  );

  it('report the dates of translations, for which a record has no field, and those that the service replaced', async () => {
    const [one] = world.articles;
    if (one === undefined) throw new Error('an article');
    const dated = one.article.translations.map((text) =>
      text.language === 'de' ? { ...text, updatedAt: '2025-05-05T00:00:00.000Z' } : text,
    );
    const articles = [
      { ...one, article: { ...one.article, translations: dated } },
      ...world.articles.slice(1),
    ];
    const root = kbFolder();
    expect(pullSource(root, { ...world, articles }).problems).toMatchObject([
      {
        code: 'SYNC_DATES_LOST',
        articleId: 'aaaaaaaaaa',
        message: 'an article has one date, so those of de were not written',
      },
    ]);
    const { client } = createTarget({ givesDates: true });
    const sides = await compareSides(client, { root, baseUrl: 'target', defaultLanguage: 'en', toForm });
    const { redated } = await applyPush(client, sides, { deletes: false });
    expect(redated).toHaveLength(4);
  });

  it('take a URL with a slash at the end for the same source', () => {
    const identify = (baseUrl: string) => sourceIdentity(configSchema.parse({ baseUrl }), '/project');
    expect(identify('https://kb.example.com/v1/')).toBe(identify('https://KB.example.com/v1'));
  });

  it('refuse a folder of another source', () => {
    const root = kbFolder();
    pullSource(root, world);
    const state = join(root, '.lectern-source.json');
    writeFileSync(state, readFileSync(state, 'utf8').replace('"source"', '"another"'));
    expect(() => pullSource(root, world)).toThrow(
      expect.objectContaining({ code: 'SYNC_STATE_FOREIGN', exitCode: 2 }),
    );
  });

  it.each(['', '\0\0\0', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> main\n'])(
    'refuse a state that is not JSON: what the source withdrew would stay in the folder: %j',
    (damaged) => {
      const root = kbFolder();
      pullSource(root, world);
      writeFileSync(join(root, '.lectern-source.json'), damaged);
      const files = readFiles(root);
      expect(() => pullSource(root, { ...world, articles: world.articles.slice(1) })).toThrow(
        expect.objectContaining({ code: 'PATH_UNUSABLE', message: expect.stringContaining('is not JSON') }),
      );
      expect(readFiles(root)).toEqual(files);
    },
  );

  it('never overwrite an edit of the folder, and repeat a pull that was killed', () => {
    const root = kbFolder();
    pullSource(root, world);
    const files = readFiles(root);
    const [a, b, c, d] = world.articles;
    if (!a || !b || !c || !d) throw new Error('four articles');
    const paths = Object.keys(files).filter((path) => /^articles\/.*\/en\.(?:md|html)$/.test(path));
    const [pathA = '', pathB = '', pathC = '', pathD = ''] = paths.map((path) => join(root, path));
    const edit = (path: string) =>
      writeFileSync(path, readFileSync(path, 'utf8').replace('tags:', 'short_version: Ours\ntags:'));
    edit(pathA);
    edit(pathB);
    rmSync(dirname(pathC), { recursive: true });
    const now = {
      ...world,
      articles: [a, article('bbbbbbbbbb', '<p>Theirs.</p>'), article('cccccccccc', '<p>Theirs.</p>')],
    };
    expect(pullSource(root, now).outcomes).toEqual([
      'article aaaaaaaaaa edited',
      'article bbbbbbbbbb conflict',
      'article cccccccccc deleted',
      'article dddddddddd gone',
    ]);
    expect([pathA, pathB].every((path) => readFileSync(path, 'utf8').includes('Ours'))).toBe(true);
    expect([existsSync(pathC), existsSync(pathD)]).toEqual([false, false]);
    expect(pullSource(root, now, { theirs: true }).outcomes).toContain('article bbbbbbbbbb changed');
    expect(readFileSync(pathB, 'utf8')).toMatch(/Theirs\.\n$/);

    // A killed pull has written some of the files of a record.
    const state = join(root, '.lectern-source.json');
    const key = '"article bbbbbbbbbb": {';
    writeFileSync(state, readFileSync(state, 'utf8').replace(key, `${key}"isUnfinished":true,`));
    edit(pathB);
    expect(pullSource(root, now).outcomes).toContain('article bbbbbbbbbb changed');
  });

  it('remove nothing if most articles are missing in the source', () => {
    const root = kbFolder();
    pullSource(root, world);
    const files = readFiles(root);
    expect(() => pullSource(root, { ...world, articles: world.articles.slice(2) })).toThrow(
      expect.objectContaining({ code: 'MASS_DELETE' }),
    );
    expect(readFiles(root)).toEqual(files);
  });

  it('send later edits, except of records edited or deleted in the service', async () => {
    const target = createTarget();
    const root = kbFolder();
    pullSource(root, world);
    await push(target.client, root);
    const [a, b, c, d] = world.articles;
    if (!a || !b || !c || !d) throw new Error('four articles');
    await target.client.updateArticle('bbbbbbbbbb', { title: 'Theirs' });
    await target.client.updateArticle('cccccccccc', { body: 'Theirs too' });
    await target.client.updateArticle('aaaaaaaaaa', { short_version: 'Theirs', tags: ['theirs'] });
    target.articles.delete('dddddddddd');
    const edited = {
      ...world,
      articles: [article('aaaaaaaaaa', '<p>New.</p>'), b, article('cccccccccc', '<p>Mine.</p>'), d],
    };
    pullSource(root, edited);
    await expect(push(target.client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(target.articles.get('aaaaaaaaaa')).toMatchObject({
      body: '<p>New.</p>',
      multilingual: [],
      tags: ['theirs'],
    });
    expect(target.articles.get('bbbbbbbbbb')).toMatchObject({ title: 'Theirs' });
    expect(target.articles.get('cccccccccc')).toMatchObject({ body: 'Theirs too' });
    await push(target.client, root, { deletes: false, ours: true });
    expect(target.articles.get('cccccccccc')).toMatchObject({ body: '<p>Mine.</p>' });
    expect(target.articles.has('dddddddddd')).toBe(false);
    pullSource(root, { ...edited, articles: edited.articles.slice(1) });
    // The folder has no file of it any more, and the service has another tag.
    await expect(push(target.client, root)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(target.articles.has('aaaaaaaaaa')).toBe(true);
  });

  it('report what they cannot send with article and language, and continue', async () => {
    const target = createTarget();
    target.refuse((title) => title === 'Title bbbbbbbbbb');
    const german = article(
      'eeeeeeeeee',
      '',
      '<a href="/article/hidden0000">h</a> <a href="/article/nowhere000">n</a>',
    );
    const { article: record } = german;
    const onlyGerman = {
      article: { ...record, translations: record.translations.slice(1) },
      bodies: new Map([...german.bodies].slice(1)),
    };
    const root = kbFolder();
    const { problems } = pullSource(root, { ...world, articles: [...world.articles, onlyGerman] });
    expect(problems.map(({ code, articleId, language }) => [code, articleId, language])).toEqual([
      ['SYNC_LANGUAGE_MISSING', 'eeeeeeeeee', 'en'],
      ['LINK_BROKEN', 'eeeeeeeeee', 'de'],
      ['LINK_BROKEN', 'eeeeeeeeee', 'de'],
    ]);
    await expect(push(target.client, root)).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
    expect([target.articles.size, target.categories.size]).toEqual([4, 3]);
    expect(target.articles.get('eeeeeeeeee')).toMatchObject({ title: 'Titel eeeeeeeeee', body: '' });
    expect(target.articles.has('hidden0000')).toBe(false);
  });
});

/** All of a source that a site is made of. */
async function publicContent(source: Source) {
  const { articles, categories, defaultLanguage } = source.knowledgeBase;
  const bodies: Record<string, unknown> = {};
  for (const { id } of articles) bodies[id] = Object.fromEntries(await source.readBodies(id));
  // Plain objects, because the fields of packed articles cannot be spread.
  const plain = JSON.parse(JSON.stringify(articles)) as typeof articles;
  return { articles: plain, categories, defaultLanguage, bodies };
}

describe('images of other hosts', () => {
  const body =
    '<img src="https://old.example/a.png" alt="a"> <img src="https://old.example/page" alt="p"> <a href="/files/m.pdf">m</a>';
  const files: FileFetcher = {
    fetch: async (address) => {
      const bytes = address.endsWith('.png') ? png(2, 2) : Buffer.from('<html>');
      return { kind: 'file', bytes, etag: null, lastModified: null };
    },
    close: async () => {},
  };
  const source = {
    knowledgeBase: { ...world, articles: [article('aaaaaaaaaa', '').article], excluded: new Map() },
    readBodies: async () => new Map([['en', body]]),
    listSkippedTranslations: () => [],
    unpublishAtOf: () => ({ en: '2030-01-01T00:00:00.000Z' }),
    problems: [],
  } as unknown as Source;
  const origins = { hosts: ['https://old.example'], siteUrl: null, apiUrl: null };

  it('keep their URLs, which are reported', async () => {
    const { content, problems } = await contentOf(source, { files, origins });
    expect(content.articles[0]?.bodies.get('en')).toBe(body);
    expect(problems).toMatchObject([
      {
        code: 'SYNC_FILE_NOT_COPIED',
        articleId: 'aaaaaaaaaa',
        language: 'en',
        message: '3 images or files keep their URLs on old.example',
      },
    ]);
  });

  it('are in articles that stop being public at the same time as in the source', async () => {
    const { content } = await contentOf(source, { files, origins });
    const target = createTarget();
    const root = kbFolder();
    pullSource(root, { ...content, categories: world.categories });
    await push(target.client, root);
    const [record] = target.articles.values();
    expect(record).toMatchObject({ unpublish_at: '2030-01-01T00:00:00.000Z' });
  });

  it('are embedded in the text with embedImages if they are images', async () => {
    const { content, problems } = await contentOf(source, { files, origins, embedImages: true });
    const data = `data:image/png;base64,${Buffer.from(png(2, 2)).toString('base64')}`;
    expect(content.articles[0]?.bodies.get('en')).toBe(body.replace('https://old.example/a.png', data));
    expect(problems).toMatchObject([{ message: '2 images or files keep their URLs on old.example' }]);
  });

  it('are shown as they are embedded, and not as other sizes of the source', async () => {
    const image = '<img src="https://old.example/a.png" srcset="/b.png 2x" data-srcset="/c.png 2x" alt="A">';
    const lazy = { ...source, readBodies: async () => new Map([['en', image]]) };
    const { content } = await contentOf(lazy, { files, origins, embedImages: true });
    const data = `data:image/png;base64,${Buffer.from(png(2, 2)).toString('base64')}`;
    expect(content.articles[0]?.bodies.get('en')).toBe(`<img src="${data}" alt="A">`);
  });
});

describe('a pull from a source and a push into the embedded service', () => {
  const open = async () => {
    const service = await startTestService();
    const client = clientOf(service);
    const read = async () => {
      const settings = await fetchSettings({ baseUrl: service.baseUrl, ca: service.ca ?? '' } as never, {
        apiKey: service.apiKey,
      });
      const source = await fetchKnowledgeBase(settings);
      onTestFinished(() => source.close());
      return source;
    };
    return { service, client, read };
  };

  const readZendesk = async (zendesk: ReturnType<typeof createZendesk>) => {
    const server = await startServer(zendesk.handle);
    onTestFinished(server.close);
    const settings = await fetchSettings(server, { baseUrl: server.origin });
    const adapter = openZendeskAdapter({ ...settings, hosts: [] });
    onTestFinished(() => adapter.close());
    const source = await readKnowledgeBase(adapter, { ...settings, maxDropPercent: 20 });
    onTestFinished(() => source.close());
    return source;
  };

  it('from another one gives the same records', async () => {
    const from = await open();
    const root = await from.client.createCategory({
      title: 'Shop',
      sort_order: 1,
      multilingual: [{ language_code: 'de', title: 'Laden' }],
    });
    await from.client.createCategory({
      title: 'Tools',
      sort_order: 1,
      parent_category_id: root.category_id,
      icon: 'gear',
      slug: 'the-tools',
    });
    const first = await from.client.createArticle({
      title: 'Oil the chain & more',
      body: '<p>One drop.</p>',
      is_published: true,
      category_id: root.category_id,
      tags: ['care', 'öl'],
      sort_order: 2.5,
      is_featured: true,
      show_toc: false,
      multilingual: [
        { language_code: 'pt-BR', title: 'Óleo', body: '<p>Uma.</p>', slug: 'oleo', description: 'd' },
      ],
    });
    await from.client.createArticle({
      title: 'Brakes',
      body: `<a href="/article/${first.article_id}-oil">x</a>`,
      is_published: true,
    });
    await from.client.createArticle({ title: 'Draft', body: 'TOPSECRET' });
    const to = await open();
    const { content } = await contentOf(await from.read());
    const kb = kbFolder();
    pullSource(kb, content);
    expect(await push(to.client, kb)).toHaveLength(4);
    const records = async ({ client }: Awaited<ReturnType<typeof open>>) => {
      const articles = (await client.listArticles({ include_body: true })).filter(
        ({ is_published }) => is_published,
      );
      const categories = await client.listCategories();
      return JSON.stringify([
        articles
          .map(({ account_id: _, ...rest }) => rest)
          .sort((a, b) => (a.article_id < b.article_id ? -1 : 1)),
        categories.map(({ account_id: _, created_at: _c, updated_at: _u, ...rest }) => rest),
      ]);
    };
    expect(await records(to)).toBe(await records(from));
    expect(JSON.stringify(await to.client.listArticles({ include_body: true }))).not.toContain('TOPSECRET');
  });

  it('from Zendesk redirects its old URLs, and links to them, to the pages', async () => {
    const old = 'https://help.old.example';
    const [chain, brake] = [zendeskNumber('chain'), zendeskNumber('brake')];
    const zendesk = createZendesk();
    const updated = '2026-01-02T00:00:00Z';
    const link = (path: string, text: string) => `<a href="${old}/hc/${path}">${text}</a>`;
    zendesk.hold({
      chain: {
        title: 'Oil the chain',
        body: `<p>${link(`en/articles/${brake}-Old#pads`, 'brakes')} ${link('en/sections/12', 'more')} ${link('en/requests/new', 'ask')}</p>`,
        updated,
        german: { title: 'Kette ölen', body: '<p>Ein Tropfen.</p>' },
        category: 'child',
      },
      brake: { title: 'Brakes', body: '<h2 id="pads">Pads</h2><p>Turn.</p>', updated },
    });
    const source = await readZendesk(zendesk);
    const { service, client } = await open();
    const pulled = kbFolder();
    pullSource(
      pulled,
      (await contentOf(source, { origins: { hosts: [old], siteUrl: null, apiUrl: null } })).content,
    );
    await push(client, pulled);
    const own = await client.createArticle({
      article_id: 'zzzzzzzzzz',
      title: 'Mine',
      body: '<p>Text.</p>',
      is_published: true,
    });
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'ca.pem'), service.ca ?? '');
    await pull(client, join(folder, 'kb'));
    const publish = async (out: string, settings: UserConfig) => {
      const siteUrl = 'https://help.example.com';
      const shared = { siteUrl, out, cache: `.${out}`, content: { hosts: [old] }, tls: { ca: 'ca.pem' } };
      await build({ ...shared, ...settings }, { folder, apiKey: service.apiKey });
      const read = (path: string) => readFileSync(join(folder, out, path), 'utf8');
      const page = read(`en/article/${idOfZendesk(chain)}-chain/index.html`);
      const rules = read('_redirects')
        .split('\n')
        .map((line) => line.split(/\s+/))
        .filter(([from = '']) => from.startsWith('/hc/'));
      return {
        rules: rules.map((rule) => rule.join(' ')),
        links: [...page.matchAll(/<a href="([^"]*)"[^>]*>(?:brakes|more|ask)</g)].map(([, href]) => href),
      };
    };
    const redirects = { movedFrom: ['zendesk' as const] };

    const fromApi = await publish('api', { baseUrl: service.baseUrl, redirects });
    expect(await publish('folder', { source: { kind: 'folder', path: 'kb' }, redirects })).toEqual(fromApi);
    const brakes = `/en/article/${idOfZendesk(brake)}-brake/`;
    expect(fromApi.links).toEqual([
      `${brakes}#pads`,
      expect.stringMatching(/^\/en\/category\/s12-/),
      `${old}/hc/en/requests/new`,
    ]);
    expect(fromApi.rules).toEqual(
      expect.arrayContaining([
        `/hc/articles/${brake} ${brakes} 301`,
        `/hc/en/articles/${brake}-brake ${brakes} 301`,
        `/hc/en-us/articles/${brake}-brake ${brakes} 301`,
        `/hc/de/articles/${brake} ${brakes} 302`,
        `/hc/de/articles/${chain}-chain /de/article/${idOfZendesk(chain)}-chain/ 301`,
      ]),
    );
    expect(fromApi.rules.filter((rule) => rule.includes(own.article_id))).toEqual([]);
    expect(await publish('other', { baseUrl: service.baseUrl })).toMatchObject({ rules: [] });
  });

  it('from Zendesk gives the site Zendesk gives', async () => {
    const zendesk = createZendesk();
    const updated = '2026-01-02T00:00:00Z';
    zendesk.hold({
      chain: {
        title: 'Oil the chain',
        body: `<p>See <a href="/hc/en-us/articles/${zendeskNumber('brake')}-Brakes#pads">brakes</a> <img src="https://files.example/a.png" alt="" /></p>`,
        updated,
        category: 'child',
        german: { title: 'Kette ölen', body: '<p>Ein Tropfen.</p>' },
      },
      brake: { title: 'Brakes', body: '<p>Turn.</p>', updated, category: 'parent' },
      bell: {
        title: 'Ring',
        body: '<p>Pull.</p>',
        updated,
        german: { title: 'TOPSECRET', body: 'TOPSECRET', hidden: true },
      },
      draft: { title: 'TOPSECRET', body: 'TOPSECRET', updated, state: 'draft' },
      staff: { title: 'TOPSECRET', body: 'TOPSECRET', updated, state: 'restricted' },
    });
    const source = await readZendesk(zendesk);
    const { content, problems, skipped } = await contentOf(source);
    const to = await open();
    const root = kbFolder();
    pullSource(root, content);
    await push(to.client, root);
    const expected = await publicContent(source);
    const copied = await publicContent(await to.read());
    // The interface has one date for all languages, and fills an absent slug and the date of categories in.
    const comparable = ({ articles, categories, ...rest }: typeof expected) => ({
      ...rest,
      articles: articles.map(({ translations, ...one }) => ({
        ...one,
        translations: translations.map(({ updatedAt: _, ...text }) => text),
      })),
      categories: categories.map(({ updatedAt: _, translations, ...one }) => ({
        ...one,
        translations: translations.map(({ language, title }) => ({ language, title })),
      })),
    });
    expect(comparable(copied)).toEqual(comparable(expected));
    expect(problems.map(({ code, language }) => [code, language])).toEqual([
      ['SYNC_SKIPPED', null],
      ['SYNC_SKIPPED', null],
      ['SYNC_SKIPPED', 'de'],
      ['SYNC_FILE_NOT_COPIED', 'en'],
    ]);
    expect(skipped).toEqual({ draft: 1, restricted: 1, 'hidden-translation': 1 });
    expect(JSON.stringify(await to.client.listArticles({ include_body: true }))).not.toContain('TOPSECRET');
  });

  it('from a folder puts its images into the articles, and reports the files it cannot', async () => {
    const project = openFolderProject({
      'guide/chain.md': page(
        'title: Oil',
        '![drops](a.png) ![big](big.png) [manual](m.pdf) [brakes](brakes.md)',
      ),
      'guide/brakes.md': page('title: Brakes', 'Turn.'),
      'guide/a.png': png(2, 2),
      'guide/big.png': Buffer.concat([png(2, 2), Buffer.alloc(1_500_000)]),
      'guide/m.pdf': '%PDF',
    });
    const files = createFolderFetcher(project.root, 10_000_000, null);
    const { content, problems } = await contentOf(await project.read(), { files });
    const to = await open();
    const root = kbFolder();
    pullSource(root, content);
    await push(to.client, root);
    const oil = (await to.client.listArticles({ include_body: true })).find(({ title }) => title === 'Oil');
    const brakes = content.articles.find(({ article: one }) => one.translations[0]?.title === 'Brakes');
    expect(oil?.body).toBe(
      `<p><img src="data:image/png;base64,${Buffer.from(png(2, 2)).toString('base64')}" alt="drops" /> big manual <a href="/article/${brakes?.article.id}">brakes</a></p>`,
    );
    expect(problems.map(({ code, message, language }) => `${code} ${language}: ${message}`)).toEqual([
      'SYNC_FILE_NOT_COPIED en: the image guide/big.png was removed: it is larger than 1400000 bytes',
      'SYNC_FILE_NOT_COPIED en: the link to the file guide/m.pdf was removed',
    ]);
  });
});
