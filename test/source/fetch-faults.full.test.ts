import { describe, expect, test } from 'vitest';
import { readFolder, startFetching } from './support/fetching.ts';
import { serveKnowledgeBase } from './support/knowledge-base-server.ts';
import { errorOf } from './support/open-http.ts';
import { articleId, articleRecord, articleRecords } from './support/records.ts';
import { type Handler, sendJson } from './support/test-server.ts';

const status =
  (code: number): Handler =>
  (_request, response) =>
    sendJson(response, {}, code);

describe('a run against a server that', () => {
  test('hides everything has reported the problems of the list', async () => {
    const told: string[] = [];
    const { fetch } = await startFetching(
      { articles: articleRecords(2).map((record) => ({ ...record, is_private: 'yes' })) },
      {},
      {
        onProblems: (problems) => told.push(...problems.map(({ code, articleId }) => `${code} ${articleId}`)),
      },
    );
    expect(await errorOf(fetch())).toMatchObject({ code: 'NOTHING_TO_PUBLISH' });
    expect(told).toEqual([`VISIBILITY_UNKNOWN ${articleId(0)}`, `VISIBILITY_UNKNOWN ${articleId(1)}`]);
  });

  test('hides the category of all articles has reported it', async () => {
    let told: readonly string[] = [];
    const { fetch } = await startFetching(
      {
        articles: articleRecords(2).map((record) => ({ ...record, category_id: 'c1' })),
        categories: [{ category_id: 'c1', title: 'Staff', is_private: true }],
      },
      {},
      {
        onProblems: (problems) => {
          told = problems.map(({ code, articleId, categoryId }) => `${code} ${articleId ?? categoryId}`);
        },
      },
    );
    expect(await errorOf(fetch())).toMatchObject({ code: 'NOTHING_TO_PUBLISH' });
    expect(told).toEqual([
      `VISIBILITY_UNKNOWN ${articleId(0)}`,
      `VISIBILITY_UNKNOWN ${articleId(1)}`,
      'VISIBILITY_UNKNOWN c1',
    ]);
  });

  test('refuses the key fails with the variable to set', async () => {
    const { fetch, answerWith } = await startFetching({ articles: [] });
    answerWith(status(401));
    expect(await errorOf(fetch())).toMatchInlineSnapshot(`
      {
        "code": "UNAUTHORIZED",
        "hint": "set the environment variable LECTERN_API_KEY to a key this service accepts",
        "message": "GET https://localhost:PORT/v1/article answered 401",
      }
    `);
  });

  test('fails only at its statistics is read all the same, and that is reported', async () => {
    const { fetch, answerWith, served } = await startFetching({
      articles: articleRecords(2),
      categories: [],
    });
    answerWith((request, response) => {
      if (request.url?.includes('stats')) sendJson(response, {}, 500);
      else sendJson(response, request.url?.includes('skip') ? { articles: [] } : served);
    });
    const source = await fetch();
    expect(source.topArticles.size).toBe(0);
    expect(source.problems).toMatchObject([{ code: 'STATISTICS_UNAVAILABLE' }]);
  });
});

describe('a run that would take much away', () => {
  test('stops, keeps the last snapshot, and continues when it is intended', async () => {
    const { fetch, settings, served } = await startFetching({ articles: articleRecords(10) });
    await fetch();
    const before = await readFolder(settings.cache);
    served.articles = articleRecords(7);
    expect(await errorOf(fetch())).toMatchInlineSnapshot(`
      {
        "code": "MASS_DELETE",
        "hint": "nothing was published; if this is intended, pass --allow-mass-delete once, else check key, base URL and languages, or the files of the folder",
        "message": "7 public articles, down from 10 in the last snapshot: a drop of more than 20%
        Title of a000000007
        Title of a000000008
        Title of a000000009",
      }
    `);
    expect(await readFolder(settings.cache)).toEqual(before);
    expect((await fetch({ allowMassDelete: true })).stats.published).toBe(7);
    expect((await fetch()).stats.published).toBe(7);
  });

  test('is compared with nothing when the last snapshot is of another knowledge base', async () => {
    const { fetch, served } = await startFetching({ articles: articleRecords(10) });
    await fetch();
    served.articles = articleRecords(2).map((record) => ({ ...record, multilingual: [] }));
    const source = await fetch({ defaultLanguage: 'de' });
    expect(source.problems).toMatchObject([{ code: 'SNAPSHOT_DISCARDED' }]);
  });

  test('publishes an empty knowledge base when it is intended', async () => {
    const { fetch } = await startFetching({ articles: [] });
    expect((await fetch({ allowMassDelete: true })).knowledgeBase.articles).toEqual([]);
  });
});

