import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

it('language codes are one language in any spelling', async () => {
  const service = await startTestService();
  const { article } = (
    await service.call('/article', {
      method: 'POST',
      body: {
        title: 'Hello',
        body: '<p>Hi</p>',
        is_published: true,
        multilingual: [
          { language_code: 'pt-BR', title: 'Ola', body: '<p>Oi</p>' },
          { language_code: 'pt-br', description: 'Saudar' },
          { language_code: 'EN', title: 'Filler' },
        ],
      },
    })
  ).json;
  const brazilian = { language_code: 'pt-BR', title: 'Ola', description: 'Saudar' };
  expect(article.multilingual).toMatchObject([brazilian, { language_code: 'EN' }]);

  const path = `/article/${article.article_id}`;
  const body = { multilingual: [{ language_code: 'PT-br', title: 'Bom dia' }] };
  const changed = (await service.call(path, { method: 'PATCH', body })).json.article;
  expect(changed.multilingual[0]).toMatchObject({ ...brazilian, title: 'Bom dia' });

  await service.call(`/stats${path}`, { method: 'POST', body: {} });
  for (const language of ['pt-BR', 'pt-br', 'PT-BR']) {
    const query = `language_code=${language}`;
    const ask = async (address: string) => (await service.call(`${address}${query}`)).json;
    expect((await ask('/article?')).articles).toHaveLength(1);
    expect((await ask('/article?format=list&')).articles).toMatchObject([
      { language: 'pt-BR', title: 'Bom dia', url: expect.stringMatching(/^\/l\/pt-BR\//) },
    ]);
    expect((await ask('/search?query=bom&')).articles).toMatchObject([{ language_code: 'pt-BR' }]);
    expect((await ask('/stats/article?')).top_articles).toMatchObject([{ title: 'Bom dia' }]);
  }
  const own = (await service.call('/article?format=list&language_code=EN')).json.articles;
  expect(own).toMatchObject([{ language: 'en', title: 'Hello', url: expect.stringMatching(/^\/article\//) }]);
  expect((await service.call('/article?format=list')).json.articles).toHaveLength(2);

  const category = {
    title: 'Group',
    multilingual: [
      { language_code: 'de', title: 'A' },
      { language_code: 'DE', title: 'B' },
    ],
  };
  const made = (await service.call('/category', { method: 'POST', body: category })).json.category;
  expect(made.multilingual).toMatchObject([{ language_code: 'de', title: 'B' }]);
});

it('a language code longer than any is refused: it would be too long for an index, and for the name of a file', async () => {
  const service = await startTestService();
  const code = `de${'-abcdefgh'.repeat(11)}`;
  const create = (language_code: string) =>
    service.call('/article', {
      method: 'POST',
      body: { title: 'A', multilingual: [{ language_code, title: 'A' }] },
    });
  expect((await create(code.slice(0, 100))).status).toBe(200);
  const refused = await create(code);
  expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid_field']);
});
