import { readdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import { LecternError } from '../../src/core/errors.ts';
import { fetchSnapshot } from '../../src/pipeline/fetch-snapshot.ts';
import { build } from '../../src/pipeline/library-build.ts';
import { serveKnowledgeBase } from '../source/support/knowledge-base-server.ts';
import { type Handler, sendJson, startServer, type TestServer } from '../source/support/test-server.ts';
import { openFiles } from '../support/open-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const articles = Array.from({ length: 60 }, (_, index) => ({
  article_id: `article${String(index).padStart(3, '0')}`,
  title: `Article ${index}`,
  body: `<p>Text ${index}.</p>`,
  is_published: true,
  is_private: false,
}));

let folder: string;
let server: TestServer;
let handle: Handler;

beforeEach(async () => {
  folder = temporaryFolder();
  server = await startServer((request, response) => handle(request, response));
  await writeFile(join(folder, 'ca.pem'), server.ca);
});
afterEach(async () => {
  gate.release();
  await server.close();
});

const run = (signal?: AbortSignal) =>
  build(
    { baseUrl: server.baseUrl, tls: { ca: 'ca.pem' }, out: 'out' },
    { folder, apiKey: 'a-key-for-the-test', ...(signal === undefined ? {} : { signal }) },
  );

/** Part of a server that responds only after {@link release}. */
function createGate() {
  const waiting: (() => void)[] = [];
  return {
    hold: (answer: () => void) => void waiting.push(answer),
    size: () => waiting.length,
    release: () => {
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

const gate = createGate();

describe('a build that is aborted while it reads from a server', () => {
  const served = { articles };
  const answers = serveKnowledgeBase(served);
  const singly = serveKnowledgeBase(served, { ignoresIncludeBody: true });
  const half = (response: ServerResponse) => {
    const text = JSON.stringify({ articles });
    response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, text.length / 2));
    return () => response.end(text.slice(text.length / 2));
  };
  const cases: readonly (readonly [what: string, handle: Handler, held: number])[] = [
    ['in the middle of the listing', (_request, response) => gate.hold(half(response)), 1],
    ['before the listing', (request, response) => gate.hold(() => answers(request, response)), 1],
    [
      'in the middle of single reads',
      (request, response) => {
        const isSingle = /\/article\/article0[1-9]/.test(request.url ?? '');
        if (isSingle) gate.hold(() => singly(request, response));
        else singly(request, response);
      },
      4,
    ],
    [
      'while it waits to repeat a request',
      (_request, response) => {
        response.setHeader('retry-after', '300');
        sendJson(response, {}, 503);
        gate.hold(() => {});
      },
      1,
    ],
    [
      'while it reads the statistics',
      (request, response) => {
        if (request.url?.includes('/stats/')) gate.hold(() => sendJson(response, { top_articles: [] }));
        else answers(request, response);
      },
      1,
    ],
  ];

  it.each(cases)('%s ends without a trace, and the next one works', async (_what, slow, held) => {
    handle = slow;
    const controller = new AbortController();
    const reason = new Error('enough');
    const aborted = run(controller.signal);
    aborted.catch(() => {});
    await expect.poll(gate.size).toBeGreaterThanOrEqual(held);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    const before = server.requests.length;
    expect(await openFiles(folder)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(['.lectern', 'ca.pem']);
    expect(await readdir(join(folder, '.lectern'))).toEqual(['CACHEDIR.TAG']);
    handle = singly;
    gate.release();
    // A request that still waits for its turn would come before the one of the next build.
    expect((await run()).articles).toBe(articles.length);
    const after = server.requests.slice(before);
    expect(after[0]).toMatch(/^GET \/v1\/article\?/);
    expect(new Set(after).size).toBe(after.length);
  });
});

it('a snapshot that is aborted while it reads the statistics is not written without them', async () => {
  const answers = serveKnowledgeBase({ articles });
  handle = (request, response) => {
    if (request.url?.includes('/stats/')) gate.hold(() => {});
    else answers(request, response);
  };
  const controller = new AbortController();
  const reason = new LecternError('INTERRUPTED', 'stopped', { hint: '' });
  const aborted = fetchSnapshot(configSchema.parse({ baseUrl: server.baseUrl, tls: { ca: 'ca.pem' } }), {
    apiKey: 'a-key-for-the-test',
    folder,
    allowMassDelete: false,
    insecureLoopback: false,
    generator: 'test',
    signal: controller.signal,
  });
  aborted.catch(() => {});
  await expect.poll(gate.size).toBe(1);
  controller.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  expect(await readdir(join(folder, '.lectern'))).toEqual(['CACHEDIR.TAG']);
});
