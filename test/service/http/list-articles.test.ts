import { describe, expect, it } from 'vitest';
import { formatArticleList } from '../../../src/service/http/format-articles.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { makeData, openTestStore, startTestService, type TestService } from '../support/service.ts';

async function startWith(articles: readonly Readonly<Record<string, unknown>>[]): Promise<TestService> {
  const service = await startTestService({ clock: () => Date.parse('2026-01-01') });
  for (const body of articles) await service.call('/article', { method: 'POST', body });
  return service;
}

async function titles(service: TestService, query: string): Promise<string[]> {
  const { articles } = (await service.call(`/article${query}`)).json;
  return articles.map((article: { title: string }) => article.title);
}

describe('GET /article', () => {
  it('narrows the list by each filter, and by all of them together', async () => {
    const service = await startWith([
      { title: 'A', tags: ['x'], category_id: 'c1', is_published: true, updated_at: '2026-01-01' },
      { title: 'B', tags: ['x', 'y'], category_id: 'c1', updated_at: '2026-01-02' },
      { title: 'C', tags: ['y'], is_published: true, is_private: true, updated_at: '2026-01-03' },
      {
        title: 'D',
        is_published: true,
        permission_groups: ['g1', 'g2'],
        multilingual: [{ language_code: 'de', title: 'D' }],
      },
    ]);
    expect(await titles(service, '')).toEqual(['A', 'B', 'C', 'D']);
    expect(await titles(service, '?tag=x')).toEqual(['A', 'B']);
    expect(await titles(service, '?category_id=c1')).toEqual(['A', 'B']);
    expect(await titles(service, '?category_id=c2')).toEqual([]);
    expect(await titles(service, '?status=published')).toEqual(['A', 'D']);
    expect(await titles(service, '?status=draft')).toEqual(['B']);
    expect(await titles(service, '?status=private')).toEqual(['C']);
    expect(await titles(service, '?language_code=de')).toEqual(['D']);
    expect(await titles(service, '?language_code=en')).toEqual(['A', 'B', 'C', 'D']);
    expect(await titles(service, '?permission_group_id=g2')).toEqual(['D']);
    expect(await titles(service, '?updated_at_before=2026-01-02T00:00:00Z')).toEqual(['A', 'D']);
    expect(await titles(service, '?updated_at_after=2026-01-02')).toEqual(['C']);
    expect(await titles(service, '?updated_at_after=2026-01-01T23:00:00-02:00')).toEqual(['C']);
    expect(await titles(service, '?tag=y&status=draft&category_id=c1')).toEqual(['B']);
  });

  it.each([
    ['short', 1],
    ['long', 25_000],
  ])('gives pages by limit and skip that join to the whole list, with %s bodies', async (_, words) => {
    const body = `<p>${'x '.repeat(words)}</p>`;
    const service = await startWith(Array.from({ length: 45 }, (_, n) => ({ title: `T${n}`, body })));
    const whole = await titles(service, '?include_body=true');
    expect(whole).toHaveLength(45);
    for (const size of [1, 20, 44, 45, 46]) {
      const pages: string[] = [];
      for (let skip = 0; skip < 45; skip += size) {
        pages.push(...(await titles(service, `?include_body=true&limit=${size}&skip=${skip}`)));
      }
      expect(pages).toEqual(whole);
    }
    expect(await titles(service, '?include_body=true&skip=3')).toEqual(whole.slice(3));
    expect(await titles(service, '?skip=45')).toEqual([]);
  });

  it('keeps 1 MiB and one article of a list in memory, however long the bodies are', async () => {
    const store = await openTestStore(await makeData());
    const sizes = [3_000_000, 10, 400_000, 2_000_000, 600_000, 600_000, 10, 1_048_576, 1_500_000, 20];
    for (const [n, size] of sizes.entries()) {
      await store.createArticle({ title: `T${n}`, body: 'é'.repeat(size / 2) });
    }
    let readBytes = 0;
    let mostBytes = 0;
    let sentBytes = 0;
    const counting: Pick<Store, 'listArticles'> = {
      async listArticles(filter, page) {
        const articles = await store.listArticles(filter, page);
        readBytes += Buffer.byteLength(articles.map(({ json }) => json).join(''));
        mostBytes = Math.max(mostBytes, readBytes - sentBytes);
        return articles;
      },
    };
    for (const { skip, limit } of [
      { skip: 0, limit: Number.POSITIVE_INFINITY },
      { skip: 1, limit: 7 },
    ]) {
      let text = '';
      const request = { filter: {}, includeBody: true, skip, limit };
      for await (const chunk of formatArticleList(counting, request, '')) {
        text += chunk;
        sentBytes = readBytes;
      }
      expect(JSON.parse(text).articles.map(({ title }: { title: string }) => title)).toEqual(
        sizes.map((_, n) => `T${n}`).slice(skip, skip + limit),
      );
    }
    expect(mostBytes).toBeGreaterThan(3_000_000);
    expect(mostBytes).toBeLessThan(1_048_576 + 3_001_000);
  });

  it('gives the calculated URLs, with the URL of the help centre if it is known', async () => {
    const service = await startTestService({ siteUrl: 'https://help.example.com' });
    const create = { method: 'POST', body: { article_id: 'aaaaaaaaaa', title: 'Grüße, Welt!' } };
    expect((await service.call('/article', create)).json.article).toMatchObject({
      slug: 'gruße-welt',
      url: 'https://help.example.com/article/aaaaaaaaaa-gru%C3%9Fe-welt',
      relative_url: '/article/aaaaaaaaaa-gru%C3%9Fe-welt',
    });
  });

  it('is asked for its bodies in any case, as Python writes true', async () => {
    const service = await startTestService();
    await service.call('/article', { method: 'POST', body: { title: 'A', body: '<p>A</p>' } });
    const bodyOf = async (value: string) =>
      (await service.call(`/article?include_body=${value}`)).json.articles?.[0].body;
    expect([await bodyOf('True'), await bodyOf('TRUE'), await bodyOf('False')]).toEqual([
      '<p>A</p>',
      '<p>A</p>',
      undefined,
    ]);
    expect((await service.call('/article?include_body=yes')).status).toBe(400);
  });

  it('carries no bodies unless they are asked for, also not of translations', async () => {
    const service = await startWith([
      { title: 'A', body: 'secret', multilingual: [{ language_code: 'de', body: 'geheim' }] },
    ]);
    expect((await service.call('/article')).text).not.toMatch(/secret|geheim/);
    expect((await service.call('/article?include_body=1')).text).toMatch(/secret.*geheim/);
  });

  it('answers 304 to lists until something is written', async () => {
    const service = await startWith([{ article_id: 'aaaaaaaaaa', title: 'A' }]);
    const known = new Map<string, { 'if-none-match': string }>();
    for (const path of ['/article', '/article?include_body=true', '/category', '/article?format=list']) {
      const headers = { 'if-none-match': (await service.call(path)).headers.etag ?? '' };
      const again = await service.call(path, { headers });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
      known.set(path, headers);
    }
    await service.call('/article/aaaaaaaaaa', { method: 'DELETE' });
    for (const [path, headers] of known)
      expect([path, (await service.call(path, { headers })).status]).toEqual([path, 200]);
  });
});
