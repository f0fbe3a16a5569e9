import { describe, expect, it } from 'vitest';
import { callService, startTestService } from '../support/service.ts';

const startMs = Date.parse('2030-06-01T12:00:00Z');
const hourMs = 3_600_000;

/** A service with a clock that the test sets. */
async function startScheduled() {
  let nowMs = startMs;
  const { call, ...service } = await startTestService({ clock: () => nowMs });
  const create = async (fields: object) => {
    const body = { body: '<p>Maintenance window</p>', is_published: true, ...fields };
    const answer = await call('/article', { method: 'POST', body });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json.article;
  };
  const titles = async (path: string) =>
    (await call(path)).json.articles.map(({ title }: { title: string }) => title).sort();
  return {
    ...service,
    call,
    create,
    titles,
    setHours: (hours: number) => {
      nowMs = startMs + hours * hourMs;
    },
    /** The titles in the list of published articles, in search and on the source page. */
    shown: async () => ({
      list: await titles('/article?status=published'),
      search: await titles('/search?query=maintenance'),
      source: await titles('/source'),
    }),
  };
}

const everywhere = (...titles: string[]) => ({ list: titles, search: titles, source: titles });

describe('publish_at and unpublish_at', () => {
  it('show an article from the first time until the second in lists, search and source page', async () => {
    const { create, shown, titles, setHours } = await startScheduled();
    await create({ title: 'Always' });
    await create({
      title: 'Window',
      publish_at: '2030-06-01T15:00:00+02:00',
      unpublish_at: '2030-06-01T14:00:00Z',
    });
    expect(await shown()).toEqual(everywhere('Always'));
    expect(await titles('/article?status=draft')).toEqual(['Window']);
    expect(await titles('/article')).toEqual(['Always', 'Window']);
    expect(await titles('/search?query=maintenance&include_draft=true')).toEqual(['Always', 'Window']);
    setHours(1);
    expect(await shown()).toEqual(everywhere('Always', 'Window'));
    expect(await titles('/article?status=draft')).toEqual([]);
    setHours(2);
    expect(await shown()).toEqual(everywhere('Always'));
  });

  it('of a translation hide only this language', async () => {
    const { create, titles, setHours } = await startScheduled();
    const german = { language_code: 'de', title: 'Wartung', body: '<p>Fenster</p>' };
    await create({ title: 'Own', multilingual: [{ ...german, publish_at: '2030-06-01T13:00:00Z' }] });
    expect([await titles('/source'), await titles('/search?query=fenster')]).toEqual([['Own'], []]);
    setHours(1);
    expect(await titles('/source')).toEqual(['Own', 'Wartung']);
    expect(await titles('/search?query=fenster')).toEqual(['Wartung']);
  });

  it('change the ETag of lists when a time passes', async () => {
    const { create, call, setHours } = await startScheduled();
    await create({ title: 'Later', publish_at: '2030-06-01T13:00:00Z' });
    const { headers, json } = await call('/source');
    expect(json.articles).toEqual([]);
    const again = { headers: { 'if-none-match': String(headers.etag) } };
    expect((await call('/source', again)).status).toBe(304);
    setHours(1);
    const later = await call('/source', again);
    expect([later.status, later.json?.articles.length]).toEqual([200, 1]);
  });

  it('are stored in UTC, kept by other changes, and removed by null', async () => {
    const { create, call } = await startScheduled();
    const times = { publish_at: '2030-06-01T15:00:00+02:00', unpublish_at: '2031-01-01T00:00:00Z' };
    const multilingual = [{ language_code: 'de', title: 'Wartung', ...times }];
    const made = await create({ title: 'Window', ...times, multilingual });
    const stored = { publish_at: '2030-06-01T13:00:00.000Z', unpublish_at: '2031-01-01T00:00:00.000Z' };
    expect(made).toMatchObject({ ...stored, multilingual: [stored] });
    const change = (body: object) => call(`/article/${made.article_id}`, { method: 'PATCH', body });
    const german = { language_code: 'de', slug: 'w', unpublish_at: null };
    const changed = await change({ title: 'Other', publish_at: null, multilingual: [german] });
    expect(changed.json.article).toMatchObject({
      publish_at: null,
      unpublish_at: stored.unpublish_at,
      multilingual: [{ publish_at: stored.publish_at, unpublish_at: null }],
    });
    expect(changed.json.article).toEqual((await call(`/article/${made.article_id}`)).json.article);
  });

  it('are refused if they are no times, or contradict each other', async () => {
    const { call } = await startScheduled();
    for (const [fields, message] of [
      [{ publish_at: '2030-06-01T15:00:00' }, 'publish_at must be a time with a zone'],
      [{ unpublish_at: '2030-06-01' }, 'unpublish_at must be a time with a zone'],
      [{ publish_at: '2030-02-30T00:00:00Z' }, 'publish_at must be a time with a zone'],
      [{ publish_at: ' ' }, 'publish_at must be a time with a zone'],
      [{ publish_at: 1 }, 'publish_at'],
      [
        { publish_at: '2030-06-02T00:00:00Z', unpublish_at: '2030-06-02T00:00:00Z' },
        'unpublish_at must be later than publish_at, 2030-06-02T00:00:00.000Z',
      ],
      [
        {
          multilingual: [
            { language_code: 'de', publish_at: '2030-06-02T00:00:00Z', unpublish_at: '2030-06-01T00:00:00Z' },
          ],
        },
        'multilingual.de.unpublish_at must be later than publish_at',
      ],
    ] as const) {
      const answer = await call('/article', { method: 'POST', body: { title: 'Bad', ...fields } });
      expect([fields, answer.status, answer.json.error.code]).toEqual([fields, 400, 'invalid_field']);
      expect(answer.json.error.message).toContain(message);
    }
  });

  it('are refused if a change makes them contradict each other, and nothing changes', async () => {
    const service = await startScheduled();
    const made = await service.create({ title: 'Window', publish_at: '2030-06-02T00:00:00Z' });
    const path = `/article/${made.article_id}`;
    const body = { title: 'New', unpublish_at: '2030-06-01T00:00:00Z' };
    const refused = await callService(service, path, { method: 'PATCH', body });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid_field']);
    expect((await service.call(path)).json.article).toEqual(made);
  });
});
