import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/source/api/client.ts';
import type { Client } from '../../src/source/api/client-types.ts';
import { startTestService } from '../service/support/service.ts';
import { serve } from '../support/serve.ts';
import { clientOf } from '../sync/support.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A client of a server that gives these answers one after another (the last one again and again). */
async function clientOfAnswers(
  ...answers: readonly Answer[]
): Promise<{ client: Client; requests: string[] }> {
  const requests: string[] = [];
  const { origin } = await serve((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer?.(request, response));
  });
  const client = createClient({
    baseUrl: `${origin}/v1`,
    apiKey: 'key',
    insecureLoopback: true,
    ports: { now: () => 0, sleep: async () => {}, random: () => 0 },
  });
  onTestFinished(() => client.close());
  return { client, requests };
}

const json =
  (status: number, body: unknown): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const breakOff: Answer = (request) => request.socket.destroy();
const record = { article_id: 'aaaaaaaaaa', title: 'A' };

describe('createClient', () => {
  it('sends the tag of a record as it was before a proxy compressed the response', async () => {
    const sent: unknown[] = [];
    const { client } = await clientOfAnswers((request, response) => {
      sent.push(request.headers['if-match']);
      response.setHeader('etag', 'W/"tag"');
      json(200, { article: record })(request, response);
    });
    const read = await client.readArticle('aaaaaaaaaa');
    await client.updateArticle('aaaaaaaaaa', { title: 'B' }, { ifMatch: client.etagOf(read) });
    expect(sent).toEqual([undefined, '"tag"']);
  });

  it('has a method for every operation of the interface', async () => {
    const client = clientOf(await startTestService());
    const category = await client.createCategory({ title: 'C' });
    expect(await client.listCategories()).toEqual([category]);
    expect(await client.readCategory(category.category_id)).toEqual(category);
    expect(await client.updateCategory(category.category_id, { description: 'D' })).toMatchObject({
      title: 'C',
      description: 'D',
    });

    const article = await client.createArticle({
      title: 'Hello',
      body: '<p>Hi</p>',
      tags: ['t'],
      is_published: true,
    });
    const id = article.article_id;
    expect(await client.readArticle(id)).toEqual(article);
    expect(await client.listArticles({ tag: 't', include_body: true })).toEqual([article]);
    expect(
      await client.updateArticle(id, { multilingual: [{ language_code: 'de', title: 'Hallo' }] }),
    ).toMatchObject({
      title: 'Hello',
      multilingual: [{ language_code: 'de', title: 'Hallo' }],
    });
    expect(await client.search({ query: 'hello', limit: 1 })).toMatchObject({
      totalHits: 1,
      articles: [{ article_id: id }],
    });
    await client.countViews(id, { count: 2 });
    expect(await client.readStatistics({ language_code: 'de' })).toEqual([
      { article_id: id, count: 2, title: 'Hallo' },
    ]);
    expect((await client.readSourcePage()).articles).toMatchObject([{ article_id: id, text: 'Hi' }]);
    await client.deleteArticle(id);
    expect(await client.listArticles()).toEqual([]);
    await expect(client.deleteArticle(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reads every article of a long list with its bodies', async () => {
    const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
    for (let n = 0; n < 60; n++) await client.createArticle({ title: `T${n}`, body: `<p>${n}</p>` });
    const bodies = new Map<string, string | undefined>();
    await client.readEveryArticle({
      restart: () => bodies.clear(),
      take: (article) => bodies.set(article.title, article.body),
    });
    expect([bodies.size, bodies.get('T59')]).toEqual([60, '<p>59</p>']);
  });

  it('reads what is public where a list does not say it', async () => {
    const listed = { ...record, body: '', is_published: true };
    const { client, requests } = await clientOfAnswers(
      json(200, { articles: [listed, { ...listed, article_id: 'bbbbbbbbbb', is_private: true }] }),
      json(200, { article: { ...listed, is_private: false } }),
      json(200, { articles: [] }),
    );
    const read: unknown[] = [];
    await client.readEveryArticle({ restart: () => {}, take: (one) => read.push(one.is_private) });
    expect(read).toEqual([false, true]);
    expect(requests.filter((one) => !one.includes('?'))).toEqual(['GET /v1/article/aaaaaaaaaa']);
  });

  it('does not read the list again because an article of it cannot be read', async () => {
    const { client, requests } = await clientOfAnswers(json(200, { articles: [record] }), json(500, {}));
    const read = client.readEveryArticle({ restart: () => {}, take: () => {} });
    await expect(read).rejects.toMatchObject({ code: 'SERVER_ERROR' });
    expect(requests.slice(1)).toEqual(Array.from({ length: 5 }, () => 'GET /v1/article/aaaaaaaaaa'));
  });

  it('creates nothing twice: a creation that broke off is not repeated', async () => {
    const { client, requests } = await clientOfAnswers(breakOff, json(200, { article: record }));
    await expect(client.createArticle({ title: 'A' })).rejects.toMatchObject({
      code: expect.stringMatching(/^CONNECTION_/),
    });
    expect(requests).toEqual(['POST /v1/article']);
  });

  it('repeats a creation that the server refused because it is busy', async () => {
    const { client, requests } = await clientOfAnswers(
      json(503, {}),
      json(429, {}),
      json(200, { article: record }),
    );
    expect(await client.createArticle({ title: 'A' })).toMatchObject(record);
    expect(requests).toHaveLength(3);
  });

  it('repeats a change, and takes a deletion for done whose first attempt came through', async () => {
    const change = await clientOfAnswers(breakOff, json(200, { article: record }));
    expect(await change.client.updateArticle('aaaaaaaaaa', { title: 'A' })).toMatchObject(record);
    const deletion = await clientOfAnswers(
      breakOff,
      json(404, { error: { code: 'not_found', message: 'gone' } }),
    );
    await deletion.client.deleteArticle('aaaaaaaaaa');
    expect(deletion.requests).toEqual(['DELETE /v1/article/aaaaaaaaaa', 'DELETE /v1/article/aaaaaaaaaa']);
  });

  it('reads records leniently: missing or invalid fields are empty, and entries that are not records are skipped', async () => {
    const odd = {
      article_id: 'bbbbbbbbbb',
      title: null,
      tags: 'x',
      is_published: 'yes',
      multilingual: [{ title: 'no language' }, { language_code: 'de', title: 7 }, null],
      surprise: 1,
    };
    const { client } = await clientOfAnswers(json(200, { articles: [odd, 'text', {}] }));
    expect(await client.listArticles()).toEqual([
      expect.objectContaining({
        article_id: 'bbbbbbbbbb',
        title: '',
        tags: [],
        is_published: false,
        multilingual: [
          {
            language_code: 'de',
            title: null,
            slug: null,
            description: null,
            body: null,
            is_live: true,
            publish_at: null,
            unpublish_at: null,
          },
        ],
      }),
    ]);
  });

  it.each([
    { permission_groups: [7] },
    { permission_groups: 'staff' },
    { is_private: 1 },
    { is_private: 'true' },
    { is_private: null },
    { is_deleted: true },
    { status: 'archived' },
  ])(
    'reads a record that may not be public as a private one, so that no folder publishes it: %j',
    async (odd) => {
      const isPublic = { ...record, is_published: true, is_private: false };
      const { client } = await clientOfAnswers(json(200, { articles: [isPublic, { ...isPublic, ...odd }] }));
      expect((await client.listArticles()).map((one) => one.is_private)).toEqual([false, true]);
    },
  );

  it('reads a translation that may not be public as one that is not live', async () => {
    const multilingual = [
      { language_code: 'de', title: 'A' },
      { language_code: 'fr', title: 'A', is_live: 0 },
      { language_code: 'es', title: 'A', status: 'draft' },
    ];
    const { client } = await clientOfAnswers(json(200, { article: { ...record, multilingual } }));
    const read = await client.readArticle('aaaaaaaaaa');
    expect(read.multilingual.map((one) => one.is_live)).toEqual([true, false, false]);
  });

  it('reads numbers in quotes', async () => {
    const { client } = await clientOfAnswers(json(200, { article: { ...record, sort_order: '10' } }));
    expect((await client.readArticle('aaaaaaaaaa')).sort_order).toBe(10);
  });

  it('reads a translated description that is called body', async () => {
    const category = { category_id: 'c', title: 'C', multilingual: [{ language_code: 'de', body: 'Text' }] };
    const { client } = await clientOfAnswers(json(200, { categories: [category] }));
    expect((await client.listCategories())[0]?.multilingual[0]?.description).toBe('Text');
  });

  it.each([{}, { article: null }, { article: [] }, { articles: [record] }])(
    'says so if a response does not contain the record: %j',
    async (answer) => {
      const { client } = await clientOfAnswers(json(200, answer));
      await expect(client.readArticle('aaaaaaaaaa')).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    },
  );

  it.each([{ success: false }, {}, [], null])(
    'takes no deletion or count for done that is answered with %j',
    async (answer) => {
      const { client, requests } = await clientOfAnswers(json(200, answer));
      await expect(client.deleteArticle('aaaaaaaaaa')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
      await expect(client.countViews('aaaaaaaaaa')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
      expect(requests).toEqual(['DELETE /v1/article/aaaaaaaaaa', 'POST /v1/stats/article/aaaaaaaaaa']);
    },
  );

  it.each([{ articles: [{}, null] }, { categories: [{ title: 'A' }] }])(
    'takes a list of nothing but invalid records for no empty one: %j',
    async (answer) => {
      const { client } = await clientOfAnswers(json(200, answer));
      const read = 'articles' in answer ? client.listArticles() : client.listCategories();
      await expect(read).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    },
  );

  it('requests statistics below the doubled version if there are none below the single one', async () => {
    const entries = [{ article_id: 'aaaaaaaaaa', count: 3, title: 'A' }, { article_id: 7 }, null];
    const { client, requests } = await clientOfAnswers(json(404, {}), json(200, { top_articles: entries }));
    expect(await client.readStatistics({ limit: 5 })).toEqual([entries[0]]);
    expect(requests).toEqual(['GET /v1/stats/article?limit=5', 'GET /v1/v1/stats/article?limit=5']);
    const none = await clientOfAnswers(json(404, {}));
    await expect(none.client.readStatistics()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('checks the answers to searches, statistics and the source page', async () => {
    for (const answer of [{}, [], null, { articles: 'x', top_articles: 'x' }]) {
      const { client } = await clientOfAnswers(json(200, answer));
      for (const read of [
        () => client.search({ query: 'x' }),
        () => client.readStatistics(),
        () => client.readSourcePage(),
      ])
        await expect(read()).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    }
    const { client } = await clientOfAnswers(json(200, { articles: [{ article_id: 'a', tags: 7 }, 'x'] }));
    const { articles, totalHits } = await client.search({ query: 'x' });
    expect([articles.length, articles[0], totalHits]).toEqual([
      1,
      expect.objectContaining({ article_id: 'a', title: '', tags: [] }),
      0,
    ]);
  });

  it('escapes ids in URLs', async () => {
    const { client, requests } = await clientOfAnswers(json(404, {}));
    await expect(client.readArticle('../category')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(requests).toEqual(['GET /v1/article/..%2Fcategory']);
  });
});
