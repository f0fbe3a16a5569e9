import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useTarget } from './target.ts';

/** Every rule and table row of the interface document that promises something, one named test each. */
const target = useTarget();
const { call, createArticle } = target;

const articleIdPattern = /^[a-zA-Z0-9]{10}$/;

async function createCategory(fields: Readonly<Record<string, unknown>> = {}) {
  const body = { title: 'Contract test', ...fields };
  return (await call('/category', { method: 'POST', body })).json.category;
}

async function listedIds(query = ''): Promise<string[]> {
  const { articles } = (await call(`/article${query}`)).json;
  return articles.map((article: { article_id: string }) => article.article_id);
}

describe('what the service does', () => {
  it('rule 1: requests are made over SSL', async () => {
    expect(target.baseUrl).toMatch(/^https:\/\//);
    const plain = new Promise((resolve, reject) => {
      get(target.baseUrl.replace('https:', 'http:'), (response) => {
        response.resume();
        if (response.statusCode === 200) resolve('answered');
        else reject(new Error('refused'));
      }).on('error', reject);
    });
    await expect(plain).rejects.toThrow();
  });

  it('rule 2: every response body is JSON, also of errors', async () => {
    const answers = await Promise.all([
      call('/article'),
      call('/category'),
      call('/article/aaaaaaaaaa'),
      call('/nothing-here'),
      call('/article', { key: null }),
      call('/search'),
    ]);
    for (const answer of answers) {
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.json).toBeTypeOf('object');
    }
  });

  it('carries its version in the base URL', () => {
    expect(target.baseUrl).toMatch(/\/v1$/);
  });
});

describe('the Article resource', () => {
  it('article_id is ten letters or digits', async () => {
    expect((await createArticle()).article_id).toMatch(articleIdPattern);
  });

  it('title is a string that can be translated', async () => {
    const article = await createArticle({
      title: 'Hello',
      multilingual: [{ language_code: 'de', title: 'Hallo' }],
    });
    expect(article.title).toBe('Hello');
    expect(article.multilingual).toEqual([expect.objectContaining({ language_code: 'de', title: 'Hallo' })]);
  });

  it('multilingual objects are accepted when creating an article', async () => {
    const { article_id } = await createArticle({
      multilingual: [
        { language_code: 'fr', title: 'Bonjour', body: '<p>Salut</p>' },
        { language_code: 'ja', title: 'こんにちは' },
      ],
    });
    const { article } = (await call(`/article/${article_id}`)).json;
    expect(article.multilingual).toEqual([
      expect.objectContaining({ language_code: 'fr', title: 'Bonjour', body: '<p>Salut</p>' }),
      expect.objectContaining({ language_code: 'ja', title: 'こんにちは' }),
    ]);
  });

  it('an update sends only the changed parts', async () => {
    const before = await createArticle({ title: 'Before', body: '<p>Body</p>', tags: ['a'] });
    const { article } = (
      await call(`/article/${before.article_id}`, { method: 'PATCH', body: { title: 'After' } })
    ).json;
    expect(article).toEqual({ ...before, title: 'After', updated_at: article.updated_at });
  });
});

describe('the Category resource', () => {
  it('has category_id, title, description, dates, account_id and multilingual', async () => {
    const category = await createCategory({ title: 'Basics', description: 'First steps' });
    expect(category).toMatchObject({
      category_id: expect.any(String),
      title: 'Basics',
      description: 'First steps',
      account_id: expect.any(String),
      multilingual: [],
    });
    for (const date of [category.created_at, category.updated_at]) {
      expect(new Date(date).toISOString()).toBe(date);
    }
  });

  it('CategoryMultilingual has language_code, title, description and slug', async () => {
    const { category_id } = await createCategory();
    const element = {
      language_code: 'de',
      title: 'Grundlagen',
      description: 'Erste Schritte',
      slug: 'grundlagen',
    };
    const answer = await call(`/category/${category_id}`, {
      method: 'PATCH',
      body: { multilingual: [element] },
    });
    expect(answer.json.category.multilingual).toEqual([element]);
  });
});

