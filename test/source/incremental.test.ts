import { describe, expect, test } from 'vitest';
import type { Source } from '../../src/source/source.ts';
import { fc, runs } from '../support/properties.ts';
import { damageBody, inSnapshot } from '../support/snapshot.ts';
import { type Fetching, startFetching } from './support/fetching.ts';
import { type ServerQuirks, serveKnowledgeBase } from './support/knowledge-base-server.ts';
import { articleId, articleRecord, articleRecords } from './support/records.ts';

const hourMs = 3_600_000;

/** A knowledge base that has been read once, and counts as large enough to be read in parts. */
async function startLarge(articles = articleRecords(30), quirks: ServerQuirks = {}) {
  const fetching = await startFetching({ articles }, quirks, { network: { fullReadBytes: 0 } });
  const first = await fetching.fetch();
  return { ...fetching, articles, first, requests: requestsSince(fetching) };
}

/** Gives the requests made since the last call, without those for categories and statistics. */
function requestsSince({ server }: Fetching): () => string[] {
  let from = server.requests.length;
  return () => {
    const requests = server.requests
      .slice(from)
      .filter((line) => line.includes('/article') && !line.includes('stats'));
    from = server.requests.length;
    return requests;
  };
}

/** Everything a source tells, bodies included. */
async function whole(source: Source) {
  const { knowledgeBase, problems, topArticles } = source;
  const bodies = await Promise.all(
    knowledgeBase.articles.map(async ({ id }) => [id, [...(await source.readBodies(id))]] as const),
  );
  return { knowledgeBase, problems, topArticles, bodies };
}

