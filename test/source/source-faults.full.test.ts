import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadPages } from '../../src/source/folder/plain/load-pages.ts';
import { scanFiles } from '../../src/source/folder/safe-files.ts';
import { readKnowledgeBase } from '../../src/source/read-knowledge-base.ts';
import { createMemoryFiles } from '../../src/source/snapshot/file-memory.ts';
import type { Source } from '../../src/source/source.ts';
import { openZendeskAdapter } from '../../src/source/zendesk/zendesk-adapter.ts';
import { makeTestCertificate } from '../support/certificate.ts';
import { makePipe } from '../support/make-pipe.ts';
import { type FetchOptions, fetchSettings } from './support/fetch-settings.ts';
import { fetchKnowledgeBase, readFolder } from './support/fetching.ts';
import { openFolderProject, outline } from './support/folder-source.ts';
import { serveKnowledgeBase } from './support/knowledge-base-server.ts';
import { errorOf } from './support/open-http.ts';
import { articleRecords } from './support/records.ts';
import { type Handler, sendJson, startServer } from './support/test-server.ts';
import { createZendesk, zendeskNumber } from './support/zendesk-server.ts';

/** A good source over the network, whose answers a test may replace. */
interface Remote {
  /** Its good answers, of so many articles. */
  serve(articles: number): Handler;
  /** Where its articles are listed. */
  readonly list: RegExp;
  /** What else it must be able to read; a fault there stops the run as well. */
  readonly others: readonly RegExp[];
  read(settings: Awaited<ReturnType<typeof fetchSettings>>): Promise<Source>;
  /** A list that never ends, and one that gives its first page again. */
  endless(url: URL): unknown;
  repeated(url: URL): unknown;
}

const titles = Array.from({ length: 10 }, (_, at) => `page${at}`);
const updated = '2026-01-02T00:00:00Z';

const remotes: Readonly<Record<string, Remote>> = {
  api: {
    serve: (count) => serveKnowledgeBase({ articles: articleRecords(count), categories: [] }),
    list: /^\/v1\/article/,
    others: [/^\/v1\/category/],
    read: (settings) =>
      fetchKnowledgeBase({ ...settings, network: { ...settings.network, fullReadBytes: 0 } }),
    endless: (url) => ({
      articles: articleRecords(100 + Number(url.searchParams.get('skip') ?? 0)).slice(-100),
    }),
    repeated: (url) => ({
      articles: articleRecords(10).slice(
        url.searchParams.has('limit') ? -Number(url.searchParams.get('limit')) : 0,
      ),
    }),
  },
  zendesk: {
    serve(count) {
      const zendesk = createZendesk();
      zendesk.hold(
        Object.fromEntries(titles.slice(0, count).map((title) => [title, { title, body: 'x', updated }])),
      );
      return zendesk.handle;
    },
    list: /help_center\/articles\?/,
    others: [/\/translations\?/, /\/sections\?/, /\/attachments/],
    async read(settings) {
      const adapter = openZendeskAdapter({
        ...settings,
        baseUrl: new URL(settings.baseUrl).origin,
        hosts: [],
      });
      onTestFinished(() => adapter.close());
      return readKnowledgeBase(adapter, { ...settings, maxDropPercent: 20 });
    },
    endless: (url) => {
      const page = Number(url.searchParams.get('page[after]') ?? 0);
      const articles = Array.from({ length: 100 }, (_, at) => ({ id: 1 + page * 100 + at }));
      return { articles, meta: { has_more: true, after_cursor: String(page + 1) } };
    },
    repeated: (url) => {
      const articles = titles.slice(0, 5).map((title) => ({ id: zendeskNumber(title) }));
      const isLast = url.searchParams.has('page[after]');
      return { articles, meta: { has_more: !isLast, after_cursor: isLast ? null : 'x' } };
    },
  },
};

interface Fault {
  readonly handler: Handler;
  readonly code: string;
  readonly network?: FetchOptions['network'];
}

const json = 'application/json';
const status = (code: number, code2: string, headers = {}): Fault => ({
  handler: (_request, response) => response.writeHead(code, { 'content-type': json, ...headers }).end('{}'),
  code: code2,
});
const text = (body: string, code: string): Fault => ({
  handler: (_request, response) => response.writeHead(200, { 'content-type': json }).end(body),
  code,
});

const compressed = (bytes: Buffer, code: string, encoding = 'gzip'): Fault => ({
  handler: (_request, response) =>
    response.writeHead(200, { 'content-type': json, 'content-encoding': encoding }).end(bytes),
  code,
});