describe('states', () => {
  it('the list returns articles of all statuses when no filter is passed', async () => {
    const draft = await createArticle({ is_published: false });
    const published = await createArticle({ is_published: true });
    const unlisted = await createArticle({ is_published: true, is_private: true });
    expect(await listedIds()).toEqual(
      expect.arrayContaining([draft.article_id, published.article_id, unlisted.article_id]),
    );
  });
});

describe('endpoints', () => {
  it('GET /article answers all articles of the account', async () => {
    const article = await createArticle();
    const answer = await call('/article');
    expect(answer.status).toBe(200);
    expect(answer.json.articles).toContainEqual(expect.objectContaining({ article_id: article.article_id }));
  });

  it('GET /article takes category_id', async () => {
    const { category_id } = await createCategory();
    const inside = await createArticle({ category_id });
    await createArticle();
    expect(await listedIds(`?category_id=${category_id}`)).toEqual([inside.article_id]);
  });

  it('GET /article takes tag', async () => {
    const tag = `contract-${Date.now()}`;
    const tagged = await createArticle({ tags: ['other', tag] });
    await createArticle({ tags: ['other'] });
    expect(await listedIds(`?tag=${tag}`)).toEqual([tagged.article_id]);
  });

  it('GET /article takes include_body', async () => {
    const { article_id } = await createArticle({ body: '<p>The body</p>' });
    const bodyIn = async (query: string) =>
      (await call(`/article${query}`)).json.articles.find(
        (article: { article_id: string }) => article.article_id === article_id,
      ).body;
    expect(await bodyIn('?include_body=true')).toBe('<p>The body</p>');
    expect(await bodyIn('')).toBeUndefined();
  });

  it('GET /article takes updated_at_before', async () => {
    const article = await createArticle();
    const at = Date.parse(article.updated_at);
    const before = encodeURIComponent(new Date(at - 1000).toISOString());
    const after = encodeURIComponent(new Date(at + 1000).toISOString());
    expect(await listedIds(`?updated_at_before=${before}`)).not.toContain(article.article_id);
    expect(await listedIds(`?updated_at_before=${after}`)).toContain(article.article_id);
  });

  it('GET /article/:article_id answers the article', async () => {
    const created = await createArticle({ body: '<p>x</p>' });
    const answer = await call(`/article/${created.article_id}`);
    expect(answer.status).toBe(200);
    expect(answer.json.article).toEqual(created);
  });

  it('POST /article creates an article from several parameters', async () => {
    const fields = {
      title: 'Created',
      body: '<p>Hi</p>',
      description: 'About',
      tags: ['x'],
      is_published: true,
    };
    const { article_id } = await createArticle(fields);
    expect((await call(`/article/${article_id}`)).json.article).toMatchObject(fields);
  });

  it('PATCH /article/:article_id takes all of an article as well as a part', async () => {
    const created = await createArticle({ title: 'One', body: '<p>1</p>' });
    const whole = { ...created, title: 'Two', body: '<p>2</p>' };
    const answer = await call(`/article/${created.article_id}`, { method: 'PATCH', body: whole });
    expect(answer.status).toBe(200);
    expect(answer.json.article).toMatchObject({
      article_id: created.article_id,
      title: 'Two',
      body: '<p>2</p>',
    });
  });

  it('DELETE /article/:article_id answers success and the article is gone', async () => {
    const { article_id } = await createArticle();
    const answer = await call(`/article/${article_id}`, { method: 'DELETE' });
    expect([answer.status, answer.json]).toEqual([200, { success: true }]);
    expect((await call(`/article/${article_id}`)).status).toBe(404);
    expect(await listedIds()).not.toContain(article_id);
  });

  it('GET /search answers the top results for the string', async () => {
    const { article_id } = await createArticle({ title: 'Quixotic zeppelin', is_published: true });
    const answer = await call('/search?query=quixotic%20zeppelin');
    expect(answer.status).toBe(200);
    expect(answer.json.articles[0].article_id).toBe(article_id);
  });

  it('GET /search takes limit', async () => {
    for (const n of [1, 2, 3]) await createArticle({ title: `Xylophone ${n}`, is_published: true });
    expect((await call('/search?query=xylophone&limit=2')).json.articles).toHaveLength(2);
    expect((await call('/search?query=xylophone&limit=3')).json.articles).toHaveLength(3);
  });

  it('POST /category takes title alone, description being optional', async () => {
    const answer = await call('/category', { method: 'POST', body: { title: 'Only a title' } });
    expect(answer.status).toBe(200);
    expect(answer.json.category).toMatchObject({ title: 'Only a title' });
  });

  it('GET /category answers all categories', async () => {
    const category = await createCategory();
    const answer = await call('/category');
    expect(answer.status).toBe(200);
    expect(answer.json.categories).toContainEqual(category);
  });

  it('GET /category/:category_id answers the category', async () => {
    const category = await createCategory();
    const answer = await call(`/category/${category.category_id}`);
    expect([answer.status, answer.json]).toEqual([200, { category }]);
  });

  it('PATCH /category/:category_id takes title, description and multilingual', async () => {
    const { category_id } = await createCategory();
    const change = {
      title: 'New',
      description: 'Newer',
      multilingual: [{ language_code: 'es', title: 'Nuevo' }],
    };
    const answer = await call(`/category/${category_id}`, { method: 'PATCH', body: change });
    expect(answer.status).toBe(200);
    expect(answer.json.category).toMatchObject({
      ...change,
      multilingual: [expect.objectContaining(change.multilingual[0] ?? {})],
    });
  });

  it.each(['/stats/article', '/v1/stats/article'])('GET %s answers top_articles', async (path) => {
    const answer = await call(path);
    expect(answer.status).toBe(200);
    for (const entry of answer.json.top_articles) {
      expect(entry).toEqual({
        article_id: expect.stringMatching(articleIdPattern),
        count: expect.any(Number),
        title: expect.any(String),
      });
    }
  });

  it('GET /stats/article takes language_code', async () => {
    expect((await call('/stats/article?language_code=de')).status).toBe(200);
  });

  it('the chatbot source page lists public articles with their content, and no others', async () => {
    const open = await createArticle({ title: 'Open', body: '<p>Known to all</p>', is_published: true });
    const draft = await createArticle({ title: 'Draft', body: '<p>Not known</p>' });
    const hidden = await createArticle({
      title: 'H',
      body: '<p>Not known</p>',
      is_published: true,
      is_private: true,
    });
    const { text } = await call('/article?format=list');
    expect(text).toContain(open.article_id);
    expect(text).toContain('Known to all');
    expect(text).not.toContain(draft.article_id);
    expect(text).not.toContain(hidden.article_id);
  });
});

