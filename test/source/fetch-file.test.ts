import type { lookup } from 'node:dns';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileFetcher, type FileFetchSettings } from '../../src/core/net/fetch-file.ts';
import { type FileServer, startFileServer } from '../site/media/file-server.ts';

function openFetcher(hosts: readonly string[], settings: Partial<FileFetchSettings> = {}) {
  const fetcher = createFileFetcher({
    hosts: new Set(hosts),
    privateHosts: [],
    allowLoopback: true,
    maxBytes: 1000,
    timeoutMs: 60_000,
    ca: null,
    ...settings,
  });
  onTestFinished(() => fetcher.close());
  return fetcher;
}

/** A resolver that knows this address for one host, and no other hosts. */
function resolving(address: string): typeof lookup {
  const answer = (_name: string, _options: unknown, callback: (...results: unknown[]) => void) =>
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  return answer as never;
}

const portOf = ({ host }: FileServer): string => host.split(':')[1] ?? '';

describe('a file fetcher', () => {
  it('reads a file and its validators', async () => {
    const server = await startFileServer({ '/a.png': 'content' });
    const fetched = await openFetcher([server.host]).fetch(`${server.origin}/a.png`, null);
    expect(fetched).toMatchObject({ kind: 'file', etag: expect.stringMatching(/^".+"$/) });
    expect(fetched.kind === 'file' && Buffer.from(fetched.bytes).toString()).toBe('content');
  });

  it('learns from the server that a copy is still valid', async () => {
    const server = await startFileServer({ '/a.png': 'content' });
    const fetcher = openFetcher([server.host]);
    const first = await fetcher.fetch(`${server.origin}/a.png`, null);
    if (first.kind !== 'file') throw new Error('no file');
    expect(await fetcher.fetch(`${server.origin}/a.png`, first)).toEqual({ kind: 'unchanged' });
  });

  it('decompresses responses', async () => {
    const server = await startFileServer({
      '/a.svg': (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('content')),
    });
    const fetched = await openFetcher([server.host]).fetch(`${server.origin}/a.svg`, null);
    expect(fetched.kind === 'file' && Buffer.from(fetched.bytes).toString()).toBe('content');
  });

  it('sends no key', async () => {
    let headers: object = {};
    const server = await startFileServer({
      '/a.png': (request, response) => {
        headers = request.headers;
        response.end('x');
      },
    });
    await openFetcher([server.host]).fetch(`${server.origin}/a.png`, null);
    expect(headers).toMatchObject({ host: server.host });
    expect(Object.keys(headers)).not.toContain('authorization');
    expect(Object.keys(headers)).not.toContain('cookie');
  });

  it('refuses a file that is too large, also when its size is not announced', async () => {
    const server = await startFileServer({
      '/large.png': (_request, response) => {
        response.writeHead(200);
        for (let part = 0; part < 20; part += 1) response.write('x'.repeat(100));
        response.end();
      },
    });
    const fetched = openFetcher([server.host]).fetch(`${server.origin}/large.png`, null);
    await expect(fetched).rejects.toMatchObject({
      code: 'BAD_RESPONSE',
      message: `GET ${server.origin}/large.png: the answer is longer than 1000 bytes`,
    });
  });

  it('takes files from named hosts alone', async () => {
    const server = await startFileServer({ '/a.png': 'content' });
    const fetched = openFetcher(['help.example.com']).fetch(`${server.origin}/a.png`, null);
    await expect(fetched).rejects.toMatchObject({ code: 'FILE_REFUSED' });
    expect(server.log).toEqual([]);
  });

  it('is asked again when its server said, and other files of that server not before', async () => {
    const times: number[] = [];
    const busy = (_request: IncomingMessage, response: ServerResponse) => {
      times.push(Date.now());
      if (times.length > 1) response.end('content');
      else response.writeHead(429, { 'retry-after': '1' }).end();
    };
    const server = await startFileServer({ '/a.png': busy, '/b.png': busy });
    const fetcher = openFetcher([server.host]);
    const first = fetcher.fetch(`${server.origin}/a.png`, null);
    await expect.poll(() => times.length).toBe(1);
    await sleep(100);
    const fetched = await Promise.all([first, fetcher.fetch(`${server.origin}/b.png`, null)]);
    expect(fetched.map(({ kind }) => kind)).toEqual(['file', 'file']);
    expect(times.slice(1).map((time) => time - (times[0] as number) >= 950)).toEqual([true, true]);
  });

  it('is no longer waited for when the fetcher is closed', async () => {
    const server = await startFileServer({
      '/a.png': (_request, response) => response.writeHead(503, { 'retry-after': '100' }).end(),
    });
    const fetcher = openFetcher([server.host]);
    const fetched = fetcher.fetch(`${server.origin}/a.png`, null);
    fetched.catch(() => {});
    await expect.poll(() => server.log.length).toBe(1);
    await sleep(50);
    await fetcher.close();
    await expect(fetched).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  it('follows a redirect to a named host', async () => {
    const server = await startFileServer({
      '/old.png': (_request, response) => response.writeHead(302, { location: '/new.png' }).end(),
      '/new.png': 'content',
    });
    const fetched = await openFetcher([server.host]).fetch(`${server.origin}/old.png`, null);
    expect(fetched.kind).toBe('file');
  });

  it.each([
    ['another host', 'http://elsewhere.example/a.png', 'FILE_REFUSED'],
    ['a file', 'file:///etc/passwd', 'REDIRECT_REFUSED'],
    ['itself', '/a.png', 'REDIRECT_REFUSED'],
    ['nowhere', 'http://', 'REDIRECT_REFUSED'],
  ])('does not follow a redirect to %s', async (_what, location, code) => {
    const server = await startFileServer({
      '/a.png': (_request, response) => response.writeHead(302, { location }).end(),
    });
    const fetched = openFetcher([server.host]).fetch(`${server.origin}/a.png`, null);
    await expect(fetched).rejects.toMatchObject({ code });
  });

  it.each(['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:169.254.169.254', 'fd00:ec2::254'])(
    'does not connect to a named host whose name leads to %s',
    async (address) => {
      const server = await startFileServer({ '/a.png': 'content' });
      const host = `help.example.com:${portOf(server)}`;
      const fetcher = openFetcher([host], { allowLoopback: false, lookup: resolving(address) });
      await expect(fetcher.fetch(`http://${host}/a.png`, null)).rejects.toMatchObject({
        code: 'FILE_REFUSED',
      });
      expect(server.log).toEqual([]);
    },
  );

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]'])(
    'does not connect to %s, however it is written and even if it is allowed',
    async (name) => {
      const server = await startFileServer({ '/a.png': 'content' });
      const address = `http://${name}:${portOf(server)}/a.png`;
      const fetcher = openFetcher([new URL(address).host], { allowLoopback: false });
      await expect(fetcher.fetch(address, null)).rejects.toMatchObject({ code: 'FILE_REFUSED' });
      expect(server.log).toEqual([]);
    },
  );

  it('checks the address again if a redirect leads to another allowed host', async () => {
    const server = await startFileServer();
    const metadata = 'metadata.example.com';
    server.files.set('/a.png', (_request, response) =>
      response.writeHead(302, { location: `http://${metadata}/latest/` }).end(),
    );
    const fetcher = openFetcher([server.host, metadata], {
      lookup: ((...query: Parameters<typeof lookup>) =>
        resolving(query[0] === metadata ? '169.254.169.254' : '127.0.0.1')(...query)) as typeof lookup,
    });
    await expect(fetcher.fetch(`http://${server.host}/a.png`, null)).rejects.toMatchObject({
      code: 'FILE_REFUSED',
    });
  });

  it('reaches a host of this machine that may lie in a private network', async () => {
    const server = await startFileServer({ '/a.png': 'content' });
    const host = `files.intranet.example:${portOf(server)}`;
    const fetcher = openFetcher([host], {
      allowLoopback: false,
      privateHosts: [host],
      lookup: resolving('127.0.0.1'),
    });
    expect((await fetcher.fetch(`http://${host}/a.png`, null)).kind).toBe('file');
  });
});
