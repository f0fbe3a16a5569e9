import { describe, expect, it, onTestFinished } from 'vitest';
import { idOfZendesk, zendeskIdOf } from '../../src/core/zendesk-id.ts';
import { readKnowledgeBase } from '../../src/source/read-knowledge-base.ts';
import { openZendeskAdapter } from '../../src/source/zendesk/zendesk-adapter.ts';
import { fetchSettings } from './support/fetch-settings.ts';
import { messages } from './support/folder-source.ts';
import { errorOf } from './support/open-http.ts';
import { type Handler, sendJson, startServer } from './support/test-server.ts';
import { createZendesk, zendeskNumber } from './support/zendesk-server.ts';

const chain = zendeskNumber('chain');
const brakes = zendeskNumber('brakes');

/** A help centre whose answers a test may replace; `waits` are the waits between attempts. */
async function openZendesk(
  replace: (path: string, count: number) => unknown,
  apiKey = 'agent@example.com/token:secret',
) {
  const zendesk = createZendesk();
  zendesk.hold({
    chain: { title: 'Oil the chain', body: '<p>One drop.</p>', updated: '2026-01-02T00:00:00Z' },
    brakes: { title: 'Adjust the brakes', body: '<p>Turn.</p>', updated: '2026-01-02T00:00:00Z' },
  });
  const counts = new Map<string, number>();
  const handle: Handler = (request, response) => {
    const path = (request.url ?? '').replace('/api/v2/help_center', '').replace(/\?.*$/, '');
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const given = replace(path, count);
    if (given === undefined) return zendesk.handle(request, response);
    if (typeof given === 'number') {
      response.setHeader('retry-after', '7');
      return sendJson(response, { error: 'no' }, given);
    }
    return sendJson(response, given);
  };
  const server = await startServer(handle);
  onTestFinished(server.close);
  const waits: number[] = [];
  let clock = 0;
  const ports = {
    now: () => clock,
    sleep: async (ms: number) => {
      waits.push(ms);
      clock += ms;
    },
    random: () => 0,
  };
  const settings = await fetchSettings(server, { apiKey, ports, baseUrl: `${server.origin}/hc/en-us` });
  const adapter = openZendeskAdapter({ ...settings, hosts: ['https://help.example.com'] });
  onTestFinished(() => adapter.close());
  const read = async () => {
    const source = await readKnowledgeBase(adapter, { ...settings, maxDropPercent: 20 });
    onTestFinished(() => source.close());
    return source;
  };
  return { read, server, waits };
}

const asServed = () => undefined;

