import { describe, expect, test } from 'vitest';
import { readElements, readJson } from '../../src/core/net/read-json.ts';
import { errorOf, serveTo } from './support/open-http.ts';
import type { Handler } from './support/test-server.ts';

const record = {
  article_id: 'aaaaaaaaaa',
  title: 'Grüße "x" \\',
  body: '<p>😀</p>',
  is_published: true,
  is_private: false,
  sort_order: -1.5e3,
  category_id: null,
  tags: ['a', []],
  multilingual: [{ language_code: 'de', title: '\u0001' }],
};
const answer = Buffer.from(JSON.stringify(record));
const list = Buffer.from(JSON.stringify({ total: 12, articles: [record, 1] }));

/** Cuts the answer after 0, 1, 2 … bytes, and sends it whole after each. */
function cutEverywhere(whole: Buffer): Handler {
  let requests = 0;
  return (_request, response) => {
    const length = requests % 2 === 0 ? requests / 2 : whole.length;
    requests += 1;
    response.end(whole.subarray(0, length));
  };
}

describe('an answer that is cut off', () => {
  test('after whatever byte of a record is asked for again', async () => {
    const { get, server } = await serveTo(cutEverywhere(answer));
    for (let length = 0; length < answer.length; length += 1) expect(await get()).toEqual(record);
    expect(server.requests).toHaveLength(2 * answer.length);
  });

  test('after whatever byte of a list is asked for again', async () => {
    const { http, server } = await serveTo(cutEverywhere(list));
    for (let length = 0; length < list.length; length += 1) {
      const records = await http.request({ method: 'GET', path: '/article' }, async (response) => {
        const all: unknown[] = [];
        for await (const elements of readElements(response, 'articles')) all.push(...elements);
        return all;
      });
      expect(records).toEqual([record, 1]);
    }
    expect(server.requests).toHaveLength(2 * list.length);
  });

  test('each time is called cut, with the number of bytes that came', async () => {
    const { http, server } = await serveTo((_request, response) => void response.end('{"a":1'));
    const error = await errorOf(http.request({ method: 'GET', path: '/article/aaaaaaaaaa' }, readJson));
    expect(error).toMatchObject({
      code: 'BAD_RESPONSE',
      message: expect.stringContaining('6 bytes were read'),
    });
    expect(server.requests).toHaveLength(5);
  });
});

describe('an answer that is whole and no JSON', () => {
  test.each([
    '{"a":1}}',
    '{"a":01}',
    "{'a':1}",
    '{"a":1} {',
    '{"a":1}x',
    '{a:1}',
    '"a" "b"',
    '[1,]',
    'nothing,',
  ])('(%s) is not asked for again', async (text) => {
    const { get, server } = await serveTo((_request, response) => void response.end(text));
    expect(await errorOf(get())).toMatchObject({ code: 'BAD_RESPONSE' });
    expect(server.requests).toHaveLength(1);
  });
});
