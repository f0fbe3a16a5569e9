import { describe, expect, it } from 'vitest';
import { sourcePage } from '../../../src/core/api/queries.ts';
import { startTestService, type TestService } from '../support/service.ts';

async function startWithArticles(): Promise<TestService> {
  const service = await startTestService({ siteUrl: 'https://help.example.com/' });
  for (const body of [
    { category_id: 'outer', title: 'Outer', multilingual: [{ language_code: 'de', title: 'Außen' }] },
    { category_id: 'inner', title: 'Inner', parent_category_id: 'outer' },
  ]) {
    await service.call('/category', { method: 'POST', body });
  }
  for (const body of [
    {
      article_id: 'aaaaaaaaaa',
      title: 'Hello',
      body: '<h2>Part</h2><p>One &amp; <b>two</b></p><script>no()</script>',
      category_id: 'inner',
      tags: ['x', 'y'],
      is_published: true,
      updated_at: '2026-01-01',
      multilingual: [
        { language_code: 'de', title: 'Hallo', body: '<p>Eins</p>' },
        { language_code: 'fr', title: 'Bonjour', body: '<p>Un</p>', is_live: false },
        { language_code: 'es', title: 'Sin cuerpo' },
      ],
    },
    { article_id: 'bbbbbbbbbb', title: 'Draft', body: '<p>no</p>' },
    { article_id: 'cccccccccc', title: 'Private', body: '<p>no</p>', is_published: true, is_private: true },
    {
      article_id: 'dddddddddd',
      title: 'Group',
      body: '<p>no</p>',
      is_published: true,
      permission_groups: ['g'],
    },
    {
      article_id: 'eeeeeeeeee',
      title: 'Rule',
      body: `<p>${'='.repeat(80)}</p>`,
      is_published: true,
      updated_at: '2026-01-02',
    },
  ]) {
    await service.call('/article', { method: 'POST', body });
  }
  return service;
}

describe('GET /article?format=list', () => {
  it('lists public articles in every live language, or in one, as plain text with their category path', async () => {
    const service = await startWithArticles();
    const { json } = await service.call('/article?format=list');
    expect(sourcePage.safeParse(json).error).toBeUndefined();
    expect(
      json.articles.map((article: { language: string; title: string }) => [article.language, article.title]),
    ).toEqual([
      ['en', 'Hello'],
      ['de', 'Hallo'],
      ['en', 'Rule'],
    ]);
    expect(json.articles[0]).toEqual({
      article_id: 'aaaaaaaaaa',
      language: 'en',
      title: 'Hello',
      url: 'https://help.example.com/article/aaaaaaaaaa-hello',
      category_path: ['Outer', 'Inner'],
      tags: ['x', 'y'],
      updated_at: '2026-01-01T00:00:00.000Z',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      text: 'Part\nOne & two',
    });
    expect(json.articles[1].category_path).toEqual(['Außen', 'Inner']);
    const languages = async (tag: string) =>
      (await service.call(`/article?format=list&language_code=${tag}`)).json.articles.map(
        (article: { language: string }) => article.language,
      );
    expect(await languages('de')).toEqual(['de']);
    expect(await languages('en')).toEqual(['en', 'en']);
  });

  it('is an empty list on an empty knowledge base', async () => {
    const service = await startTestService();
    expect((await service.call('/article?format=list')).json.articles).toEqual([]);
  });

  it('is the answer of /source too', async () => {
    const service = await startTestService();
    const body = { title: 'Hello', body: '<p>Hi</p>', is_published: true };
    await service.call('/article', { method: 'POST', body });
    const page = await service.call('/article?format=list');
    const alias = await service.call('/source');
    expect([alias.status, alias.text, alias.headers.etag]).toEqual([200, page.text, page.headers.etag]);
    expect(page.text).toContain('Hello');
  });
});
