import { describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const today = '2026-03-31';

async function startWithArticles(): Promise<TestService> {
  const service = await startTestService({ clock: () => Date.parse(`${today}T12:00:00Z`) });
  for (const body of [
    { article_id: 'aaaaaaaaaa', title: 'A', multilingual: [{ language_code: 'de', title: 'A auf Deutsch' }] },
    { article_id: 'bbbbbbbbbb', title: 'B', category_id: 'c1' },
  ]) {
    await service.call('/article', { method: 'POST', body });
  }
  return service;
}

async function view(service: TestService, id: string, body: object = {}, path = '/stats/article') {
  return service.call(`${path}/${id}`, { method: 'POST', body });
}

async function top(service: TestService, query = '') {
  return (await service.call(`/stats/article${query}`)).json.top_articles;
}

describe('statistics', () => {
  it('sums up views by article, most viewed first', async () => {
    const service = await startWithArticles();
    expect((await view(service, 'aaaaaaaaaa')).json).toEqual({ success: true });
    await view(service, 'bbbbbbbbbb', { count: 5 });
    await view(service, 'bbbbbbbbbb', {}, '/v1/stats/article');
    expect(await top(service)).toEqual([
      { article_id: 'bbbbbbbbbb', count: 6, title: 'B' },
      { article_id: 'aaaaaaaaaa', count: 1, title: 'A' },
    ]);
    expect((await service.call('/v1/stats/article')).json.top_articles).toEqual(await top(service));
  });

  it('counts the days of the timeframe, both ends included, the last 30 days by default', async () => {
    const service = await startWithArticles();
    for (const date of ['2026-03-01', '2026-03-02', '2026-03-30', '2026-03-31', '2026-04-01']) {
      await view(service, 'aaaaaaaaaa', { date });
    }
    const count = async (query: string) => (await top(service, query))[0]?.count ?? 0;
    expect(await count('')).toBe(3);
    expect(await count('?start_date=2026-03-01&end_date=2026-04-01')).toBe(5);
    expect(await count('?start_date=2026-03-02&end_date=2026-03-30')).toBe(2);
    expect(await count('?end_date=2026-03-01')).toBe(1);
    expect(await count('?start_date=2026-05-01&end_date=2026-05-02')).toBe(0);
  });

  it('translates titles if there is a translation, and can be narrowed to a category and a number of entries', async () => {
    const service = await startWithArticles();
    await view(service, 'aaaaaaaaaa', { count: 2 });
    await view(service, 'bbbbbbbbbb');
    const titles = async (query: string) =>
      (await top(service, query)).map((entry: { title: string }) => entry.title);
    expect(await titles('?language_code=de')).toEqual(['A auf Deutsch', 'B']);
    expect(await titles('?language_code=en')).toEqual(['A', 'B']);
    expect(await top(service, '?category_id=c1')).toMatchObject([{ article_id: 'bbbbbbbbbb' }]);
    expect(await top(service, '?limit=1')).toMatchObject([{ article_id: 'aaaaaaaaaa' }]);
  });

  it('forgets the views of a deleted article and counts none for one that does not exist', async () => {
    const service = await startWithArticles();
    await view(service, 'aaaaaaaaaa');
    await service.call('/article/aaaaaaaaaa', { method: 'DELETE' });
    expect(await top(service)).toEqual([]);
    expect((await view(service, 'aaaaaaaaaa')).status).toBe(404);
  });
});
