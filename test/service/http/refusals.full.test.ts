import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../../src/core/net/rate-limit.ts';
import { createKey, revokeKey } from '../../../src/service/keys.ts';
import { startTestService } from '../support/service.ts';

describe('refusals', () => {
  it.each([
    ['PUT', '/article', 'GET, HEAD, POST'],
    ['POST', '/article/aaaaaaaaaa', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/category/aaaaaaaaaa', 'GET, HEAD, PATCH'],
    ['POST', '/search', 'GET, HEAD'],
    ['OPTIONS', '/stats/article', 'GET, HEAD'],
  ])('answers 405 with Allow to %s %s', async (method, path, allow) => {
    const service = await startTestService();
    const answer = await service.call(path, { method });
    expect([answer.status, answer.headers.allow, answer.json.error.code]).toEqual([
      405,
      allow,
      'method_not_allowed',
    ]);
  });

  it('answers 413 to a body that is too large', async () => {
    const service = await startTestService({ maxBodyBytes: 1000 });
    const answer = await service.call('/article', { method: 'POST', body: { title: 'x'.repeat(1000) } });
    expect([answer.status, answer.json.error.code]).toEqual([413, 'body_too_large']);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
    'answers 415 to %s',
    async (type) => {
      const service = await startTestService();
      const answer = await service.call('/article', {
        method: 'POST',
        body: 'title=x',
        headers: { 'content-type': type },
      });
      expect([answer.status, answer.json.error.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it.each([
    ['cut JSON', '{"title":', 'invalid_body', 'The request body is not JSON.'],
    ['a list', '[]', 'invalid_body', 'The request body must be a JSON object.'],
    ['text', '"x"', 'invalid_body', 'The request body must be a JSON object.'],
    ['nothing', '', 'missing_parameter', 'The required field title is missing.'],
    ['no title', '{}', 'missing_parameter', 'The required field title is missing.'],
    ['a wrong type', '{"title":1}', 'invalid_field', 'The field title must be a string.'],
    ['an unknown field', '{"title":"x","tgas":[]}', 'unknown_field', 'There is no field tgas.'],
    [
      'a translation without language',
      '{"title":"x","multilingual":[{"title":"y"}]}',
      'missing_parameter',
      'The required field multilingual.0.language_code is missing.',
    ],
    [
      'a poisoned prototype',
      '{"title":"x","__proto__":{"a":1}}',
      'invalid_body',
      'The request body is not JSON.',
    ],
  ])('answers 400 to a body that is %s', async (_what, body, code, message) => {
    const service = await startTestService();
    const answer = await service.call('/article', { method: 'POST', body });
    expect([answer.status, answer.json]).toEqual([400, { error: { code, message } }]);
  });

  it.each([
    ['/article?limit=0', 'limit'],
    ['/article?limit=-1', 'limit'],
    ['/article?include_body=perhaps', 'include_body'],
    ['/article?updated_at_before=yesterday', 'updated_at_before'],
    ['/article?status=open', 'status'],
    ['/article?tag=a&tag=b', 'tag'],
    ['/search?query=x&limit=101', 'limit'],
    ['/search?query=', 'query'],
    ['/stats/article?start_date=2026-02-30', 'start_date'],
    ['/stats/article?start_date=2026-02-02&end_date=2026-02-01', 'start_date'],
  ])('answers 400 to %s and names the parameter', async (path, name) => {
    const service = await startTestService();
    const answer = await service.call(path);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_parameter']);
    expect(answer.json.error.message).toContain(name);
  });

  it('answers 400 to times whose year in UTC would have a sign, and to those that no later change could follow', async () => {
    const service = await startTestService();
    for (const time of [
      '9999-12-31T23:59:59-01:00',
      '9999-12-31T23:59:59.999Z',
      '0000-01-01T00:00:00+14:00',
    ]) {
      const body = { title: 'x', updated_at: time };
      const answer = await service.call('/article', { method: 'POST', body });
      const message = 'The field updated_at must be in the years 0 to 9998.';
      expect([answer.status, answer.json.error?.message]).toEqual([400, message]);
    }
    const query = await service.call('/article?updated_at_after=9999-12-31');
    expect([query.status, query.json.error?.code]).toEqual([400, 'invalid_parameter']);
  });

  it('answers 409 to a new record with an id that is taken', async () => {
    const service = await startTestService();
    const article = { method: 'POST', body: { title: 'x', article_id: 'aaaaaaaaaa' } };
    expect((await service.call('/article', article)).status).toBe(200);
    expect((await service.call('/article', article)).json.error.code).toBe('id_taken');
    const category = { method: 'POST', body: { title: 'x', category_id: 'c' } };
    expect((await service.call('/category', category)).status).toBe(200);
    expect((await service.call('/category', category)).status).toBe(409);
  });

  it('answers an invalid URL and an endless one as JSON', async () => {
    const service = await startTestService();
    expect((await service.call('/%zz')).json.error.code).toBe('bad_request');
    expect((await service.call(`/article/${'a'.repeat(5000)}`)).json.error.code).toBe('not_found');
  });

  it.each([
    ['bytes that are no UTF-8', {}, Buffer.from('{"title":"caf\xe9"}', 'latin1'), 400, 'invalid_body'],
    ['another charset', { 'content-type': 'application/json; charset=iso-8859-1' }, '{}', 415, undefined],
    ['a content encoding', { 'content-encoding': 'gzip' }, '{}', 415, undefined],
  ])('refuses a body with %s', async (_what, headers, body, status, code = 'unsupported_media_type') => {
    const service = await startTestService();
    const answer = await service.call('/article', { method: 'POST', body, headers });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  it.each([
    'article?category_id=',
    'article?tag=',
    'article?permission_group_id=',
    'stats/article?category_id=',
  ])('refuses the empty filter of %s', async (path) => {
    const answer = await (await startTestService()).call(`/${path}`);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_parameter']);
  });

  it('takes a whole URL for a target, as clients send to proxies, and logs no key of it', async () => {
    const log: string[] = [];
    const service = await startTestService({ logTo: { write: (line) => void log.push(line) } });
    const { port, origin } = new URL(service.baseUrl);
    const ask = async (target: string) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), ca: service.ca ?? undefined });
      socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      return (await text(socket)).split('\r\n\r\n').at(-1);
    };
    expect(await ask(`${origin}/healthz`)).toBe('{"status":"ok"}');
    expect(await ask(`${origin}/v1/category?key=${service.apiKey}`)).toBe('{"categories":[]}');
    expect(await ask(origin)).toContain('missing_key');
    await expect.poll(() => log.join('')).toContain('"path":"/v1/category"');
    expect(log.join('')).not.toContain(service.apiKey);
  });

  it('finds nothing by NUL, which no record contains', async () => {
    const service = await startTestService();
    for (const path of ['article?tag=%00', 'article?category_id=a%00', 'article?permission_group_id=%00']) {
      expect((await service.call(`/${path}`)).json).toEqual({ articles: [] });
    }
    expect((await service.call('/stats/article?category_id=%00')).json).toEqual({ top_articles: [] });
    for (const path of ['/article/a%00', '/category/%00']) {
      const answer = await service.call(path);
      expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found']);
    }
    expect((await service.call('/stats/article/a%00', { method: 'POST' })).status).toBe(404);
    expect((await service.call('/article/a%00', { method: 'PATCH', body: {} })).status).toBe(404);
    expect((await service.call('/category?key=lk_a%00_b', { key: null })).status).toBe(401);
  });

  it('says that a parameter is given twice', async () => {
    const answer = await (await startTestService()).call('/article?limit=1&limit=2');
    expect([answer.status, answer.json.error]).toEqual([
      400,
      { code: 'invalid_parameter', message: 'The parameter limit must be given once.' },
    ]);
  });

  it('answers HEAD like GET, without the body', async () => {
    const service = await startTestService();
    for (const path of ['/category', '/article', '/article/aaaaaaaaaa']) {
      const [get, head] = [await service.call(path), await service.call(path, { method: 'HEAD' })];
      const of = ({ status, headers }: typeof get) => [status, headers['content-type'], headers.etag];
      expect(of(head)).toEqual(of(get));
      expect(head.text).toBe('');
    }
  });

  it('refuses a body that turns out too large while it arrives', async () => {
    const service = await startTestService({ maxBodyBytes: 1000 });
    const answer = await service.call('/article', {
      method: 'POST',
      body: { title: 'x'.repeat(1000) },
      headers: { 'transfer-encoding': 'chunked' },
    });
    expect([answer.status, answer.json.error.code]).toEqual([413, 'body_too_large']);
  });

  it('deletes without minding an empty body that is said to be JSON', async () => {
    const service = await startTestService();
    await service.call('/article', { method: 'POST', body: { title: 'x', article_id: 'aaaaaaaaaa' } });
    const answer = await service.call('/article/aaaaaaaaaa', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.json).toEqual({ success: true });
  });

  it('serves other requests while one sends its body byte by byte', async () => {
    const service = await startTestService();
    const slow = request(`${service.baseUrl}/article`, {
      method: 'POST',
      ca: service.ca ?? undefined,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    });
    slow.on('error', () => {});
    slow.write('{"title":');
    expect((await service.call('/article')).status).toBe(200);
    slow.destroy();
  });
});

describe('keys', () => {
  it('lets a read-only key read, and answers 401 when it is to write', async () => {
    const service = await startTestService();
    const { key } = await createKey(service.data, 'reader', 'read');
    expect((await service.call('/article', { key })).status).toBe(200);
    for (const call of [
      { method: 'POST', body: { title: 'x' } },
      { method: 'PATCH', body: {} },
      { method: 'DELETE' },
    ]) {
      const answer = await service.call(call.method === 'POST' ? '/article' : '/article/aaaaaaaaaa', {
        ...call,
        key,
      });
      expect([answer.status, answer.json.error.code]).toEqual([401, 'read_only_key']);
    }
  });

  it('lets a read-write key write, and refuses it as soon as it is revoked', async () => {
    const service = await startTestService();
    const data = service.data;
    const { key, keyId } = await createKey(data, 'writer', 'write');
    const create = { method: 'POST', body: { title: 'x' }, key };
    expect((await service.call('/article', create)).status).toBe(200);
    await revokeKey(data, keyId);
    expect((await service.call('/article', create)).json.error.code).toBe('invalid_key');
  });

  it('lets a counting key count views, also at the doubled path, and do nothing else', async () => {
    const service = await startTestService();
    const { key } = await createKey(service.data, 'website', 'count');
    const made = await service.call('/article', { method: 'POST', body: { title: 'x' } });
    const id = made.json.article.article_id;
    for (const path of [`/stats/article/${id}`, `/v1/stats/article/${id}`])
      expect((await service.call(path, { method: 'POST', body: {}, key })).status).toBe(200);
    for (const [method, path] of [
      ['GET', '/stats/article'],
      ['GET', `/stats/article/${id}`],
      ['POST', '/stats/article'],
      ['POST', `/stats/article/${id}/more`],
      ['POST', `/article?x=/stats/article/${id}`],
      ['PATCH', `/article/${id}`],
      ['DELETE', `/stats/article/${id}`],
      ['GET', '/article'],
      ['GET', '/openapi.json'],
    ] as const) {
      const answer = await service.call(path, { method, key, ...(/^P/.test(method) ? { body: {} } : {}) });
      expect([path, answer.status, answer.json.error.code]).toEqual([path, 401, 'count_only_key']);
    }
    for (const body of [{ count: 2 }, { date: '2020-01-01' }, [1]]) {
      const answer = await service.call(`/stats/article/${id}`, { method: 'POST', body, key });
      expect([answer.status, answer.json.error.code]).toEqual([401, 'count_only_key']);
    }
    const { key: reader } = await createKey(service.data, 'reader', 'read');
    const counting = { method: 'POST', body: {}, key: reader };
    expect((await service.call(`/stats/article/${id}`, counting)).json.error.code).toBe('read_only_key');
    expect((await service.call('/stats/article')).json.top_articles).toMatchObject([{ count: 2 }]);
  });

  it('lets no visitor use up the counting key of a site', async () => {
    const service = await startTestService({ requestsPerMinute: 20, clock: () => 0 });
    const { key } = await createKey(service.data, 'website', 'count');
    expect(key).toMatch(/^lc_/);
    const count = () => service.call('/stats/article/aaaaaaaaaa', { method: 'POST', key });
    for (const _ of [1, 2]) expect((await count()).status).toBe(404);
    expect((await count()).status).toBe(429);
  });

  it.each([
    ['each visitor whom a trusted proxy names', 1, '198.51.100.7', '198.51.100.8', 404],
    [
      'each visitor before the last trusted proxy',
      2,
      '198.51.100.7, 192.0.2.1',
      '198.51.100.8, 192.0.2.1',
      404,
    ],
    ['whoever is behind the proxy, whatever a visitor writes', 1, 'x, 192.0.2.1', 'y, 192.0.2.1', 429],
    ['the proxy if nothing is trusted', 0, '198.51.100.7', '198.51.100.8', 429],
    ['the proxy if it names nobody', 1, 'unknown', '', 429],
  ])('counts the views of %s', async (_who, trustProxy, visitor, other, status) => {
    const service = await startTestService({ requestsPerMinute: 20, clock: () => 0, trustProxy });
    const { key } = await createKey(service.data, 'website', 'count');
    const count = (name: string) =>
      service.call('/stats/article/aaaaaaaaaa', {
        method: 'POST',
        key,
        headers: { 'x-forwarded-for': name },
      });
    for (const _ of [1, 2]) expect((await count(visitor)).status).toBe(404);
    expect((await count(visitor)).status).toBe(429);
    expect((await count(other)).status).toBe(status);
  });

  it('takes the key of the query if a proxy adds the password of its own', async () => {
    const service = await startTestService();
    const call = (authorization: string) =>
      service.call(`/article?key=${service.apiKey}`, { key: null, headers: { authorization } });
    expect((await call('Basic dXNlcjpwYXNzd29yZA==')).status).toBe(200);
    expect((await call('Bearer wrong')).status).toBe(401);
    expect((await call('Bearer')).status).toBe(401);
  });

  it('takes no key that only begins like a valid one', async () => {
    const service = await startTestService();
    const { key } = await createKey(service.data, 'reader', 'read');
    for (const wrong of [
      key.slice(0, -1),
      `${key}x`,
      key.toLowerCase(),
      key.replace(/_.*_/, '_aaaaaaaaaa_'),
    ]) {
      expect((await service.call('/article', { key: wrong })).status).toBe(401);
    }
  });
});

describe('the rate limit', () => {
  it('answers 429 with Retry-After when a key asks too often, and lets it in again later', async () => {
    let now = Date.parse('2026-01-01');
    const service = await startTestService({ requestsPerMinute: 3, clock: () => now });
    for (const _ of [1, 2, 3]) expect((await service.call('/category')).status).toBe(200);
    const refused = await service.call('/category');
    expect([refused.status, refused.headers['retry-after'], refused.json.error.code]).toEqual([
      429,
      '20',
      'rate_limited',
    ]);
    now += 20_000;
    expect((await service.call('/category')).status).toBe(200);
  });

  it('also slows down who guesses keys, without locking out those who have one', async () => {
    const service = await startTestService({ requestsPerMinute: 2, clock: () => 0 });
    for (const _ of [1, 2]) expect((await service.call('/category', { key: 'guess' })).status).toBe(401);
    expect((await service.call('/category', { key: 'guess' })).status).toBe(429);
    expect((await service.call('/category')).status).toBe(200);
  });

  it('refills evenly, never above its size', () => {
    let now = 0;
    const rateLimit = createRateLimit(60, () => now);
    for (let request = 0; request < 60; request++) expect(rateLimit('a')).toBeNull();
    expect(rateLimit('a')).toBe(1);
    expect(rateLimit('b')).toBeNull();
    now += 1000;
    expect(rateLimit('a')).toBeNull();
    expect(rateLimit('a')).toBe(1);
    now += 3_600_000;
    for (let request = 0; request < 60; request++) expect(rateLimit('a')).toBeNull();
    expect(rateLimit('a')).toBe(1);
  });

  it('refuses no one because the system clock was set back', () => {
    let now = 3_600_000;
    const rateLimit = createRateLimit(1, () => now);
    expect(rateLimit('a')).toBeNull();
    now = 0;
    expect(rateLimit('a')).toBeNull();
    expect(rateLimit('a')).toBe(60);
  });

  it('keeps a bounded number of callers: who asks again is limited, and who is silent is forgotten', () => {
    const rateLimit = createRateLimit(1, () => 0);
    rateLimit('silent');
    rateLimit('busy');
    for (let caller = 0; caller < 40_000; caller += 1) {
      expect(rateLimit(`network ${caller}`)).toBeNull();
      if (caller % 5000 === 0) expect(rateLimit('busy')).toBe(60);
    }
    expect(rateLimit('busy')).toBe(60);
    expect(rateLimit('silent')).toBeNull();
  });
});