/** What `test/fault-table.md` names for a service. */
const faults: Readonly<Record<string, Fault>> = {
  'refuses the key': status(401, 'UNAUTHORIZED'),
  'forbids the account': status(403, 'FORBIDDEN'),
  'is always busy': status(429, 'RATE_LIMITED'),
  'is always busy and says for how long': status(429, 'RATE_LIMITED', { 'retry-after': '3' }),
  'always fails (500)': status(500, 'SERVER_ERROR'),
  'always fails (502)': status(502, 'SERVER_ERROR'),
  'always fails (503)': status(503, 'SERVER_ERROR', { 'retry-after': 'Sun, 22 Nov 2026 12:00:00 GMT' }),
  'always fails (504)': status(504, 'SERVER_ERROR'),
  'redirects to another host': status(302, 'REDIRECT_REFUSED', { location: 'https://elsewhere.example/' }),
  'answers with a sign-in page': text('<html>Sign in</html>', 'BAD_RESPONSE'),
  'cuts its JSON off': text('{"articles":[{"id":1,', 'BAD_RESPONSE'),
  'sends nothing': text('', 'BAD_RESPONSE'),
  'has no such list': status(404, 'NOT_FOUND'),
  'refuses for another reason': status(418, 'REQUEST_REFUSED'),
  'redirects to http': status(302, 'REDIRECT_REFUSED', { location: 'http://localhost/' }),
  'redirects in a circle': {
    handler: (request, response) => response.writeHead(302, { location: request.url }).end(),
    code: 'REDIRECT_REFUSED',
  },
  'sends no HTTP': { handler: (request) => request.socket.end('not HTTP\r\n\r\n'), code: 'BAD_RESPONSE' },
  'sends less than it announces': {
    handler: (request, response) => {
      response.writeHead(200, { 'content-type': json, 'content-length': 1000 }).write('{"articles":[');
      setImmediate(() => request.socket.destroy());
    },
    code: 'CONNECTION_FAILED',
  },
  'sends chunks that are none': {
    handler: (request) =>
      request.socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
    code: 'BAD_RESPONSE',
  },
  'cuts its compressed answer': compressed(gzipSync('{"articles":[]}').subarray(0, 20), 'CONNECTION_FAILED'),
  'sends a decompression bomb': compressed(gzipSync(`["${'x'.repeat(80 * 1024 * 1024)}`), 'BAD_RESPONSE'),
  'sends an encoding that was not asked for': compressed(Buffer.from('x'), 'BAD_RESPONSE', 'zstd'),
  'sends blanks without an end': {
    ...text(' '.repeat(200_000), 'BAD_RESPONSE'),
    network: { maxAnswerBytes: 100_000 },
  },
  'drips although every byte comes in time': {
    handler: (_request, response) => {
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    },
    code: 'TIMEOUT',
    network: { bodyTimeoutMs: 100 },
  },
  'sends broken JSON': text('{"articles":[{,}]}', 'BAD_RESPONSE'),
  'hangs up': { handler: (request) => request.socket.destroy(), code: 'CONNECTION_FAILED' },
  'hangs before it answers': { handler: () => {}, code: 'TIMEOUT', network: { headersTimeoutMs: 100 } },
  'hangs within its answer': {
    handler: (_request, response) => response.writeHead(200, { 'content-type': json }).write('{"articles":['),
    code: 'TIMEOUT',
    network: { bodyTimeoutMs: 100 },
  },
};

/** Reads ten articles, and then the articles that remain after a fault. */
async function openRemote(remote: Remote) {
  let fault: { readonly at: RegExp; readonly handler: Handler } | null = null;
  let serve = remote.serve(10);
  const server = await startServer((request, response) =>
    (fault?.at.test(request.url ?? '') ? fault.handler : serve)(request, response),
  );
  onTestFinished(server.close);
  const settings = await fetchSettings(server);
  const read = async (network: FetchOptions['network'] = {}) => {
    const source = await remote.read({ ...settings, network: { ...settings.network, ...network } });
    await source.close();
    return source;
  };
  expect((await read()).stats.published).toBe(10);
  const before = await readFolder(settings.cache);
  return {
    settings,
    server,
    read,
    fail(at: RegExp, handler: Handler) {
      fault = { at, handler };
    },
    hold(count: number) {
      serve = remote.serve(count);
    },
    async expectFailure(code: string | readonly string[], network: FetchOptions['network'] = {}) {
      const error = await errorOf(read(network));
      expect([code].flat()).toContain(error.code);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(settings.apiKey);
      expect(await readFolder(settings.cache)).toEqual(before);
    },
  };
}

