import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

it.each([
  ['article', true],
  ['category', false],
])('an edit of an %s with If-Match never overwrites the edit of another', async (kind, canDelete) => {
  const service = await startTestService();
  const made = await service.call(`/${kind}`, { method: 'POST', body: { title: 'First' } });
  const path = `/${kind}/${made.json[kind][`${kind}_id`]}`;
  const read = await service.call(path);
  const { etag = '' } = read.headers;
  expect([made.headers.etag, etag]).toEqual([etag, expect.stringMatching(/^"[\w-]{43}"$/)]);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const same = await service.call(path, { headers: { 'if-none-match': known } });
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag]);
  }

  const patch = (title: string, expected: string) =>
    service.call(path, { method: 'PATCH', body: { title }, headers: { 'if-match': expected } });
  const mine = await patch('Mine', etag);
  expect([mine.status, mine.json[kind].title]).toEqual([200, 'Mine']);
  for (const stale of [etag, `W/${mine.headers.etag}`, '"x"']) {
    const theirs = await patch('Theirs', stale);
    expect([theirs.status, theirs.json.error.code]).toEqual([412, 'precondition_failed']);
  }
  expect((await service.call(path)).json[kind].title).toBe('Mine');
  expect((await service.call(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  expect((await patch('Any', '*')).status).toBe(200);
  expect(
    (await service.call(`/${kind}/zzzzzzzzzz`, { method: 'PATCH', body: {}, headers: { 'if-match': etag } }))
      .status,
  ).toBe(404);
  if (!canDelete) return;
  const remove = (expected: string) =>
    service.call(path, { method: 'DELETE', headers: { 'if-match': expected } });
  expect((await remove(etag)).status).toBe(412);
  expect((await remove((await service.call(path)).headers.etag ?? '')).status).toBe(200);
});

it('takes a star or a comma in an ETag for a part of it', async () => {
  const service = await startTestService();
  const made = await service.call('/article', { method: 'POST', body: { title: 'First' } });
  const path = `/article/${made.json.article.article_id}`;
  const headers = { 'if-match': '"a,*,b"' };
  expect((await service.call(path, { method: 'PATCH', body: { title: 'Second' }, headers })).status).toBe(
    412,
  );
  expect((await service.call(path, { headers })).status).toBe(412);
  expect((await service.call(path, { headers: { 'if-none-match': '"a,*,b"' } })).status).toBe(200);
});

it.each(['/article', '/category', '/source'])('GET %s honours If-Match', async (path) => {
  const service = await startTestService();
  const { etag = '' } = (await service.call(path)).headers;
  const read = async (expected: string) =>
    (await service.call(path, { headers: { 'if-match': expected } })).status;
  expect([await read(etag), await read(`"x", ${etag}`), await read('*'), await read('"x"')]).toEqual([
    200, 200, 200, 412,
  ]);
});

it('a read immediately shows what another process has written', async () => {
  const one = await startTestService();
  const other = await startTestService({ data: one.data });
  const path = '/article/aaaaaaaaaa';
  const made = { article_id: 'aaaaaaaaaa', updated_at: '2030-01-01T00:00:00Z' };
  await one.call('/article', { method: 'POST', body: { ...made, title: 'First' } });
  const tags = new Set<unknown>();
  const expectTitle = async (title: string) => {
    const { json, headers } = await one.call(path);
    expect(json.article.title).toBe(title);
    tags.add(headers.etag);
  };
  await expectTitle('First');
  await other.call(path, { method: 'PATCH', body: { title: 'Second' } });
  await expectTitle('Second');
  await other.call(path, { method: 'DELETE' });
  expect((await one.call(path)).status).toBe(404);
  await other.call('/article', { method: 'POST', body: { ...made, title: 'Third' } });
  await expectTitle('Third');
  await other.call(path, { method: 'DELETE' });
  await other.call('/article', { method: 'POST', body: { ...made, title: 'Fourth' } });
  await expectTitle('Fourth');
  expect(tags.size).toBe(4);
});
