import { describe, expect, it } from 'vitest';
import { chooseEncoding } from '../../../src/service/http/send-answer.ts';
import { clientOf } from '../../sync/support.ts';
import { startTestService } from '../support/service.ts';

const body = '<p>A sentence that is in this article many times.</p>\n'.repeat(200);

async function startWithArticles(count = 1) {
  const service = await startTestService({ requestsPerMinute: 0 });
  for (let number = 0; number < count; number += 1) {
    await service.call('/article', {
      method: 'POST',
      body: { article_id: `aaaaaaaaa${number}`, title: `Article ${number}`, body, is_published: true },
    });
  }
  return service;
}

describe('an answer', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['GZIP;q=1.0, br;q=0', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['gzip;q=0.2, identity', null],
    ['deflate, zstd', null],
    ['gzip;q=0', null],
    ['gzip;q=x', null],
    ['', null],
    [undefined, null],
  ])('to Accept-Encoding: %s has the content coding %s', (header, encoding) => {
    expect(chooseEncoding({ headers: header === undefined ? {} : { 'accept-encoding': header } })).toBe(
      encoding,
    );
  });

  it.each([
    ['a record', '/article/aaaaaaaaa0'],
    ['a list', '/article?include_body=true'],
    ['the source page', '/source'],
    ['the source page as text', '/source', 'text/plain'],
    ['a description of the service', '/openapi.json'],
  ])(
    'with %s is the same text in every coding, and shorter',
    async (_, path, accept = 'application/json') => {
      const { call } = await startWithArticles(3);
      const plain = await call(path, { headers: { accept } });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.headers.vary).toMatch(/accept-encoding$/);
      for (const encoding of ['br', 'gzip']) {
        const encoded = await call(path, { headers: { accept, 'accept-encoding': encoding } });
        expect(encoded.headers['content-encoding']).toBe(encoding);
        expect(encoded.headers['content-type']).toBe(plain.headers['content-type']);
        expect(encoded.headers.vary).toBe(plain.headers.vary);
        expect(encoded.text).toBe(plain.text);
        expect(encoded.sentBytes).toBeLessThan(plain.sentBytes / 2);
      }
    },
  );

  it('that is short, an error or empty is sent as it is', async () => {
    const { call } = await startTestService();
    const headers = { 'accept-encoding': 'br, gzip' };
    for (const path of ['/article', '/search?query=x', '/article/aaaaaaaaaa']) {
      const answer = await call(path, { headers });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.json).not.toBeNull();
    }
  });
});

describe('an ETag', () => {
  it.each(['/article/aaaaaaaaa0', '/article?include_body=true'])(
    'of %s names one content coding, and answers 304 to the requests that would get it',
    async (path) => {
      const { call } = await startWithArticles();
      const read = (accepted: string, known?: string) =>
        call(path, {
          headers: {
            'accept-encoding': accepted,
            ...(known === undefined ? {} : { 'if-none-match': known }),
          },
        });
      const tags = new Map<string, string>();
      for (const encoding of ['identity', 'br', 'gzip']) {
        const { etag = '' } = (await read(encoding)).headers;
        expect(etag).toMatch(/^"[\w.-]+"$/);
        expect([...tags.values()]).not.toContain(etag);
        tags.set(encoding, etag);
      }
      for (const [encoding, etag] of tags) {
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
          const same = await read(encoding, known);
          expect([same.status, same.headers.etag, same.text]).toEqual([304, etag, '']);
          expect(same.headers.vary).toMatch(/accept-encoding$/);
        }
      }
      // A copy that was made without a coding is current as well; one in a coding that is not accepted cannot be used.
      expect((await read('br', tags.get('identity'))).status).toBe(304);
      expect((await read('identity', tags.get('br'))).status).toBe(200);
      expect((await read('br', tags.get('gzip'))).status).toBe(200);
    },
  );

  it.each(['br', 'gzip', 'identity'])('that came with %s is one for If-Match', async (encoding) => {
    const { call } = await startWithArticles();
    const path = '/article/aaaaaaaaa0';
    const { etag = '' } = (await call(path, { headers: { 'accept-encoding': encoding } })).headers;
    const patch = (title: string) =>
      call(path, { method: 'PATCH', body: { title }, headers: { 'if-match': etag } });
    expect((await patch('Mine')).status).toBe(200);
    expect((await patch('Theirs')).status).toBe(412);
  });
});

it('Lectern reads and changes records with content codings on both ways', async () => {
  const service = await startWithArticles();
  const client = clientOf(service);
  const article = await client.readArticle('aaaaaaaaa0');
  expect(article.body).toBe(body);
  expect(client.etagOf(article)).toMatch(/\.br"$/);
  const condition = { ifMatch: client.etagOf(article) };
  await client.updateArticle('aaaaaaaaa0', { title: 'Mine' }, condition);
  await expect(client.updateArticle('aaaaaaaaa0', { title: 'Theirs' }, condition)).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(await client.listArticles({ include_body: true })).toMatchObject([{ title: 'Mine', body }]);
});
