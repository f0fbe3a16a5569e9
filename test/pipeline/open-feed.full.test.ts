import { lookup } from 'node:dns/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import { networkOf } from '../../src/core/config/source-settings.ts';
import { createHttp } from '../../src/core/net/http.ts';
import { createUrlReader, type PublishedSite } from '../../src/feed/read/feed-reader.ts';
import { openPreviousFeed } from '../../src/feed/read/open-feed.ts';
import { type Handler, startServer, type TestServer } from '../source/support/test-server.ts';

/** A published site behind a server of the test; waits between attempts take no time. */
async function openSite(
  handle: Handler,
): Promise<{ readonly site: PublishedSite; readonly server: TestServer }> {
  const server = await startServer(handle);
  const site = createUrlReader(`${server.origin}/help/`, (baseUrl) =>
    createHttp({
      ...networkOf(),
      baseUrl,
      apiKey: null,
      ca: [server.ca],
      insecureLoopback: false,
      ports: { now: Date.now, sleep: async () => {}, random: () => 0 },
    }),
  );
  onTestFinished(async () => {
    await site.close();
    await server.close();
  });
  return { site, server };
}

describe('a published site at a URL', () => {
  it('gives a file whole though the connection breaks in the middle', async () => {
    const text = 'abcdefgh'.repeat(100_000);
    let requests = 0;
    const { site } = await openSite((_request, response) => {
      requests += 1;
      response.writeHead(200, { 'content-length': String(text.length) });
      if (requests > 1) response.end(text);
      else response.write(text.slice(0, text.length / 2), () => response.destroy());
    });
    const bytes = await site.read('feed/en/documents.jsonl');
    expect(Buffer.from(bytes ?? []).toString() === text).toBe(true);
    expect(requests).toBe(2);
  });

  it('closes the connection of a file that is longer than expected, without reading its end', async () => {
    let isClosed = false;
    const { site } = await openSite((_request, response) => {
      response.once('close', () => {
        isClosed = true;
      });
      response.end('x'.repeat(50_000_000));
    });
    expect(await site.read('feed/en/documents.jsonl', 1000)).toHaveLength(1001);
    await expect.poll(() => isClosed).toBe(true);
  });

  it('does not take an unrequested 304 as "unchanged"', async () => {
    const { site } = await openSite((_request, response) => response.writeHead(304).end());
    for (const path of ['feed/manifest.json', 'feed/en/chunks.jsonl'])
      await expect(site.read(path)).rejects.toMatchObject({ code: 'FEED_UNREACHABLE' });
  });

  it('stops reading a file one byte after the size that is expected of it', async () => {
    let isClosed = false;
    const { site } = await openSite(({ url }, response) => {
      if (url === '/help/whole') return void response.end('abcde');
      response.once('close', () => {
        isClosed = true;
      });
      const write = () => response.destroyed || response.write('x'.repeat(1000), () => setImmediate(write));
      write();
    });
    expect(Buffer.from((await site.read('whole', 5)) ?? []).toString()).toBe('abcde');
    expect(await site.read('endless', 71)).toHaveLength(72);
    await expect.poll(() => isClosed).toBe(true);
    expect(Buffer.from((await site.read('whole', 9)) ?? []).toString()).toBe('abcde');
  });

  it('refuses a manifest that is larger than any', async () => {
    const block = new Uint8Array(2 ** 26);
    const site = createUrlReader('https://help.example.com/', () => ({
      request: (_request, read) =>
        read({
          status: 200,
          headers: {},
          url: '',
          body: (async function* () {
            for (;;) yield block;
          })(),
        }),
      close: async () => {},
    }));
    await expect(site.read('feed/manifest.json')).rejects.toMatchObject({
      code: 'FEED_INVALID',
      message: 'feed/manifest.json is larger than 4194304 bytes',
    });
  });

  it('gives null for files that are not there', async () => {
    const { site } = await openSite((_request, response) => response.writeHead(404).end());
    expect(await site.read('a.txt')).toBeNull();
  });
});

describe('the site whose feed a build continues', () => {
  const read = async (url: string) => {
    const site = await openPreviousFeed(url, async () => configSchema.parse({}), '/');
    onTestFinished(() => site.close());
    return site.read('feed/manifest.json');
  };

  // A machine without a name server cannot know that there is no such name.
  const answer = lookup('site.invalid').catch(({ code }: NodeJS.ErrnoException) => code);
  it('has no feed before its domain exists', async ({ skip }) => {
    skip((await answer) !== 'ENOTFOUND', 'needs a name server');
    expect(await read('https://site.invalid/')).toBeNull();
  });

  it('must answer if it exists, because its feed would be lost', async () => {
    const server = await startServer((_request, response) => response.end());
    await server.close();
    await expect(read(`${server.origin}/`)).rejects.toMatchObject({ code: 'FEED_UNREACHABLE' });
  });
});