describe('a knowledge base that changes while it is read', () => {
  const slim = { ignoresIncludeBody: true };

  /** Runs a change after the list was read and before the articles are. */
  async function fetchWithChange(change: (articles: Record<string, unknown>[]) => void) {
    const articles = articleRecords(3);
    const fetching = await startFetching({ articles }, slim);
    const serve = fetching.served;
    let hasChanged = false;
    const source = await fetching.fetch({
      onProgress: ({ kind, done }) => {
        if (hasChanged || kind !== 'articles' || done !== 3) return;
        hasChanged = true;
        change(articles);
        serve.articles = articles;
      },
    });
    return source;
  }

  test('skips a deleted article and reports it', async () => {
    const source = await fetchWithChange((articles) => articles.splice(1, 1));
    expect(source.knowledgeBase.articles.map(({ id }) => id)).toEqual([articleId(0), articleId(2)]);
    expect(source.knowledgeBase.excluded.get(articleId(1))).toBe('gone');
    expect(source.problems).toMatchObject([{ code: 'ARTICLE_GONE', articleId: articleId(1) }]);
  });

  test('loses the article that was hidden', async () => {
    const source = await fetchWithChange((articles) =>
      Object.assign(articles[1] as object, { is_private: true }),
    );
    expect(source.knowledgeBase.excluded.get(articleId(1))).toBe('private');
  });

  test('has the article that was edited as one whole, with its new title and its new body', async () => {
    const source = await fetchWithChange((articles) =>
      Object.assign(articles[1] as object, { title: 'New', body: 'New body' }),
    );
    expect(source.knowledgeBase.articles[1]?.translations[0]?.title).toBe('New');
    expect((await source.readBodies(articleId(1))).get('en')).toBe('New body');
  });

  test('never publishes another article under the id that was asked for', async () => {
    const { fetch, served, answerWith } = await startFetching({ articles: articleRecords(2) }, slim);
    const serve = serveKnowledgeBase(served, slim);
    answerWith((request, response) => {
      if (request.url?.endsWith(articleId(1))) sendJson(response, { article: articleRecord('otherother') });
      else serve(request, response);
    });
    const source = await fetch();
    expect(source.knowledgeBase.excluded.get(articleId(1))).toBe('invalid');
    expect(source.problems).toMatchObject([{ code: 'ARTICLE_MISMATCH', articleId: articleId(1) }]);
  });
});

