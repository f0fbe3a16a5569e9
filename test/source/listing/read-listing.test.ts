import { describe, expect, test } from 'vitest';
import { type ListingSettings, readListing } from '../../../src/source/read-listing.ts';
import { type ServerQuirks, serveKnowledgeBase } from '../support/knowledge-base-server.ts';
import { errorOf, serveTo } from '../support/open-http.ts';
import { articleId, articleRecord, articleRecords } from '../support/records.ts';
import { type Handler, sendJson } from '../support/test-server.ts';

/** Reads a list from a server; gives the ids taken since the last restart. */
async function list(handle: Handler, settings: Partial<ListingSettings> = {}) {
  const { http, server } = await serveTo(handle);
  const taken: string[] = [];
  let restarts = 0;
  const sink = {
    async restart() {
      restarts += 1;
      taken.length = 0;
    },
    async take(record: unknown) {
      taken.push((record as { article_id: string }).article_id);
    },
  };
  await readListing(
    http,
    { listing: 'auto', pageSize: 100, includeBody: true, maxArticles: 1000, ...settings },
    sink,
  );
  return { taken, server, restarts };
}

function kb(count: number, quirks: ServerQuirks = {}): Handler {
  return serveKnowledgeBase({ articles: articleRecords(count) }, quirks);
}

const expected = (count: number): string[] => Array.from({ length: count }, (_, index) => articleId(index));

describe('a list of articles', () => {
  test.each([1, 50, 100, 237])(
    'of %d that comes whole is complete if nothing comes after it',
    async (count) => {
      const { taken, server } = await list(kb(count));
      expect(taken).toEqual(expected(count));
      expect(server.requests).toEqual([
        'GET /v1/article?include_body=true',
        `GET /v1/article?limit=1&skip=${count}`,
      ]);
    },
  );

  test.each([
    [250, 100],
    [250, 50],
    [300, 100],
    [101, 7],
  ])('of %d that a server caps at %d is read on in pages', async (count, cap) => {
    const { taken } = await list(kb(count, { cap }));
    expect(taken).toEqual(expected(count));
  });

  test('is never asked for with working_copy', async () => {
    const { server } = await list(kb(250, { cap: 100 }));
    expect(server.requests.join()).not.toContain('working_copy');
  });

  test('may be an array alone', async () => {
    expect((await list(kb(3, { bareArray: true }))).taken).toEqual(expected(3));
  });

  test('may be empty', async () => {
    expect((await list(kb(0))).taken).toEqual([]);
  });

  test('is accepted as complete from a server without skip, when its length is no usual limit', async () => {
    expect((await list(kb(123, { ignoresSkip: true }))).taken).toHaveLength(123);
    expect((await list(kb(123, { ignoresSkip: true, ignoresLimit: true }))).taken).toHaveLength(123);
  });

  test.each([50, 100, 250, 1000])('of exactly %d from a server without skip stops the run', async (count) => {
    await expect(list(kb(count, { ignoresSkip: true }))).rejects.toMatchObject({
      code: 'LISTING_INCOMPLETE',
    });
  });

  test('of exactly 100 fails with a hint', async () => {
    expect(await errorOf(list(kb(100, { ignoresSkip: true })))).toMatchInlineSnapshot(`
      {
        "code": "LISTING_INCOMPLETE",
        "hint": "set source.listing to "whole" if these are all articles, or to "paged" if the server supports limit and skip",
        "message": "the server lists exactly 100 articles and does not say whether there are more",
      }
    `);
  });

  test('of exactly 100 is accepted if the configuration declares it complete', async () => {
    const { taken, server } = await list(kb(100, { ignoresSkip: true }), { listing: 'whole' });
    expect(taken).toHaveLength(100);
    expect(server.requests).toHaveLength(1);
  });

  test('from a server that refuses limit and skip is classified by its length', async () => {
    const refusing = (count: number): Handler => {
      const serve = kb(count);
      return (request, response) =>
        request.url?.includes('skip') ? sendJson(response, {}, 400) : serve(request, response);
    };
    expect((await list(refusing(7))).taken).toHaveLength(7);
    await expect(list(refusing(200))).rejects.toMatchObject({ code: 'LISTING_INCOMPLETE' });
  });

  test.each([
    [204, 100],
    [416, 100],
    [204, 7],
  ])(
    'is complete if a server says with %d that nothing comes after its %d articles',
    async (status, count) => {
      const serve = kb(count);
      const ending: Handler = (request, response) =>
        request.url?.includes('skip') ? response.writeHead(status).end() : serve(request, response);
      expect((await list(ending)).taken).toHaveLength(count);
    },
  );

  test('is empty if a server has no content for it', async () => {
    expect((await list((_request, response) => response.writeHead(204).end())).taken).toEqual([]);
  });

  test('is read in pages from the start if configured', async () => {
    const { taken, server } = await list(kb(25), { listing: 'paged', pageSize: 10 });
    expect(taken).toEqual(expected(25));
    expect(server.requests).toEqual([
      'GET /v1/article?include_body=true&limit=10&skip=0',
      'GET /v1/article?include_body=true&limit=10&skip=9',
      'GET /v1/article?include_body=true&limit=10&skip=18',
      'GET /v1/article?include_body=true&limit=10&skip=24',
    ]);
  });

  test('in pages from a server that ignores limit stops the run', async () => {
    await expect(
      list(kb(25, { ignoresLimit: true }), { listing: 'paged', pageSize: 10 }),
    ).rejects.toMatchObject({
      code: 'LISTING_INCOMPLETE',
    });
  });

  test('in pages from a server that ignores skip stops the run', async () => {
    await expect(
      list(kb(25, { ignoresSkip: true }), { listing: 'paged', pageSize: 10 }),
    ).rejects.toMatchObject({
      code: 'LISTING_INCOMPLETE',
    });
  });

  test('that contains a record twice is still complete', async () => {
    const articles = [...articleRecords(12), articleRecord(articleId(3))];
    const whole = await list(serveKnowledgeBase({ articles }));
    const paged = await list(serveKnowledgeBase({ articles }), { listing: 'paged', pageSize: 5 });
    expect(whole.taken).toEqual([...expected(12), articleId(3)]);
    expect(paged.taken).toEqual(whole.taken);
  });
});