describe('partial-update rules', () => {
  const translations = [
    { language_code: 'de', title: 'Titel', description: 'Beschreibung', slug: 'titel' },
    { language_code: 'fr', title: 'Titre', description: 'Texte', slug: 'titre' },
  ];

  it('rule 1: properties of a category that are not sent keep their values', async () => {
    const before = await createCategory({ title: 'T', description: 'D', multilingual: translations });
    const { category } = (
      await call(`/category/${before.category_id}`, { method: 'PATCH', body: { description: 'E' } })
    ).json;
    expect(category).toEqual({ ...before, description: 'E', updated_at: category.updated_at });
  });

  it('rule 1: properties of an article that are not sent keep their values', async () => {
    const before = await createArticle({
      title: 'T',
      body: '<p>B</p>',
      multilingual: translations,
      tags: ['t'],
    });
    const { article } = (
      await call(`/article/${before.article_id}`, { method: 'PATCH', body: { description: 'E' } })
    ).json;
    expect(article).toEqual({ ...before, description: 'E', updated_at: article.updated_at });
  });

  it('rule 2: an element of multilingual needs language_code', async () => {
    const { category_id } = await createCategory();
    const answer = await call(`/category/${category_id}`, {
      method: 'PATCH',
      body: { multilingual: [{ title: 'No language' }] },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('language_code');
  });

  it.each(['title', 'description', 'slug'])('rule 2: in multilingual %s alone is enough', async (field) => {
    const { category_id } = await createCategory();
    const body = { multilingual: [{ language_code: 'de', [field]: 'wert' }] };
    const answer = await call(`/category/${category_id}`, { method: 'PATCH', body });
    expect(answer.status).toBe(200);
    expect(answer.json.category.multilingual[0]).toMatchObject({ language_code: 'de', [field]: 'wert' });
  });

  it("rule 3: language_code and title change only that language's title of a category", async () => {
    const { category_id } = await createCategory({ multilingual: translations });
    const body = { multilingual: [{ language_code: 'de', title: 'Neu' }] };
    const { category } = (await call(`/category/${category_id}`, { method: 'PATCH', body })).json;
    expect(category.multilingual).toEqual([{ ...translations[0], title: 'Neu' }, translations[1]]);
  });

  it('rule 3 applies to articles, too', async () => {
    const before = await createArticle({
      multilingual: translations.map((t) => ({ ...t, body: `<p>${t.title}</p>` })),
    });
    const body = { multilingual: [{ language_code: 'fr', title: 'Nouveau' }] };
    const { article } = (await call(`/article/${before.article_id}`, { method: 'PATCH', body })).json;
    expect(article.multilingual).toEqual([
      before.multilingual[0],
      { ...before.multilingual[1], title: 'Nouveau' },
    ]);
  });
});

describe('authentication', () => {
  it('rule 1: a request without an API key is refused with 401', async () => {
    for (const path of ['/article', '/category', '/search?query=x', '/stats/article']) {
      expect((await call(path, { key: null })).status).toBe(401);
    }
  });

  it('rule 2: the key is given as a Bearer token', async () => {
    expect((await call('/category')).status).toBe(200);
    expect((await call('/category', { key: 'not-a-key' })).status).toBe(401);
  });

  it('rule 2: the key is given as a query parameter', async () => {
    expect((await call(`/category?key=${encodeURIComponent(target.apiKey)}`, { key: null })).status).toBe(
      200,
    );
    expect((await call('/category?key=not-a-key', { key: null })).status).toBe(401);
  });

  it('rule 3: the key is needed again with every request', async () => {
    expect((await call('/category')).status).toBe(200);
    expect((await call('/category', { key: null })).status).toBe(401);
  });
});

describe('errors', () => {
  it('200 when all is well', async () => {
    expect((await call('/article')).status).toBe(200);
  });

  it('400 names the missing title of a category', async () => {
    const answer = await call('/category', { method: 'POST', body: { description: 'No title' } });
    expect([answer.status, answer.text.includes('title')]).toEqual([400, true]);
  });

  it('400 names the missing query of a search', async () => {
    const answer = await call('/search');
    expect([answer.status, answer.text.includes('query')]).toEqual([400, true]);
  });

  it.each([
    ['GET', '/article/aaaaaaaaaa'],
    ['PATCH', '/article/aaaaaaaaaa'],
    ['DELETE', '/article/aaaaaaaaaa'],
    ['GET', '/category/aaaaaaaaaa'],
    ['PATCH', '/category/aaaaaaaaaa'],
  ])('404 for %s %s, which does not exist', async (method, path) => {
    const body = method === 'PATCH' ? { title: 'x' } : undefined;
    expect((await call(path, { method, body })).status).toBe(404);
  });
});
