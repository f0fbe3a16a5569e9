import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../support/properties.ts';
import { startTestService, type TestService } from '../support/service.ts';

async function startWith(articles: readonly Readonly<Record<string, unknown>>[]): Promise<TestService> {
  const service = await startTestService({ requestsPerMinute: 0 });
  for (const article of articles) {
    await service.call('/article', { method: 'POST', body: { is_published: true, ...article } });
  }
  return service;
}

async function search(service: TestService, query: string, more = '') {
  return (await service.call(`/search?query=${encodeURIComponent(query)}${more}`)).json;
}

async function titles(service: TestService, query: string, more = ''): Promise<string[]> {
  const { articles } = await search(service, query, more);
  return articles.map((article: { title: string }) => article.title);
}

const hostileQueries = [
  '"',
  '*',
  'NEAR(',
  'a AND',
  'NOT',
  '{title}:x',
  '^x',
  "'; DROP TABLE article; --",
  '\0',
  '\uD800',
  '()',
  '%',
  'x'.repeat(10_240),
];

describe('GET /search', () => {
  it('ranks articles with the words in the title above those with them in the body', async () => {
    const service = await startWith([
      { title: 'Other', body: `<p>${'reset password '.repeat(50)}</p>` },
      { title: 'Reset your password', body: '<p>Short.</p>' },
    ]);
    expect(await titles(service, 'reset password')).toEqual(['Reset your password', 'Other']);
  });

  it('keeps a body of Confluence as it is, and finds the words in its CDATA', async () => {
    const body =
      '<p>a</p><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[if (wombat < 2) { <b/> }]]></ac:plain-text-body></ac:structured-macro>';
    const service = await startWith([{ title: 'Code', body }]);
    const { articles } = await search(service, 'wombat');
    expect(JSON.stringify(articles)).not.toContain('CDATA');
    expect(articles).toHaveLength(1);
    const { article_id: id } = articles[0];
    expect((await service.call(`/article/${id}`)).json.article.body).toBe(body);
  });

  it('finds words by their beginning, in any case and with or without accents', async () => {
    const service = await startWith([
      { title: 'Réinitialiser', body: '<p>Straße und Überweisung in ŁÓDŹ</p>' },
    ]);
    for (const query of ['reinit', 'RÉINIT', 'strasse', 'uberweis', 'lodz']) {
      expect(await titles(service, query)).toEqual(['Réinitialiser']);
    }
    expect(await titles(service, 'initialiser')).toEqual([]);
  });

  it('finds words in languages of other scripts', async () => {
    const texts = [
      ['Chinese', '重置密码', '如何在应用中更改您的登录密码', ['密码', '码', '登录密码', '更改']],
      [
        'Japanese',
        'パスワード',
        'ログインできない場合はパスワードを再設定してください',
        ['再設定', 'ログイン', '場合'],
      ],
      ['Thai', 'รหัสผ่าน', 'วิธีเปลี่ยนรหัสผ่านของคุณ', ['รหัสผ่าน', 'เปลี่ยน']],
      ['Arabic', 'إعادة التعيين', 'كيفيّة تغيير كلمة المرور', ['اعاده', 'كيفية', 'المرور', 'إعادة']],
      ['Korean', '비밀번호', '비밀번호를 재설정하는 방법', ['비밀번호', '재설정', '방법']],
      ['Hindi', 'पासवर्ड', 'अपना पासवर्ड रीसेट करें', ['पासवर्ड', 'रीसेट']],
      ['Russian', 'Пароль', 'Как изменить пароль', ['парол', 'изменить']],
    ] as const;
    const service = await startWith([
      ...texts.map(([, title, body]) => ({ title, body: `<p>${body}</p>` })),
      { title: 'English', body: '<p>Password</p>' },
    ]);
    for (const [language, title, , queries] of texts)
      for (const query of queries)
        expect([language, query, await titles(service, query)]).toEqual([language, query, [title]]);
  });

  it('falls back to articles with some of the words when none has all', async () => {
    const service = await startWith([{ title: 'Printer', body: '<p>ink</p>' }, { title: 'Screen' }]);
    expect(await titles(service, 'why does my printer not work')).toEqual(['Printer']);
  });

  it('gives the language that matches best, or the one asked for', async () => {
    const service = await startWith([
      {
        title: 'Cat',
        body: '<p>meow</p>',
        multilingual: [{ language_code: 'de', title: 'Katze', body: '<p>miau</p>' }],
      },
    ]);
    const best = await search(service, 'katze');
    expect(best).toMatchObject({
      totalHits: 1,
      articles: [{ title: 'Katze', language_code: 'de', relative_url: expect.stringMatching(/-katze$/) }],
    });
    expect(await titles(service, 'katze', '&language_code=en')).toEqual([]);
    expect(await titles(service, 'cat', '&language_code=en')).toEqual(['Cat']);
    expect(await titles(service, 'cat', '&language_code=de')).toEqual([]);
  });

  it('skips unpublished articles unless they are requested', async () => {
    const service = await startWith([
      { title: 'Word open' },
      { title: 'Word draft', is_published: false },
      { title: 'Word private', is_private: true },
      { title: 'Word restricted', permission_groups: ['g1'] },
      { title: 'Word private draft', is_private: true, is_published: false },
      { title: 'Nothing', multilingual: [{ language_code: 'de', title: 'Word not live', is_live: false }] },
    ]);
    const found = async (more: string) => (await titles(service, 'word', more)).sort();
    expect(await found('')).toEqual(['Word open']);
    expect(await found('&include_draft=true')).toEqual(['Word draft', 'Word not live', 'Word open']);
    expect(await found('&include_private=true')).toEqual(['Word open', 'Word private', 'Word restricted']);
    expect(await found('&include_private=true&include_draft=true')).toHaveLength(6);
  });

  it('marks the words in a snippet that is safe HTML', async () => {
    const service = await startWith([
      {
        title: 'T',
        body: `<p>${'filler '.repeat(60)}</p><p>1 &lt; 2 &amp; <b>Déjà</b>-vu &lt;script&gt;</p>`,
      },
    ]);
    const { articles } = await search(service, 'deja');
    expect(articles[0].snippet).toMatch(/^… filler .*1 &lt; 2 &amp; <mark>Déjà<\/mark>-vu &lt;script&gt;$/);
  });

  it('forgets changed and deleted articles', async () => {
    const service = await startWith([{ title: 'Old words', article_id: 'aaaaaaaaaa' }]);
    await service.call('/article/aaaaaaaaaa', { method: 'PATCH', body: { title: 'New words' } });
    expect(await titles(service, 'old')).toEqual([]);
    expect(await titles(service, 'new')).toEqual(['New words']);
    await service.call('/article/aaaaaaaaaa', { method: 'DELETE' });
    expect(await titles(service, 'new')).toEqual([]);
  });

  it('gives 10 results by default, and counts all', async () => {
    const service = await startWith(Array.from({ length: 25 }, (_, n) => ({ title: `Thing ${n}` })));
    const usual = await search(service, 'thing');
    expect([usual.articles.length, usual.totalHits, usual.maxScore]).toEqual([
      10,
      25,
      usual.articles[0].score,
    ]);
    expect((await search(service, 'thing', '&limit=100')).articles).toHaveLength(25);
  });

  it('counts an article once, however many of its languages match', async () => {
    const multilingual = [{ language_code: 'de', title: 'Router' }];
    const service = await startWith([
      { title: 'Router one', multilingual },
      { title: 'Router two', multilingual },
    ]);
    expect((await search(service, 'router', '&limit=1')).totalHits).toBe(2);
  });

  it('finds longer words that are written after a search for their beginning', async () => {
    const service = await startWith([{ title: 'Reset' }]);
    expect(await titles(service, 'reset')).toEqual(['Reset']);
    await service.call('/article', { method: 'POST', body: { title: 'Resetting', is_published: true } });
    expect((await titles(service, 'reset')).sort()).toEqual(['Reset', 'Resetting']);
  });

  it('reports a query that is too long and was cut', async () => {
    const service = await startWith([{ title: 'Word' }]);
    expect((await search(service, 'word')).query_truncated).toBe(false);
    expect(
      (await search(service, Array.from({ length: 17 }, (_, index) => `word${index}`).join(' ')))
        .query_truncated,
    ).toBe(true);
  });

  it('answers hostile queries with results or none', async () => {
    const service = await startWith([{ title: 'Word' }]);
    for (const query of hostileQueries) {
      const path = `/search?query=${encodeURIComponent(query.replace('\uD800', '\uFFFD'))}`;
      expect([query, (await service.call(path)).status]).toEqual([query, 200]);
      expect([query, await titles(service, 'word')]).toEqual([query, ['Word']]);
    }
  });

  it('answers any text with results or none', { tags: 'property' }, async () => {
    const service = await startWith([{ title: 'Word', body: '<p>日本語 and ไทย</p>' }]);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (query) => {
        expect((await service.call(`/search?query=${encodeURIComponent(query)}`)).status).toBe(200);
      }),
      { numRuns: runs(200) },
    );
  });
});
