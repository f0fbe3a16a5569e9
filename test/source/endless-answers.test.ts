import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startFetching } from './support/fetching.ts';
import { errorOf, serveTo } from './support/open-http.ts';
import { articleId, articleRecord } from './support/records.ts';

/** Sends pieces as long as the client takes them. */
function sendForever(response: ServerResponse, piece: (at: number) => string | Buffer): void {
  let at = 0;
  const send = (): void => {
    while (!response.destroyed && response.write(piece(at++))) {}
    if (!response.destroyed) response.once('drain', send);
  };
  send();
}

const someArticles = (at: number): string =>
  Array.from(
    { length: 100 },
    (_, index) => `${JSON.stringify(articleRecord(articleId(at * 100 + index)))},`,
  ).join('');

describe('an answer without end', () => {
  test('is given up at a number of bytes', async () => {
    const { get, server } = await serveTo(
      (_request, response) => sendForever(response, () => ' '.repeat(10_000)),
      {
        maxAnswerBytes: 100_000,
      },
    );
    expect(await errorOf(get())).toMatchInlineSnapshot(`
      {
        "code": "BAD_RESPONSE",
        "hint": "ask the service operator what the server sends; set source.listing to "paged" if the knowledge base is that large",
        "message": "GET https://localhost:PORT/v1/article: the answer is longer than 100000 bytes",
      }
    `);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['before the value', ''],
    ['between the articles', `{"articles":[${JSON.stringify(articleRecord(articleId(1)))},`],
    ['inside an article', '{"articles":[{'],
    ['after the value', '{"articles":[]}'],
  ])('of white space %s is given up after a megabyte', async (_where, start) => {
    let sent = 0;
    const answer = (response: ServerResponse): void => {
      response.write(start);
      sendForever(response, () => {
        sent += 1;
        return ' \r\n\t'.repeat(2500);
      });
    };
    const { fetch, answerWith } = await startFetching({ articles: [] });
    answerWith((_request, response) => answer(response));
    expect(await errorOf(fetch())).toMatchInlineSnapshot(`
      {
        "code": "BAD_RESPONSE",
        "hint": "ask the service operator what the server sends, and check for a proxy that sends white space while it waits",
        "message": "https://localhost:PORT/v1/article answered 200 with more than 1 MiB of white space",
      }
    `);
    const { get, server } = await serveTo((_request, response) => answer(response), {});
    expect(await errorOf(get())).toMatchObject({ code: 'BAD_RESPONSE' });
    expect(server.requests).toHaveLength(1);
    // What was on its way counts, too: far less than the default of `maxAnswerBytes`.
    expect(sent * 10_000).toBeLessThan(64 * 1024 * 1024);
  });

  test('that comes just fast enough is given up after a time', async () => {
    let clock = 0;
    const now = (): number => {
      clock += 30_000;
      return clock;
    };
    const { get } = await serveTo((_request, response) => sendForever(response, () => '1'.repeat(10_000)), {
      ports: { now, sleep: async () => {}, random: () => 0 },
    });
    expect(await errorOf(get())).toMatchObject({
      code: 'BAD_RESPONSE',
      message: expect.stringContaining('has not ended after 3600 s'),
    });
  });
});

describe('a list without end', () => {
  test('in one answer is given up at a number of articles', async () => {
    const { fetch, settings, answerWith } = await startFetching({ articles: [] });
    answerWith((_request, response) => {
      response.write('{"articles":[');
      sendForever(response, someArticles);
    });
    const network = { ...settings.network, maxArticles: 1000 };
    expect(await errorOf(fetch({ network }))).toMatchInlineSnapshot(`
      {
        "code": "LISTING_INCOMPLETE",
        "hint": "ask the service operator what the server sends",
        "message": "the server lists more than 1000 articles",
      }
    `);
  });
});