describe('a run after another', () => {
  test('reads no body again when the list reports no change', async () => {
    const { fetch, first, requests } = await startLarge();
    const second = await fetch();
    expect(requests()).toEqual(['GET /v1/article', 'GET /v1/article?limit=1&skip=30']);
    expect(second.stats).toMatchObject({ mode: 'incremental', singleReads: 0 });
    expect(await whole(second)).toEqual(await whole(first));
  });

  test('reads edited articles again, and drops deleted ones', async () => {
    const { fetch, articles, requests, served } = await startLarge();
    served.articles = [
      ...articles.slice(2, 29),
      articleRecord(articleId(29), { body: 'Edited', updated_at: '2026-02-01T00:00:00Z' }),
      articleRecord('newarticle'),
    ];
    const source = await fetch();
    expect(
      requests()
        .filter((line) => !line.includes('?'))
        .sort(),
    ).toEqual(['GET /v1/article', 'GET /v1/article/a000000029', 'GET /v1/article/newarticle']);
    expect(source.stats).toMatchObject({ mode: 'incremental', published: 29 });
    expect((await source.readBodies(articleId(29))).get('en')).toBe('Edited');
    expect((await source.readBodies('newarticle')).get('en')).toBe('<p>Body of newarticle</p>');
  });

  test.each([{ hasEtag: false }, { hasEtag: true }])(
    'hides the articles of a category as long as it may not be public, although no article changed: %j',
    async (quirks) => {
      const articles = articleRecords(30);
      Object.assign(articles[3] as object, { category_id: 'c1' });
      const { fetch, served } = quirks.hasEtag
        ? await startFetching({ articles }, quirks)
        : await startLarge(articles);
      const states = [];
      for (const isPrivate of [false, true, true, false]) {
        served.categories = [{ category_id: 'c1', title: 'Staff', is_private: isPrivate }];
        const { knowledgeBase } = await fetch();
        states.push([knowledgeBase.articles.length, knowledgeBase.categories.length]);
      }
      expect(states).toEqual([
        [30, 1],
        [29, 0],
        [29, 0],
        [30, 1],
      ]);
    },
  );

  test.each([{ is_private: true }, { is_published: false }, { permission_groups: ['staff'] }])(
    'immediately hides an article that became %j, although no date changed',
    async (change) => {
      const { fetch, articles } = await startLarge();
      Object.assign(articles[3] as object, change);
      const source = await fetch();
      expect(source.stats.mode).toBe('incremental');
      expect(source.knowledgeBase.articles.map(({ id }) => id)).not.toContain(articleId(3));
    },
  );

  test('immediately hides a translation that is no longer live, although no date changed', async () => {
    const articles = articleRecords(30);
    const translation = { language_code: 'de', title: 'Titel', body: 'Text', is_live: true };
    for (const article of articles) article.multilingual = [{ ...translation }];
    const { fetch } = await startLarge(articles);
    articles[3] = { ...articles[3], multilingual: [{ ...translation, is_live: false }] };
    const source = await fetch();
    expect(source.stats).toMatchObject({ mode: 'incremental', singleReads: 1 });
    expect(source.knowledgeBase.articles[3]?.translations.map(({ language }) => language)).toEqual(['en']);
  });

  test.each([{ is_deleted: true }, { is_published: false }, { status: 'archived' }])(
    'immediately hides a translation that became %j, although no date changed',
    async (change) => {
      const articles = articleRecords(30);
      const translation = { language_code: 'de', title: 'Titel', body: 'Text' };
      for (const article of articles) article.multilingual = [{ ...translation }];
      const { fetch } = await startLarge(articles);
      articles[3] = { ...articles[3], multilingual: [{ ...translation, ...change }] };
      const source = await fetch();
      expect(source.stats).toMatchObject({ mode: 'incremental', singleReads: 1 });
      expect(source.knowledgeBase.articles[3]?.translations.map(({ language }) => language)).toEqual(['en']);
    },
  );

  test.each([
    { category_id: 'cat0000000' },
    { unpublish_at: '2099-01-01T00:00:00Z' },
    { title: 'New title' },
    { slug: 'new-slug' },
    { tags: ['new'] },
    { sort_order: 1 },
    { multilingual: [{ language_code: 'de', title: 'Titel', body: 'Text' }] },
  ])('reads again what the list gives with %j, although no date moved', async (change) => {
    const { fetch, articles } = await startLarge();
    Object.assign(articles[3] as object, change);
    expect((await fetch()).stats).toMatchObject({ mode: 'incremental', singleReads: 1 });
  });

  test('does not read an article again if only its views changed', async () => {
    const { fetch, articles } = await startLarge();
    for (const article of articles) article.view_count = 7;
    expect((await fetch()).stats).toMatchObject({ mode: 'incremental', singleReads: 0 });
  });

  test('reads articles again that were edited just before the last run, because they may have been edited twice', async () => {
    const articles = articleRecords(30);
    Object.assign(articles[5] as object, { updated_at: new Date().toISOString() });
    const { fetch, requests } = await startLarge(articles);
    Object.assign(articles[5] as object, { body: 'Edited again' });
    const source = await fetch();
    expect(requests()).toContain('GET /v1/article/a000000005');
    expect((await source.readBodies(articleId(5))).get('en')).toBe('Edited again');
  });

  test('does so by the clock of the server, which may be hours behind', async () => {
    const serverTime = new Date(Date.now() - 2 * hourMs);
    const articles = articleRecords(30);
    Object.assign(articles[5] as object, { updated_at: serverTime.toISOString() });
    const { fetch, served, answerWith } = await startFetching(
      { articles },
      {},
      { network: { fullReadBytes: 0 } },
    );
    const serve = serveKnowledgeBase(served);
    answerWith((request, response) => serve(request, response.setHeader('date', serverTime.toUTCString())));
    await fetch();
    Object.assign(articles[5] as object, { body: 'Edited again' });
    const source = await fetch();
    expect(source.stats).toMatchObject({ mode: 'incremental', singleReads: 1 });
    expect((await source.readBodies(articleId(5))).get('en')).toBe('Edited again');
  });

  test('reads articles without a date again', async () => {
    const articles = articleRecords(30);
    Object.assign(articles[5] as object, { updated_at: null });
    const { fetch, requests } = await startLarge(articles);
    await fetch();
    expect(requests()).toContain('GET /v1/article/a000000005');
  });

  test('reads everything when much has changed', async () => {
    const { fetch, articles } = await startLarge();
    for (const article of articles) article.updated_at = '2026-03-01T00:00:00Z';
    const source = await fetch();
    expect(source.stats).toMatchObject({ mode: 'full', singleReads: 0, published: 30 });
  });

  test('reads everything after so many hours, since an edit may move no date', async () => {
    const { fetch, articles, settings } = await startLarge();
    Object.assign(articles[5] as object, { body: 'Edited in secret' });
    const at = (hours: number) => ({
      ports: { now: () => Date.now() + hours * hourMs, sleep: async () => {}, random: () => 0 },
    });
    expect((await fetch(at(23))).stats.mode).toBe('incremental');
    const late = await fetch(at(24));
    expect(late.stats.mode).toBe('full');
    expect((await late.readBodies(articleId(5))).get('en')).toBe('Edited in secret');
    expect((await fetch({ network: { ...settings.network, fullReadHours: 0 } })).stats.mode).toBe('full');
  });

  test('reads everything when another version of the program made the snapshot', async () => {
    const { fetch } = await startLarge();
    expect((await fetch({ generator: 'lectern 1.0.1' })).stats.mode).toBe('full');
    expect((await fetch({ generator: 'lectern 1.0.1' })).stats.mode).toBe('incremental');
  });

  test('reads everything when the clock has gone back', async () => {
    const { fetch } = await startLarge();
    const ports = { now: () => Date.now() - hourMs, sleep: async () => {}, random: () => 0 };
    expect((await fetch({ ports })).stats.mode).toBe('full');
  });

  test('reads a small knowledge base completely, which costs no more', async () => {
    const { fetch, served } = await startFetching({ articles: articleRecords(3) });
    await fetch();
    served.articles = [...articleRecords(2), articleRecord(articleId(2), { body: 'Edited in secret' })];
    const source = await fetch();
    expect(source.stats.mode).toBe('full');
    expect((await source.readBodies(articleId(2))).get('en')).toBe('Edited in secret');
  });

  test('reads only the changes of a small one, too, if every body needs a request', async () => {
    const { fetch } = await startFetching({ articles: articleRecords(9) }, { ignoresIncludeBody: true });
    expect((await fetch()).stats).toMatchObject({ mode: 'full', singleReads: 9 });
    expect((await fetch()).stats).toMatchObject({ mode: 'incremental', singleReads: 0 });
    expect((await fetch()).stats).toMatchObject({ mode: 'incremental', singleReads: 0 });
  });

  test('reads an article again whose body in the cache is damaged', async () => {
    const { fetch, settings, first } = await startLarge();
    const expected = (await first.readBodies(articleId(1))).get('en');
    damageBody(settings.cache, expected ?? '');
    const source = await fetch();
    expect(source.stats).toMatchObject({ mode: 'incremental', singleReads: 1 });
    expect((await source.readBodies(articleId(0))).get('en')).toBe('<p>Body of a000000000</p>');
    expect((await source.readBodies(articleId(1))).get('en')).toBe(expected);
  });

  test('is guarded like any other', async () => {
    const { fetch, served, articles } = await startLarge();
    served.articles = articles.slice(0, 20);
    await expect(fetch()).rejects.toMatchObject({ code: 'MASS_DELETE' });
  });

  test('reads everything if an id is listed twice, because only whole records tell which one counts', async () => {
    const { fetch, served, articles } = await startLarge();
    served.articles = [...articles, articleRecord(articleId(4), { is_published: false })];
    const source = await fetch();
    expect(source.stats.mode).toBe('full');
    expect(source.knowledgeBase.excluded.get(articleId(4))).toBe('draft');
  });

  test('gives the result of a first run, after any edits that change their date', {
    tags: 'property',
  }, async () => {
    const edit = fc.record({
      index: fc.nat({ max: 39 }),
      kind: fc.constantFrom('edit', 'delete', 'hide', 'show', 'translate', 'untranslate', 'file'),
      text: fc.string(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edit, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          let articles = articleRecords(40);
          const { fetch, served } = await startLarge(articles);
          let day = 1;
          for (const edits of rounds) {
            day += 1;
            for (const { index, kind, text } of edits) {
              const record = articles[index % articles.length] as Record<string, unknown>;
              const updated_at = `2026-02-0${day}T00:00:00Z`;
              if (kind === 'delete') articles = articles.filter((other) => other !== record);
              else if (kind === 'edit')
                Object.assign(record, { body: `<p>${text}</p>`, title: text, updated_at });
              else if (kind === 'file') Object.assign(record, { category_id: text, updated_at });
              else if (kind === 'hide' || kind === 'show')
                Object.assign(record, { is_private: kind === 'hide' });
              else {
                const translation = {
                  language_code: 'de',
                  title: `T${text}`,
                  body: `B${text}`,
                  is_live: kind === 'translate',
                };
                Object.assign(record, { multilingual: [translation], updated_at });
              }
            }
            served.articles = articles;
            const incremental = await fetch({ allowMassDelete: true });
            const clean = await fetch({ allowMassDelete: true, network: { fullReadHours: 0 } });
            expect(await whole(incremental)).toEqual(await whole(clean));
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });
});

describe('a server that gives its list a validator', () => {
  test('is asked whether the list has changed, and not for more when it has not', async () => {
    const { fetch, server } = await startFetching({ articles: articleRecords(3) }, { hasEtag: true });
    const first = await fetch();
    const count = server.requests.length;
    const second = await fetch();
    expect(server.requests.slice(count).filter((line) => line.startsWith('GET /v1/article'))).toEqual([
      'GET /v1/article?include_body=true',
    ]);
    expect(second.stats).toEqual({ ...first.stats, mode: 'unchanged' });
    expect(await whole(second)).toEqual(await whole(first));
    expect((await fetch()).stats.mode).toBe('unchanged');
  });

  test('gives the new list when it has changed', async () => {
    const { fetch, served } = await startFetching({ articles: articleRecords(3) }, { hasEtag: true });
    await fetch();
    served.articles = articleRecords(4);
    expect((await fetch()).stats).toMatchObject({ mode: 'full', published: 4 });
  });

  test('still reads its categories again', async () => {
    const articles = [articleRecord('aaaaaaaaaa', { category_id: 'cat' })];
    const { fetch, served } = await startFetching(
      { articles, categories: [{ category_id: 'cat', title: 'Old' }] },
      { hasEtag: true },
    );
    await fetch();
    served.categories = [{ category_id: 'cat', title: 'New' }];
    const source = await fetch();
    expect(source.stats.mode).toBe('unchanged');
    expect(source.knowledgeBase.categories[0]?.translations[0]?.title).toBe('New');
  });

  test('is read in full when the cache is damaged, and after so many hours', async () => {
    const { fetch, settings } = await startFetching({ articles: articleRecords(3) }, { hasEtag: true });
    await fetch();
    damageBody(settings.cache, 'Body of a000000000');
    expect((await fetch()).stats).toMatchObject({ mode: 'full', published: 3 });
    expect((await fetch()).stats.mode).toBe('unchanged');
    const ports = { now: () => Date.now() + 25 * hourMs, sleep: async () => {}, random: () => 0 };
    expect((await fetch({ ports })).stats.mode).toBe('full');
  });

  test('does not cover bodies that are missing in the list', async () => {
    const { fetch, settings } = await startFetching(
      { articles: articleRecords(3) },
      { hasEtag: true, ignoresIncludeBody: true },
    );
    await fetch();
    const header = inSnapshot(settings.cache, (db) => db.prepare('SELECT header FROM snapshot').get());
    expect(JSON.stringify(header)).toContain('\\"etag\\":null');
  });
});

describe('categories', () => {
  test('that the list lacks are asked for by themselves, with their parents', async () => {
    const { fetch } = await startFetching({
      articles: [
        articleRecord('aaaaaaaaaa', { category_id: 'leaf' }),
        articleRecord('bbbbbbbbbb', { category_id: 'none' }),
      ],
      categories: [{ category_id: 'listed', title: 'Listed' }],
      unlistedCategories: [
        { category_id: 'leaf', title: 'Leaf', parent_category_id: 'root' },
        { category_id: 'root', title: 'Root' },
      ],
    });
    const source = await fetch();
    expect(source.knowledgeBase.categories.map(({ id }) => id)).toEqual(['listed', 'root', 'leaf']);
    expect(source.knowledgeBase.articles.map(({ categoryId }) => categoryId)).toEqual(['leaf', null]);
    expect(source.problems).toMatchObject([{ code: 'CATEGORY_UNKNOWN', articleId: 'bbbbbbbbbb' }]);
  });
});