describe.each(Object.entries(remotes))('a source over the network (%s) that', (_kind, remote) => {
  it.each(Object.entries(faults))('%s fails, and the last snapshot is unchanged', async (_name, fault) => {
    const { fail, expectFailure } = await openRemote(remote);
    fail(remote.list, fault.handler);
    await expectFailure(fault.code, fault.network);
  });

  it('fails in any other list fails as a whole', async () => {
    const { fail, expectFailure } = await openRemote(remote);
    for (const at of remote.others) {
      for (const name of ['refuses the key', 'always fails (500)', 'cuts its JSON off']) {
        const { handler, code } = faults[name] as Fault;
        fail(at, handler);
        await expectFailure(code);
      }
    }
  });

  it('is busy or breaks once is read anyway', async () => {
    for (const handler of [
      status(429, '', { 'retry-after': '1' }).handler,
      status(503, '').handler,
      faults['hangs up']?.handler,
    ]) {
      const { fail, read } = await openRemote(remote);
      const good = remote.serve(10);
      let count = 0;
      fail(remote.list, (request, response) => {
        count += 1;
        (count === 1 && handler !== undefined ? handler : good)(request, response);
      });
      expect((await read()).stats.published).toBe(10);
    }
  });

  it('redirects within its origin, or names another content type, is read all the same', async () => {
    const { fail, read } = await openRemote(remote);
    const good = remote.serve(10);
    fail(remote.list, (request, response) => {
      const url = request.url ?? '';
      if (!url.includes('moved=')) {
        const location = `${url}${url.includes('?') ? '&' : '?'}moved=1`;
        return response.writeHead(302, { location }).end();
      }
      const writeHead = response.writeHead.bind(response);
      response.writeHead = ((code: number) => writeHead(code, { 'content-type': 'text/html' })) as never;
      return good(request, response);
    });
    expect((await read()).stats.published).toBe(10);
  });

  it('sends bytes that are not UTF-8 is reported with each record they are in', async () => {
    const { fail, read } = await openRemote(remote);
    const good = remote.serve(10);
    fail(/./, (request, response) => {
      const end = response.end.bind(response);
      response.end = ((body: unknown) =>
        end(
          Buffer.from(
            String(body).replaceAll(/"x"|Title of/g, (text) => text.replace(/x|T/, '\u00e9')),
            'latin1',
          ),
        )) as never;
      return good(request, response);
    });
    const { problems, stats } = await read();
    expect(stats.published).toBe(10);
    const damaged = problems.filter(({ code }) => code === 'TEXT_DAMAGED');
    expect(new Set(damaged.map(({ articleId }) => articleId)).size).toBe(10);
  });

  it('sends values of other types fails or omits them', async () => {
    const { fail, expectFailure } = await openRemote(remote);
    for (const answer of [{ articles: {} }, { articles: null }, { error: 'maintenance' }, [], 'x', null]) {
      fail(remote.list, (_request, response) => sendJson(response, answer));
      await expectFailure(['BAD_RESPONSE', 'LISTING_INCOMPLETE', 'NOTHING_TO_PUBLISH']);
    }
    // Records that are none are no articles, so that all of them seem gone.
    fail(remote.list, (_request, response) =>
      sendJson(response, { articles: [5, null, { id: 'x', article_id: 7 }], meta: { has_more: false } }),
    );
    await expectFailure(['NOTHING_TO_PUBLISH', 'MASS_DELETE', 'NOTHING_TO_PUBLISH']);
  });

  it('lists without an end, or the same page again, fails', async () => {
    const { fail, expectFailure, server } = await openRemote(remote);
    const answer =
      (give: Remote['endless']): Handler =>
      (request, response) =>
        sendJson(response, give(new URL(request.url ?? '/', server.origin)));
    fail(remote.list, answer(remote.endless));
    await expectFailure(['LISTING_INCOMPLETE'], { maxArticles: 1000, listing: 'paged' });
    fail(remote.list, answer(remote.repeated));
    await expectFailure(['LISTING_INCOMPLETE', 'LISTING_INCOMPLETE'], { listing: 'paged', pageSize: 5 });
  });

  it('lists only a part, or nothing, deletes nothing', async () => {
    const { hold, expectFailure } = await openRemote(remote);
    hold(5);
    await expectFailure('MASS_DELETE');
    hold(0);
    await expectFailure('NOTHING_TO_PUBLISH');
  });

  it.each([
    ['that has expired', { fromDay: -9, toDay: -1 }, 'TLS_FAILED'],
    ['for another name', { names: ['elsewhere.example'] }, 'TLS_FAILED'],
  ])('has a certificate %s is refused', async (_what, options, code) => {
    const server = await startServer(remote.serve(10), await makeTestCertificate(options));
    onTestFinished(server.close);
    expect((await errorOf(remote.read(await fetchSettings(server)))).code).toBe(code);
    expect(server.requests).toEqual([]);
  });

  it('has a certificate of an unknown authority is refused', async () => {
    const server = await startServer(remote.serve(10), await makeTestCertificate());
    onTestFinished(server.close);
    const { ca } = await makeTestCertificate();
    const settings = await fetchSettings({ ...server, ca });
    expect((await errorOf(remote.read(settings))).code).toBe('TLS_FAILED');
  });
});

