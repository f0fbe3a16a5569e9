import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idOfZendesk } from '../../src/core/zendesk-id.ts';
import type { SourceAdapter } from '../../src/source/adapter.ts';
import { openApiAdapter } from '../../src/source/api/api-adapter.ts';
import { deriveId } from '../../src/source/folder/folder-read.ts';
import { isArticleId } from '../../src/source/normalise/article.ts';
import { readKnowledgeBase } from '../../src/source/read-knowledge-base.ts';
import type { ReadSettings, Source } from '../../src/source/source.ts';
import { openZendeskAdapter } from '../../src/source/zendesk/zendesk-adapter.ts';
import { page } from '../support/folder-layouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fetchSettings } from './support/fetch-settings.ts';
import { openFolderProject } from './support/folder-source.ts';
import { serveKnowledgeBase } from './support/knowledge-base-server.ts';
import { errorOf } from './support/open-http.ts';
import { articleRecord } from './support/records.ts';
import { openSiteProject, sitePage } from './support/site-source.ts';
import { startServer } from './support/test-server.ts';
import { createZendesk, zendeskNumber } from './support/zendesk-server.ts';

/** One article of the knowledge base that every source is given, by a name of the test's own. */
interface Wanted {
  readonly title: string;
  readonly body: string;
  readonly updated: string;
  readonly state?: 'draft' | 'private' | 'restricted' | 'unknown';
  /** Into German; `hidden`: it is there and not public. */
  readonly german?: {
    readonly title: string;
    readonly body: string;
    readonly updated?: string;
    readonly hidden?: true;
  };
  /** `child` is below `parent`. */
  readonly category?: 'parent' | 'child';
}

type World = Readonly<Record<string, Wanted>>;

/** A kind of source with content from a test. */
interface Conforming {
  readonly adapter: SourceAdapter;
  /** The id that an article must have. */
  idOf(name: string): string;
  /** Replaces its content. */
  hold(world: World): void;
  /** Its reason for a private article, if it has only others. */
  readonly privateIs?: 'restricted';
  /** Its reason for every article that is not public, if it has only this one. */
  readonly hiddenIs?: 'noindex';
  /** Makes the list of articles end early or become unreadable; absent if this cannot happen. */
  cut?(): void;
}

const secret = 'TOPSECRET';