describe('a list with invalid records', () => {
  test('keeps the newer of two articles with one id, and removes the older from the cache', async () => {
    const { fetch, settings } = await startFetching({
      articles: [
        articleRecord('aaaaaaaaaa', { body: 'OLD BODY', updated_at: '2026-01-01T00:00:00Z' }),
        articleRecord('aaaaaaaaaa', { body: 'NEW BODY', updated_at: '2026-01-02T00:00:00Z' }),
        articleRecord('aaaaaaaaaa', { body: 'OLDEST BODY', updated_at: '2025-01-01T00:00:00Z' }),
      ],
    });
    const source = await fetch();
    expect((await source.readBodies('aaaaaaaaaa')).get('en')).toBe('NEW BODY');
    expect(source.problems.map(({ code }) => code)).toEqual(['DUPLICATE_RECORD', 'DUPLICATE_RECORD']);
    expect(Object.values(await readFolder(settings.cache)).join()).not.toContain('OLD');
  });

  test('publishes none of two with one id when one is hidden and neither is newer', async () => {
    const { fetch } = await startFetching({
      articles: [
        articleRecord('aaaaaaaaaa'),
        articleRecord('aaaaaaaaaa', { is_published: false }),
        articleRecord('bbbbbbbbbb', { is_published: false }),
        articleRecord('bbbbbbbbbb'),
        articleRecord('cccccccccc'),
      ],
    });
    const source = await fetch();
    expect(source.knowledgeBase.articles.map(({ id }) => id)).toEqual(['cccccccccc']);
  });

  test('skips invalid ids, and reports each', async () => {
    const { fetch } = await startFetching({
      articles: [articleRecord('aaaaaaaaaa'), articleRecord('../../etc'), { title: 'no id' }, null, 'text'],
    });
    const source = await fetch();
    expect(source.stats).toMatchObject({ listed: 5, published: 1 });
    expect(source.problems.map(({ code }) => code)).toEqual([
      'ID_INVALID',
      'ID_INVALID',
      'ID_INVALID',
      'ID_INVALID',
    ]);
  });

  test('stops the run when it may be capped', async () => {
    const { fetch } = await startFetching({ articles: articleRecords(100) }, { ignoresSkip: true });
    expect((await errorOf(fetch())).code).toBe('LISTING_INCOMPLETE');
  });

  test('gives one spelling to a language that is spelled in several ways', async () => {
    const german = (language_code: string) => [
      { language_code, title: 'Titel', body: `Text ${language_code}` },
    ];
    const { fetch } = await startFetching({
      articles: [
        articleRecord('aaaaaaaaaa', { multilingual: german('de-at') }),
        articleRecord('bbbbbbbbbb', { multilingual: german('de-AT') }),
        articleRecord('cccccccccc', { multilingual: german('de-AT') }),
      ],
    });
    const source = await fetch();
    expect(source.stats.languages).toEqual({ 'de-AT': 3, en: 3 });
    expect((await source.readBodies('aaaaaaaaaa')).get('de-AT')).toBe('Text de-at');
    expect(source.problems).toMatchObject([{ code: 'LANGUAGE_NORMALISED', language: 'de-AT' }]);
  });
});

describe('extreme sizes', () => {
  test('half a character in a body is replaced, and the rest is read', async () => {
    const { fetch } = await startFetching({
      articles: [articleRecord('aaaaaaaaaa', { body: 'half \ud83d body' })],
    });
    expect((await (await fetch()).readBodies('aaaaaaaaaa')).get('en')).toBe('half \ufffd body');
  });

  test('a body of 50 MB is read', async () => {
    const body = `<p>${'ü'.repeat(25 * 1024 * 1024)}</p>`;
    const { fetch } = await startFetching({ articles: [articleRecord('aaaaaaaaaa', { body })] });
    const source = await fetch();
    expect(((await source.readBodies('aaaaaaaaaa')).get('en') ?? '') === body).toBe(true);
  });

  test('a thousand languages on one article are read', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    // Old tags such as iw are another spelling of a language, so they are not counted separately.
    const tags = [...letters]
      .flatMap((a) => [...letters].flatMap((b) => [`${a}${b}`, `${a}${b}-US`]))
      .filter((tag) => Intl.getCanonicalLocales(tag)[0] === tag)
      .slice(0, 1000);
    const multilingual = tags.map((tag) => ({ language_code: tag, title: tag, body: `Body ${tag}` }));
    const { fetch } = await startFetching({ articles: [articleRecord('aaaaaaaaaa', { multilingual })] });
    const source = await fetch();
    expect(source.knowledgeBase.articles[0]?.translations).toHaveLength(1000);
    expect((await source.readBodies('aaaaaaaaaa')).get('zz-US') ?? 'none').toBe(
      tags.includes('zz-US') ? 'Body zz-US' : 'none',
    );
  });

  test('ten thousand articles of one byte are read', async () => {
    const articles = Array.from({ length: 10_007 }, (_, index) =>
      articleRecord(articleId(index), { body: 'x' }),
    );
    const { fetch } = await startFetching({ articles });
    const source = await fetch();
    expect(source.stats).toMatchObject({ published: 10_007, bodyBytes: 10_007 });
  });
});
