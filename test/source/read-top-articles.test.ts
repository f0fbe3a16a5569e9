import { describe, expect, test } from 'vitest';
import { readTopArticles } from '../../src/source/api/api-adapter.ts';
import { serveTo } from './support/open-http.ts';
import { type Handler, sendJson } from './support/test-server.ts';

async function read(handle: Handler, languages = ['en', 'de']) {
  const { http, server } = await serveTo(handle);
  const top = await readTopArticles(
    http,
    languages,
    (id, language) => id.startsWith('public') && !id.endsWith(language),
    2,
  );
  return { ...top, requests: server.requests };
}

const views =
  (...entries: readonly unknown[]): Handler =>
  (_request, response) =>
    sendJson(response, { top_articles: entries });

describe('the most viewed articles', () => {
  test('are the public ones, most viewed first, ties by id', async () => {
    const { byLanguage } = await read(
      views(
        { article_id: 'public0001', count: 5 },
        { article_id: 'hidden0000', count: 99 },
        { article_id: 'public0003', count: 7 },
        { article_id: 'public0000', count: 5 },
      ),
      ['en'],
    );
    expect(byLanguage.get('en')).toEqual(['public0003', 'public0000', 'public0001']);
  });

  test('may have counts in quotes, as databases give large numbers', async () => {
    const { byLanguage } = await read(
      views(
        { article_id: 'public0000', count: '9' },
        { article_id: 'public0001', count: '10' },
        { article_id: 'public0002', count: 'many' },
      ),
      ['en'],
    );
    expect(byLanguage.get('en')).toEqual(['public0001', 'public0000']);
  });

  test('are six that are public in the language, so what others are viewed changes nothing', async () => {
    const ids = [
      'public00en',
      'public0001',
      'public0002',
      'public0003',
      'public0004',
      'public0005',
      'public0006',
    ];
    const count = (step: number) =>
      views(...[...ids, 'public0007'].map((id, at) => ({ article_id: id, count: step * (9 - at) })));
    const { byLanguage } = await read(count(1), ['en', 'de']);
    expect([byLanguage.get('en'), byLanguage.get('de')]).toEqual([ids.slice(1), ids.slice(0, -1)]);
    expect((await read(count(7))).byLanguage).toEqual(byLanguage);
  });

  test('are requested once per language', async () => {
    const { requests, byLanguage } = await read(views({ article_id: 'public0000', count: 1 }));
    expect(requests).toEqual([
      'GET /v1/stats/article?language_code=en',
      'GET /v1/stats/article?language_code=de',
    ]);
    expect([...byLanguage.keys()]).toEqual(['de', 'en']);
  });

  test('are found under the doubled version, as the interface writes it', async () => {
    const found = views({ article_id: 'public0000', count: 1 });
    const { byLanguage, problems } = await read((request, response) =>
      request.url?.startsWith('/v1/v1/') ? found(request, response) : sendJson(response, {}, 404),
    );
    expect(byLanguage.size).toBe(2);
    expect(problems).toEqual([]);
  });

  test.each([404, 405, 501])(
    'are empty if the service answers %d, which is not a problem',
    async (status) => {
      const { byLanguage, problems, requests } = await read((_request, response) =>
        sendJson(response, {}, status),
      );
      expect({ size: byLanguage.size, problems }).toEqual({ size: 0, problems: [] });
      expect(requests).toHaveLength(2);
    },
  );

  test('are empty if no entry is valid', async () => {
    const { byLanguage } = await read(
      views(
        null,
        7,
        {},
        { article_id: 'public0000' },
        { article_id: 'public0000', count: 'many' },
        { article_id: 7, count: 1 },
      ),
    );
    expect(byLanguage.size).toBe(0);
  });

  test('are not shown if they cannot be read, which is reported', async () => {
    const { problems } = await read((_request, response) => sendJson(response, { error: 'no' }, 403));
    expect(problems).toMatchObject([
      { code: 'STATISTICS_UNAVAILABLE', message: expect.stringContaining('answered 403: "no"') },
    ]);
  });
});
