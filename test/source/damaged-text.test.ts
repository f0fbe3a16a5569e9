import { describe, expect, test } from 'vitest';
import { startFetching } from './support/fetching.ts';
import { articleId, articleRecord } from './support/records.ts';
import type { Handler } from './support/test-server.ts';

/** Serves one sound and one damaged article, in these bytes. */
function serve(contentType: string, encoding: 'latin1' | 'utf8', isListWithBodies = true): Handler {
  return (request, response) => {
    const sound = articleRecord(articleId(0), { title: 'Sound' });
    const damaged = articleRecord(articleId(1), { title: 'Gr\u00fc\u00dfe' });
    const query = request.url ?? '';
    const isSingle = query.includes('/article/');
    const articles = query.includes('skip') ? [] : [sound, damaged];
    const value = isSingle
      ? { article: query.includes(articleId(1)) ? damaged : sound }
      : query.includes('/category')
        ? { categories: [{ category_id: 'c000000001', title: 'St\u00e4dte' }] }
        : { articles: isListWithBodies ? articles : articles.map(({ body: _body, ...rest }) => rest) };
    const status = query.includes('/stats') ? 404 : 200;
    response
      .writeHead(status, { 'content-type': contentType })
      .end(Buffer.from(JSON.stringify(value), encoding));
  };
}

async function problemsOf(handler: Handler): Promise<readonly string[]> {
  const { fetch, answerWith } = await startFetching({ articles: [] });
  answerWith(handler);
  const { problems } = await fetch();
  return problems.map(({ code, articleId: id, categoryId }) => `${code} ${id ?? categoryId}`).sort();
}

describe('text that is not UTF-8', () => {
  test.each(['application/json', 'application/json; charset=iso-8859-1', 'application/json; charset=utf-8'])(
    'and comes as %s is reported with each record it is in',
    async (contentType) => {
      expect(await problemsOf(serve(contentType, 'latin1'))).toEqual([
        `TEXT_DAMAGED ${articleId(1)}`,
        'TEXT_DAMAGED c000000001',
      ]);
    },
  );

  test('is reported if articles are read one by one', async () => {
    expect(await problemsOf(serve('application/json', 'latin1', false))).toContain(
      `TEXT_DAMAGED ${articleId(1)}`,
    );
  });

  test('is not seen in UTF-8 under another name', async () => {
    expect(await problemsOf(serve('application/json; charset=iso-8859-1', 'utf8'))).toEqual([]);
  });
});
