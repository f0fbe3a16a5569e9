import { describe, expect, it } from 'vitest';
import { createKey } from '../../../src/service/keys.ts';
import { startTestService, type TestService } from '../support/service.ts';

const day = 86_400_000;

async function startWithArticle() {
  let now = Date.parse('2026-03-10T12:00:00Z');
  const service = await startTestService({ clock: () => now, requestsPerMinute: 0 });
  await service.call('/article', { method: 'POST', body: { article_id: 'aaaaaaaaa1', title: 'Refunds' } });
  return {
    service,
    later: (days: number) => {
      now += days * day;
    },
    missed: async (query = '') => (await service.call(`/stats/search${query}`)).json.searches,
    said: async (query = '') => (await service.call(`/stats/feedback${query}`)).json.feedback,
  };
}

const post = (service: TestService, what: 'search' | 'feedback', body: object, key?: string) =>
  service.call(`/stats/${what}`, { method: 'POST', body, ...(key === undefined ? {} : { key }) });

describe('what readers did not find', () => {
  it('is counted by text, language and day, most frequent first', async () => {
    const { service, later, missed } = await startWithArticle();
    for (const query of ['Money  back', 'money back', 'MONEY BACK', 'invoice'])
      await post(service, 'search', { query, language: 'en' });
    later(1);
    await post(service, 'search', { query: 'invoice', language: 'en' });
    await post(service, 'search', { query: 'Rechnung', language: 'de' });
    expect(await missed()).toEqual([
      { query: 'money back', language_code: 'en', count: 3, last_date: '2026-03-10' },
      { query: 'invoice', language_code: 'en', count: 2, last_date: '2026-03-11' },
      { query: 'rechnung', language_code: 'de', count: 1, last_date: '2026-03-11' },
    ]);
    expect(await missed('?language_code=de')).toHaveLength(1);
    expect(await missed('?limit=1')).toHaveLength(1);
    expect(await missed('?start_date=2026-03-11&end_date=2026-03-11')).toHaveLength(2);
    expect((await service.call('/stats/search?start_date=2026-03-12')).json.error.code).toBe(
      'invalid_parameter',
    );
  });

  it('is kept for 400 days', async () => {
    const { service, later, missed } = await startWithArticle();
    await post(service, 'search', { query: 'old', language: 'en' });
    later(401);
    expect(await missed('?start_date=2020-01-01')).toHaveLength(1);
    await post(service, 'search', { query: 'new', language: 'en' });
    expect(await missed('?start_date=2020-01-01')).toMatchObject([{ query: 'new' }]);
  });
});

describe('feedback', () => {
  it('is counted for each article, with the texts, least helpful first', async () => {
    const { service, said } = await startWithArticle();
    await service.call('/article', { method: 'POST', body: { article_id: 'bbbbbbbbb2', title: 'Invoices' } });
    const from = { article: 'aaaaaaaaa1', language: 'en' };
    await post(service, 'feedback', { ...from, helpful: 'yes' });
    await post(service, 'feedback', { ...from, helpful: 'no', page: 'en/article/x/' });
    await post(service, 'feedback', {
      ...from,
      text: 'Which card?\n\nMine is 4111 1111 1111 1111, mail me: a.b@example.com',
    });
    await post(service, 'feedback', { article: 'bbbbbbbbb2', language: 'en', helpful: 'yes' });
    await post(service, 'feedback', { article: 'zzzzzzzzz9', language: 'en', helpful: 'no' });
    expect(await said()).toEqual([
      {
        article_id: 'aaaaaaaaa1',
        title: 'Refunds',
        language_code: 'en',
        helpful: 1,
        unhelpful: 1,
        texts: ['Which card? Mine is [number], mail me: [e-mail]'],
      },
      {
        article_id: 'bbbbbbbbb2',
        title: 'Invoices',
        language_code: 'en',
        helpful: 1,
        unhelpful: 0,
        texts: [],
      },
    ]);
    await service.call('/article/aaaaaaaaa1', { method: 'DELETE' });
    expect(await said()).toHaveLength(1);
  });

  it('may be sent by a page of another origin with the public key of the site, as the fields of its form', async () => {
    const { service, said, missed } = await startWithArticle();
    const { key } = await createKey(service.data, 'website', 'count');
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    const form = (path: string, body: string) => service.call(path, { method: 'POST', body, key, headers });
    expect((await form('/stats/feedback', 'article=aaaaaaaaa1&language=en&page=x&helpful=no')).status).toBe(
      200,
    );
    expect((await form('/stats/search', 'query=Gr%C3%BC%C3%9Fe+%00%0A&language=de')).status).toBe(200);
    expect(await said()).toMatchObject([{ unhelpful: 1 }]);
    expect(await missed()).toMatchObject([{ query: 'grüße' }]);
    // Only there, and the key reads nothing.
    expect((await form('/article', 'title=x')).status).toBe(401);
    expect((await service.call('/stats/feedback', { key })).json.error.code).toBe('count_only_key');
    const write = { method: 'POST', body: 'title=x', headers } as const;
    expect((await service.call('/article', write)).status).toBe(415);
  });

  it('of a wrong shape is refused', async () => {
    const { service } = await startWithArticle();
    for (const [what, body] of [
      ['search', { query: '', language: 'en' }],
      ['search', { query: 'x', language: '<b>' }],
      ['search', { query: 'x'.repeat(1001), language: 'en' }],
      ['feedback', { article: '../aaaaaaa', language: 'en', helpful: 'no' }],
      ['feedback', { article: 'aaaaaaaaa1', language: 'en', helpful: 'maybe' }],
      ['feedback', { article: 'aaaaaaaaa1', language: 'en', helpful: 'no', user: 'x' }],
    ] as const)
      expect([what, body, (await post(service, what, body)).status]).toEqual([what, body, 400]);
  });

  it('changes no ETag of records', async () => {
    const { service } = await startWithArticle();
    const before = (await service.call('/article')).headers.etag;
    await post(service, 'feedback', { article: 'aaaaaaaaa1', language: 'en', helpful: 'no' });
    expect((await service.call('/article')).headers.etag).toBe(before);
  });
});