describe('a list that moves while it is read in pages', () => {
  /** Changes the list after so many requests, and again after so many, … */
  function moving(changeAfter: readonly number[], change: (articles: unknown[]) => void): Handler {
    const served = { articles: articleRecords(30) as unknown[] };
    const serve = serveKnowledgeBase(served);
    let requests = 0;
    return (request, response) => {
      serve(request, response);
      requests += 1;
      if (changeAfter.includes(requests)) change(served.articles);
    };
  }

  const paged = { listing: 'paged', pageSize: 10 } as const;

  test('because an article was deleted is read again from the start', async () => {
    const { taken, restarts } = await list(
      moving([2], (articles) => articles.shift()),
      paged,
    );
    expect(taken).toEqual(expected(30).slice(1));
    expect(restarts).toBe(2);
  });

  test('because an article was added at its beginning is read again from the start', async () => {
    const { taken } = await list(
      moving([2], (articles) => articles.unshift(articleRecord('newarticle'))),
      paged,
    );
    expect(taken).toEqual(['newarticle', ...expected(30)]);
  });

  test('but grows at its end is read to its new end', async () => {
    const { taken, restarts } = await list(
      moving([2], (articles) => articles.push(articleRecord('newarticle'))),
      paged,
    );
    expect(taken).toEqual([...expected(30), 'newarticle']);
    expect(restarts).toBe(1);
  });

  test('again and again stops the run', async () => {
    const everyTime = Array.from({ length: 100 }, (_, index) => index);
    expect(
      await errorOf(
        list(
          moving(everyTime, (articles) => articles.unshift(articles.pop())),
          paged,
        ),
      ),
    ).toMatchInlineSnapshot(`
      {
        "code": "LISTING_INCOMPLETE",
        "hint": "run again while no one edits; if the server ignores "skip" and sends everything, set source.listing to "whole"",
        "message": "the list of articles changed 3 times while it was read",
      }
    `);
  });
});

describe('a list whose connection breaks in the middle', () => {
  test('is read again from the start, without leftovers of the first half', async () => {
    let requests = 0;
    const serve = kb(5);
    const { taken, restarts } = await list((request, response) => {
      requests += 1;
      if (requests > 1) return serve(request, response);
      response.writeHead(200, { 'content-type': 'application/json' });
      const start = JSON.stringify({ articles: [articleRecord('halfway000'), articleRecord(articleId(0))] });
      response.write(start.slice(0, -10), () => setImmediate(() => response.socket?.destroy()));
    });
    expect(taken).toEqual(expected(5));
    expect(restarts).toBe(2);
  });
});