describe('Zendesk Guide, as it is documented', () => {
  it('has ids that lead back', () => {
    for (const number of [1, 61, 62, 360_001_234_567, Number.MAX_SAFE_INTEGER]) {
      expect(idOfZendesk(number)).toMatch(/^[A-Za-z0-9]{10}$/);
      expect(zendeskIdOf(idOfZendesk(number))).toBe(number);
    }
    expect(idOfZendesk(1)).not.toBe(idOfZendesk(2));
  });

  it('accepts an API token with the e-mail address of its owner, or an OAuth token', async () => {
    const token = await openZendesk(asServed);
    await token.read();
    expect(token.server.keys[0]).toBe(
      `Basic ${Buffer.from('agent@example.com/token:secret').toString('base64')}`,
    );
    const oauth = await openZendesk(asServed, 'oauth-token');
    await oauth.read();
    expect(oauth.server.keys[0]).toBe('Bearer oauth-token');
  });

  it('leads links of the help centre to our articles, and adds attachments', async () => {
    const body =
      `<a href="/hc/en-us/articles/${brakes}-Adjust#pads">a</a> <a href="https://help.example.com/hc/articles/${brakes}">b</a> ` +
      '<a href="/hc/en-us/sections/11-x">c</a> <a href="https://elsewhere.example/hc/en-us/articles/5">d</a> <img src="/hc/article_attachments/9/a.png" alt="">';
    const { read, server } = await openZendesk((path) => {
      if (path === `/articles/${chain}/translations`) {
        return {
          translations: [
            {
              locale: 'en',
              title: 'Oil',
              body,
              draft: false,
              html_url: `https://x/hc/en-us/articles/${chain}-Oil-it`,
            },
          ],
          next_page: null,
          count: 1,
        };
      }
      if (path !== `/articles/${chain}/attachments/block`) return undefined;
      return {
        article_attachments: [
          { content_url: 'https://x/hc/article_attachments/1/m.pdf', file_name: 'm.pdf' },
        ],
        next_page: null,
      };
    });
    const source = await read();
    const id = idOfZendesk(chain);
    const other = idOfZendesk(brakes);
    expect((await source.readBodies(id)).get('en')).toBe(
      `<a href="/article/${other}#pads">a</a> <a href="/article/${other}">b</a> <a href="/category/s11">c</a> ` +
        `<a href="https://elsewhere.example/hc/en-us/articles/5">d</a> <img src="${server.origin}/hc/article_attachments/9/a.png" alt="">` +
        '\n<ul><li><a href="https://x/hc/article_attachments/1/m.pdf">m.pdf</a></li></ul>',
    );
    const article = source.knowledgeBase.articles.find((one) => one.id === id);
    expect(article).toMatchObject({ tags: ['care'], translations: [{ slug: 'Oil-it' }] });
  });

  it.each([
    ['that is no boolean', { draft: 'no' }],
    ['that is missing', {}],
    ['beside a flag that is no boolean', { draft: false, hidden: 'x' }],
  ])('excludes an article with a draft flag %s', async (_what, flags) => {
    const { read } = await openZendesk((path) =>
      path === `/articles/${chain}/translations`
        ? {
            translations: [{ locale: 'en', title: 'TOPSECRET', body: 'TOPSECRET', ...flags }],
            next_page: null,
          }
        : undefined,
    );
    const { knowledgeBase } = await read();
    expect(knowledgeBase.excluded.get(idOfZendesk(chain))).toBe('visibility-unknown');
  });

  it.each([
    [
      'the list says that it is a draft in the language of a public translation',
      { draft: true, locale: 'en' },
    ],
    ['the list says that it is a draft, and names no language', { draft: true }],
    ['the list has a draft flag that is no boolean', { draft: 'x', locale: 'en' }],
  ])('excludes and reports an article if %s', async (_what, flags) => {
    const { read } = await openZendesk((path) =>
      path === '/articles'
        ? {
            articles: [
              { id: chain, user_segment_id: null, ...flags },
              { id: brakes, user_segment_id: null },
            ],
            next_page: null,
          }
        : undefined,
    );
    const { knowledgeBase, problems } = await read();
    expect(knowledgeBase.excluded.get(idOfZendesk(chain))).toBe('visibility-unknown');
    expect(
      problems.filter(({ code }) => code === 'VISIBILITY_UNKNOWN').map(({ articleId }) => articleId),
    ).toEqual([idOfZendesk(chain)]);
    expect(knowledgeBase.articles.map(({ id }) => id)).toEqual([idOfZendesk(brakes)]);
  });

  it('publishes an article whose draft is in another language than its public translation', async () => {
    const { read } = await openZendesk((path) => {
      if (path === '/articles')
        return {
          articles: [{ id: chain, user_segment_id: null, draft: true, locale: 'de' }],
          next_page: null,
        };
      if (path !== `/articles/${chain}/translations`) return undefined;
      const texts = { title: 'Oil', body: 'x' };
      return {
        translations: [
          { locale: 'en', ...texts, draft: false },
          { locale: 'de', ...texts, draft: true },
        ],
        next_page: null,
      };
    });
    const { knowledgeBase } = await read();
    expect(knowledgeBase.articles.map(({ id }) => id)).toEqual([idOfZendesk(chain)]);
  });

  it('skips and reports a translation without the documented fields, and an article that is gone', async () => {
    const { read } = await openZendesk((path) => {
      if (path === `/articles/${chain}/translations`) {
        return {
          translations: [{ locale: 'en', title: 'Oil', body: 'x', draft: false }, { title: 5 }],
          next_page: null,
        };
      }
      return path === `/articles/${brakes}/translations` ? 404 : undefined;
    });
    const source = await read();
    expect(source.knowledgeBase.excluded.get(idOfZendesk(brakes))).toBe('gone');
    expect(messages(source.problems)).toEqual([
      `ARTICLE_GONE: ${brakes} was listed but not found`,
      `FIELD_INVALID: a translation or attachment of ${chain} does not have the documented fields and was skipped`,
    ]);
  });

  it('waits as long as Retry-After asks, and asks again after 5xx', async () => {
    const { read, waits } = await openZendesk((path, count) =>
      path === '/articles' && count < 3 ? [429, 503][count - 1] : undefined,
    );
    expect((await read()).stats.published).toBe(2);
    expect(waits.slice(0, 2)).toEqual([7000, 7000]);
  });

  it.each([
    ['a cursor twice', { articles: [], meta: { has_more: true, after_cursor: 'x' } }, 'LISTING_INCOMPLETE'],
    ['no cursor', { articles: [], meta: { has_more: true } }, 'LISTING_INCOMPLETE'],
    ['no end', { articles: [] }, 'LISTING_INCOMPLETE'],
    ['fewer records than it counts', { articles: [], count: 5, next_page: null }, 'LISTING_INCOMPLETE'],
    ['another list', { records: [] }, 'LISTING_INCOMPLETE'],
    ['a refusal', 401, 'UNAUTHORIZED'],
    ['nothing at that address', 404, 'NOT_FOUND'],
  ])('refuses a list with %s', async (_what, answer, code) => {
    const { read } = await openZendesk((path) => (path === '/articles' ? answer : undefined));
    expect((await errorOf(read())).code).toBe(code);
  });
});