const pages = Object.fromEntries(titles.map((title) => [`${title}.md`, `# ${title}\n\nText.`]));

type Project = ReturnType<typeof openFolderProject>;

/** What happens to a folder of ten pages, and how reading it ends. */
const mishaps: Readonly<Record<string, readonly [act: (project: Project) => unknown, code: string]>> = {
  'that is gone': [({ root }) => rmSync(root, { recursive: true }), 'PATH_UNUSABLE'],
  'that is empty': [
    ({ root }) => {
      rmSync(root, { recursive: true });
      mkdirSync(root);
    },
    'NOTHING_TO_PUBLISH',
  ],
  'that lost a part': [
    ({ root }) => {
      for (const title of titles.slice(5)) rmSync(join(root, `${title}.md`));
    },
    'MASS_DELETE',
  ],
  'that a site generator publishes': [({ write }) => write({ 'hugo.toml': '' }), 'GENERATOR_PROJECT'],
  'of which many files cannot be read': [
    ({ write }) =>
      write({
        'page0.md': '---\ntitle: [\n---\nx',
        'page1.md': Buffer.from('caf\xe9', 'latin1'),
        'page2.md': Buffer.alloc(17 * 1024 * 1024, 'x'),
      }),
    'MASS_DELETE',
  ],
};

describe('a folder', () => {
  it.each(Object.entries(mishaps))(
    '%s is refused, and the last snapshot is as it was',
    async (_name, [act, code]) => {
      const project = openFolderProject(pages);
      await project.read();
      const before = await readFolder(join(project.base, 'cache'));
      act(project);
      expect((await errorOf(project.read())).code).toBe(code);
      expect(await readFolder(join(project.base, 'cache'))).toEqual(before);
    },
  );

  it('with a file that vanishes while it is read is refused', () => {
    const project = openFolderProject(pages);
    const scanned = scanFiles(project.root, []);
    rmSync(join(project.root, 'page3.md'));
    const settings = {
      base: project.base,
      root: project.root,
      layout: 'plain',
      locales: null,
      math: false,
      defaultLanguage: 'en',
      ignored: [],
      nowMs: 0,
      suffixes: new Set<string>(),
      markdown: async () => '',
    } as const;
    expect(() => loadPages(settings, scanned, createMemoryFiles()(0), false)).toThrow(
      expect.objectContaining({ code: 'PATH_UNUSABLE' }),
    );
  });

  it('whose pages become links or pipes reads none of them, and reports each', async () => {
    const project = openFolderProject(pages);
    await project.read();
    writeFileSync(join(project.base, 'outside.md'), '# TOPSECRET');
    rmSync(join(project.root, 'page0.md'));
    symlinkSync('../outside.md', join(project.root, 'page0.md'));
    rmSync(join(project.root, 'page1.md'));
    await makePipe(join(project.root, 'page1.md'));
    const source = await project.read();
    expect(source.stats.published).toBe(8);
    expect(source.problems.map(({ code }) => code)).toEqual(['FILE_IGNORED', 'FILE_IGNORED']);
  });

  it('keeps pages apart whose names differ in their case', async () => {
    const project = openFolderProject({ 'Page.md': '# One\n\nx', 'page.md': '# Two\n\nx' });
    expect(outline(project, await project.read())).toEqual({
      'Page.md': 'en: One (Page)',
      'page.md': 'en: Two (page)',
    });
  });
});