const adapters: Record<string, () => Promise<Conforming>> = {
  async api() {
    const served: { articles: unknown[]; categories: unknown[] } = { articles: [], categories: [] };
    let isCut = false;
    const serve = serveKnowledgeBase(served);
    const server = await startServer((request, response) => {
      if (!isCut || !request.url?.startsWith('/v1/article')) return serve(request, response);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"articles":[${JSON.stringify(served.articles[0])},`);
    });
    onTestFinished(server.close);
    const adapter = openApiAdapter(await fetchSettings(server));
    onTestFinished(() => adapter.close());
    const idOf = (name: string) => name.padEnd(10, '0');
    return {
      adapter,
      idOf,
      cut: () => {
        isCut = true;
      },
      hold(world) {
        served.categories = [
          { category_id: 'child', title: 'child', parent_category_id: 'parent' },
          { category_id: 'parent', title: 'parent' },
        ];
        served.articles = Object.entries(world).map(
          ([name, { title, body, updated, state, german, category }]) =>
            articleRecord(idOf(name), {
              title,
              body,
              updated_at: updated,
              category_id: category ?? null,
              is_published: state === 'unknown' ? undefined : state !== 'draft',
              is_private: state === 'private',
              permission_groups: state === 'restricted' ? ['staff'] : null,
              multilingual:
                german === undefined
                  ? []
                  : [
                      {
                        language_code: 'de',
                        title: german.title,
                        body: german.body,
                        updated_at: german.updated,
                        is_live: german.hidden !== true,
                      },
                    ],
            }),
        );
      },
    };
  },
  async folder() {
    const project = openFolderProject({});
    const states = {
      draft: 'draft: true',
      private: 'private: true',
      restricted: 'permission_groups: [staff]',
      unknown: 'draft: perhaps',
    };
    const folders = { parent: 'parent/', child: 'parent/child/' };
    let paths = new Map<string, string>();
    return {
      adapter: project.adapter,
      idOf: (name) => deriveId('article', paths.get(name)?.replace(/\.html$/, '') ?? ''),
      cut: () => {
        writeFileSync(join(project.root, 'hugo.toml'), '');
      },
      hold(world) {
        rmSync(project.root, { recursive: true, force: true });
        paths = new Map();
        project.write({
          'parent/index.md': page('title: parent', ''),
          'parent/child/index.md': page('title: child', ''),
        });
        for (const [name, { title, body, updated, state, german, category }] of Object.entries(world)) {
          const path = `${category === undefined ? '' : folders[category]}${name}.html`;
          paths.set(name, path);
          const hidden = state === undefined ? '' : `\n${states[state]}`;
          project.write({ [path]: page(`title: ${title}\nlastmod: ${updated}${hidden}`, body) });
          if (german === undefined) continue;
          const dated = german.updated === undefined ? '' : `\nlastmod: ${german.updated}`;
          const draft = german.hidden === true && state === undefined ? '\ndraft: true' : '';
          project.write({
            [`de/${path}`]: page(`title: ${german.title}${dated}${draft}${hidden}`, german.body),
          });
        }
      },
    };
  },
};

adapters.zendesk = async () => {
  const { handle, hold, cut } = createZendesk();
  const server = await startServer(handle);
  onTestFinished(server.close);
  const adapter = openZendeskAdapter({ ...(await fetchSettings(server)), hosts: [] });
  onTestFinished(() => adapter.close());
  return { adapter, idOf: (name) => idOfZendesk(zendeskNumber(name)), hold, cut, privateIs: 'restricted' };
};

adapters.site = async () => {
  const project = openSiteProject({});
  const folders = { parent: 'parent/', child: 'parent/child/' };
  let files = new Map<string, string>();
  return {
    adapter: project.adapter,
    idOf: (name) => deriveId('article', files.get(name)?.replace(/\.html$/, '') ?? ''),
    hiddenIs: 'noindex',
    cut: () => rmSync(project.root, { recursive: true }),
    hold(world) {
      rmSync(project.root, { recursive: true, force: true });
      mkdirSync(project.root, { recursive: true });
      files = new Map();
      for (const [name, { title, body, updated, state, german, category }] of Object.entries(world)) {
        const file = `${category === undefined ? '' : folders[category]}${name}.html`;
        files.set(name, file);
        const breadcrumbs = file.split('/').slice(0, -1);
        project.write({
          [file]: sitePage({ title, body, updated, isHidden: state !== undefined, breadcrumbs }),
        });
        if (german === undefined) continue;
        const { hidden: isHidden = false, ...texts } = german;
        project.write({ [`de/${file}`]: sitePage({ language: 'de', isHidden, breadcrumbs, ...texts }) });
      }
    },
  };
};

const world: World = {
  chain: {
    title: 'Oil the chain',
    body: '<p>One drop.</p>',
    updated: '2026-01-02T00:00:00.000Z',
    german: { title: 'Kette ölen', body: '<p>Ein Tropfen.</p>', updated: '2026-01-09T00:00:00.000Z' },
    category: 'child',
  },
  brakes: {
    title: 'Adjust the brakes',
    body: '<p>Turn.</p>',
    updated: '2026-01-03T00:00:00.000Z',
    german: { title: secret, body: secret, hidden: true },
    category: 'parent',
  },
  bell: { title: 'Ring the bell', body: '<p>Pull.</p>', updated: '2026-01-04T00:00:00.000Z' },
  draft: { title: secret, body: secret, updated: '2026-01-01T00:00:00.000Z', state: 'draft' },
  wages: { title: secret, body: secret, updated: '2026-01-01T00:00:00.000Z', state: 'private' },
  staff: { title: secret, body: secret, updated: '2026-01-01T00:00:00.000Z', state: 'restricted' },
  maybe: { title: secret, body: secret, updated: '2026-01-01T00:00:00.000Z', state: 'unknown' },
};

describe.each(Object.entries(adapters))('the adapter of a source: %s', (_kind, open) => {
  async function openReading() {
    const source = await open();
    const cache = temporaryFolder();
    const read = async (settings: Partial<ReadSettings> = {}): Promise<Source> => {
      const result = await readKnowledgeBase(source.adapter, {
        cache,
        defaultLanguage: 'en',
        languages: null,
        allowMassDelete: false,
        maxDropPercent: 20,
        generator: 'lectern test',
        ...settings,
      });
      onTestFinished(() => result.close());
      return result;
    };
    return { ...source, cache, read };
  }

  /** Everything later stages see, in words of the test. */
  async function describeSource({ knowledgeBase, readBodies }: Source, nameOf: (id: string) => string) {
    const titles = new Map(
      knowledgeBase.categories.map(({ id, translations }) => [id, translations[0]?.title]),
    );
    const articles: Record<string, unknown> = {};
    for (const { id, categoryId, updatedAt, translations } of knowledgeBase.articles) {
      articles[nameOf(id)] = {
        category: titles.get(categoryId ?? '') ?? null,
        updatedAt,
        texts: translations.map((text) => [text.language, text.title, text.updatedAt ?? updatedAt]),
        bodies: Object.fromEntries(
          [...(await readBodies(id))].map(([language, body]) => [language, body.trim()]),
        ),
      };
    }
    return {
      articles,
      excluded: Object.fromEntries([...knowledgeBase.excluded].map(([id, reason]) => [nameOf(id), reason])),
      categories: knowledgeBase.categories.map(({ parentId, translations }) => [
        translations[0]?.title,
        titles.get(parentId ?? '') ?? null,
      ]),
    };
  }

  it('gives the public articles with their languages and categories, and excludes the others with a reason', async () => {
    const { hold, read, idOf, privateIs = 'private', hiddenIs } = await openReading();
    hold(world);
    const source = await read();
    const names = new Map(Object.keys(world).map((name) => [idOf(name), name]));
    expect(await describeSource(source, (id) => names.get(id) ?? id)).toEqual({
      articles: {
        chain: {
          category: 'child',
          updatedAt: '2026-01-02T00:00:00.000Z',
          texts: [
            ['en', 'Oil the chain', '2026-01-02T00:00:00.000Z'],
            ['de', 'Kette ölen', '2026-01-09T00:00:00.000Z'],
          ],
          bodies: { en: '<p>One drop.</p>', de: '<p>Ein Tropfen.</p>' },
        },
        brakes: {
          category: 'parent',
          updatedAt: '2026-01-03T00:00:00.000Z',
          texts: [['en', 'Adjust the brakes', '2026-01-03T00:00:00.000Z']],
          bodies: { en: '<p>Turn.</p>' },
        },
        bell: {
          category: null,
          updatedAt: '2026-01-04T00:00:00.000Z',
          texts: [['en', 'Ring the bell', '2026-01-04T00:00:00.000Z']],
          bodies: { en: '<p>Pull.</p>' },
        },
      },
      excluded: {
        draft: hiddenIs ?? 'draft',
        wages: hiddenIs ?? privateIs,
        staff: hiddenIs ?? 'restricted',
        maybe: hiddenIs ?? 'visibility-unknown',
      },
      categories: [
        ['parent', null],
        ['child', 'parent'],
      ],
    });
    expect(source.stats).toMatchObject({
      listed: 7,
      published: 3,
      excluded:
        hiddenIs !== undefined
          ? { [hiddenIs]: 4 }
          : privateIs === 'private'
            ? { draft: 1, private: 1, restricted: 1, 'visibility-unknown': 1 }
            : { draft: 1, restricted: 2, 'visibility-unknown': 1 },
      languages: { de: 1, en: 3 },
    });
  });

  it('knows which languages of public articles it skipped', async () => {
    const { hold, read, idOf } = await openReading();
    hold(world);
    for (const source of [await read(), await read()]) {
      const brakes = { articleId: idOf('brakes'), language: 'de', reason: 'hidden' };
      expect(source.listSkippedTranslations()).toEqual([brakes]);
      expect(source.stats.hiddenTranslations).toBe(1);
    }
    const english = await read({ languages: ['en'] });
    expect(new Set(english.listSkippedTranslations())).toEqual(
      new Set([
        { articleId: idOf('brakes'), language: 'de', reason: 'hidden' },
        { articleId: idOf('chain'), language: 'de', reason: 'other-language' },
      ]),
    );
  });

  it('reports unknown visibility with the id of its article', async () => {
    const { hold, read, idOf, hiddenIs } = await openReading();
    hold(world);
    const { problems } = await read();
    const unknown = { code: 'VISIBILITY_UNKNOWN', articleId: idOf('maybe') };
    expect(problems).toMatchObject(hiddenIs === undefined ? [unknown] : []);
  });

  it('writes only public content to the disk', async () => {
    const { hold, read, cache } = await openReading();
    hold(world);
    await read();
    const files = await Promise.all(
      (await readdir(cache)).map((name) => readFile(join(cache, name), 'utf8')),
    );
    const content = files.join('\n');
    for (const text of ['Oil the chain', 'One drop.', 'Ein Tropfen.']) expect(content).toContain(text);
    expect(content).not.toContain(secret);
  });

  it('has ids that are usable, unique and the same every time', async () => {
    const { hold, read, idOf } = await openReading();
    hold(world);
    const { knowledgeBase } = await read();
    const ids = Object.keys(world).map(idOf);
    expect(ids.every(isArticleId)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    const idsIn = ({ articles, excluded }: Source['knowledgeBase']) =>
      [...articles.map(({ id }) => id), ...excluded.keys()].sort();
    expect(idsIn(knowledgeBase)).toEqual(ids.toSorted());
    const other = await openReading();
    other.hold(world);
    expect(idsIn((await other.read()).knowledgeBase)).toEqual(idsIn(knowledgeBase));
  });

  it('gives the same again, from the last snapshot or not', async () => {
    const { hold, read } = await openReading();
    hold(world);
    const first = await describeSource(await read(), (id) => id);
    expect(await describeSource(await read(), (id) => id)).toEqual(first);
    expect(await describeSource(await read({ generator: 'another version' }), (id) => id)).toEqual(first);
  });

  it('sees an edit, a new article, a hidden one and a deleted one in the next reading', async () => {
    const { hold, read, idOf, hiddenIs } = await openReading();
    hold(world);
    await read();
    const { bell: _gone, ...rest } = world;
    hold({
      ...rest,
      chain: { ...(world.chain as Wanted), body: '<p>Two drops.</p>', updated: '2026-02-01T00:00:00.000Z' },
      brakes: { ...(world.brakes as Wanted), title: secret, body: secret, state: 'draft' },
      wheel: { title: 'True the wheel', body: '<p>Spin.</p>', updated: '2026-02-01T00:00:00.000Z' },
    });
    const source = await read({ allowMassDelete: true });
    expect(source.knowledgeBase.articles.map(({ id }) => id).sort()).toEqual(
      [idOf('chain'), idOf('wheel')].sort(),
    );
    expect((await source.readBodies(idOf('chain'))).get('en')?.trim()).toBe('<p>Two drops.</p>');
    expect(source.knowledgeBase.excluded.get(idOf('brakes'))).toBe(hiddenIs ?? 'draft');
    expect(source.knowledgeBase.excluded.has(idOf('bell'))).toBe(false);
  });

  it('does not treat an empty or truncated list as deletions', async () => {
    const { hold, cut, read, cache } = await openReading();
    hold(world);
    await read();
    const before = await readFile(join(cache, 'snapshot.db'));
    hold({});
    expect((await errorOf(read())).code).toBe('NOTHING_TO_PUBLISH');
    hold({ chain: world.chain as Wanted });
    expect((await errorOf(read())).code).toBe('MASS_DELETE');
    hold(world);
    cut?.();
    expect((await errorOf(read({ allowMassDelete: true }))).code).toMatch(
      /^(?:BAD_RESPONSE|GENERATOR_PROJECT|PATH_UNUSABLE)$/,
    );
    expect(await readFile(join(cache, 'snapshot.db'))).toEqual(before);
  });

  it('identifies its snapshots without a key or an absolute path', async () => {
    const { adapter } = await openReading();
    expect(adapter.identity).toMatch(/\w/);
    expect(adapter.identity).not.toMatch(/secret-key|\/tmp\/|\?|@/);
  });
});
