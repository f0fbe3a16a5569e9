import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/api/record-text.ts';
import { startTestService } from '../support/service.ts';

/** Tags of languages, all different. */
function tags(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return `${String.fromCharCode(97 + Math.floor(number / 26), 97 + (number % 26))}-x-t`;
  });
}

describe('text that is not well-formed', () => {
  it.each([
    ['title', '{"title":"Welcome \\ud83d…"}'],
    ['title', '{"title":"a\\u0000b"}'],
    ['tags.1', '{"title":"x","tags":["ok","\\udc00"]}'],
    ['multilingual.0.body', '{"title":"x","multilingual":[{"language_code":"de","body":"\\uD83D"}]}'],
    ['\ufffd', '{"title":"x","\\ud83d":1}'],
  ])('is refused in %s', async (field, body) => {
    const service = await startTestService();
    const answer = await service.call('/article', { method: 'POST', body });
    expect([answer.status, answer.json.error]).toEqual([
      400,
      { code: 'invalid_field', message: `The field ${field} contains NUL or half a surrogate pair.` },
    ]);
  });

  it('is refused at any depth', async () => {
    const service = await startTestService();
    const body = `{"title":"x","author":${'['.repeat(100_000)}"\\u0000"${']'.repeat(100_000)}}`;
    const answer = await service.call('/article', { method: 'POST', body });
    expect([answer.status, answer.json.error.message]).toEqual([
      400,
      'The field author.0.0.0.0.0.0.0.0.0 contains NUL or half a surrogate pair.',
    ]);
  });

  it('takes whole surrogate pairs, also as escapes', async () => {
    const service = await startTestService();
    const answer = await service.call('/article', { method: 'POST', body: '{"title":"\\ud83d\\ude00"}' });
    expect([answer.status, answer.json.article.title]).toEqual([200, '😀']);
  });
});

describe('limits', () => {
  it.each([
    ['title', { title: 'x'.repeat(1001) }, 'The field title must have at most 1000 characters.'],
    ['slug', { title: 'x', slug: 'x'.repeat(501) }, 'The field slug must have at most 500 characters.'],
    ['tags', { title: 'x', tags: tags(201) }, 'The field tags must have at most 200 entries.'],
    ['a tag', { title: 'x', tags: ['x'.repeat(201)] }, 'The field tags.0 must have at most 200 characters.'],
    [
      'translations',
      { title: 'x', multilingual: tags(201).map((language_code) => ({ language_code })) },
      'The field multilingual must have at most 200 entries.',
    ],
  ])('are named when %s is beyond one', async (_what, body, message) => {
    const service = await startTestService();
    const answer = await service.call('/article', { method: 'POST', body });
    expect([answer.status, answer.json.error.message]).toEqual([400, message]);
  });

  it('apply to all translations of a record together, and other articles can still be created', async () => {
    const service = await startTestService();
    const translations = (count: number, from: number) => ({
      multilingual: tags(count, from).map((language_code) => ({ language_code, title: 'x' })),
    });
    const body = { title: 'Many', ...translations(150, 0) };
    const { article } = (await service.call('/article', { method: 'POST', body })).json;
    const path = `/article/${article.article_id}`;
    const answer = await service.call(path, { method: 'PATCH', body: translations(51, 150) });
    expect([answer.status, answer.json.error]).toEqual([
      400,
      { code: 'too_many_translations', message: 'A record may have at most 200 translations.' },
    ]);
    expect((await service.call(path, { method: 'PATCH', body: translations(50, 150) })).status).toBe(200);
    expect((await service.call('/article', { method: 'POST', body: { title: 'Next' } })).status).toBe(200);
  });

  it('refuse a longer body with 413 and the name of the field, and keep one of the limit', async () => {
    const { call } = await startTestService();
    const text = 'x'.repeat(limits.bodyCharacters);
    const german = (body: string) => [{ language_code: 'de', title: 'Titel', body }];
    const create = (fields: object) =>
      call('/article', { method: 'POST', body: { title: 'Long', ...fields } });
    const kept = await create({ body: text, multilingual: german(text) });
    expect([kept.status, kept.json.article.body.length]).toEqual([200, limits.bodyCharacters]);
    for (const [field, fields] of [
      ['body', { body: `${text}x` }],
      ['multilingual.0.body', { multilingual: german(`${text}x`) }],
    ] as const) {
      const answer = await create(fields);
      expect([answer.status, answer.json.error.code]).toEqual([413, 'body_too_large']);
      expect(answer.json.error.message).toContain(`The field ${field} `);
    }
  });

  it('let a long text be kept whole, and searched up to the limit', async () => {
    const service = await startTestService();
    const text = `first ${'word '.repeat(limits.indexedCharacters / 5)} last`;
    await service.call('/article', {
      method: 'POST',
      body: { title: 'Long', body: `<p>${text}</p>`, is_published: true },
    });
    const found = async (query: string) => (await service.call(`/search?query=${query}`)).json.totalHits;
    expect([await found('first'), await found('last')]).toEqual([1, 0]);
    expect((await service.call('/article?format=list')).json.articles[0].text).toMatch(/ last$/);
  });

  it('list a long text of each language whole, also after another field has changed', async () => {
    const service = await startTestService();
    // What is searched ends in the middle of a pair.
    const text = (language: string) => `${language}${'😀 '.repeat(limits.indexedCharacters / 3 + 1)}last`;
    const body = (language: string) => `<p>${text(language)}</p>`;
    const { article_id: id } = (
      await service.call('/article', {
        method: 'POST',
        body: {
          title: 'Long',
          body: body('en'),
          multilingual: [{ language_code: 'de', title: 'Lang', body: body('de') }],
          is_published: true,
        },
      })
    ).json.article;
    const listed = async () =>
      (await service.call('/source')).json.articles.map((article: { text: string }) => article.text);
    expect(await listed()).toEqual([text('en'), text('de')]);
    await service.call(`/article/${id}`, { method: 'PATCH', body: { title: 'Longer' } });
    expect(await listed()).toEqual([text('en'), text('de')]);
  });
});
