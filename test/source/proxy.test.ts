import type { lookup } from 'node:dns';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileFetcher } from '../../src/core/net/fetch-file.ts';
import type { HttpSettings } from '../../src/core/net/http.ts';
import type { Environment } from '../../src/core/net/open-dispatcher.ts';
import { startFileServer } from '../site/media/file-server.ts';
import { makeTestCertificate } from '../support/certificate.ts';
import { runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { errorOf, openHttp } from './support/open-http.ts';
import { startProxy } from './support/proxy-server.ts';
import { sendJson, startServer } from './support/test-server.ts';

const name = 'kb.example.com';

/** A knowledge base whose name only the proxy knows. */
async function startHiddenServer() {
  const certificate = await makeTestCertificate({ names: [name, 'localhost'] });
  const server = await startServer((_request, response) => sendJson(response, { ok: true }), certificate);
  onTestFinished(server.close);
  return { ...server, port: Number(new URL(server.origin).port) };
}

const open = (ca: string, environment: Environment, settings: Partial<HttpSettings> = {}) =>
  openHttp({ baseUrl: `https://${name}/v1`, ca }, { environment, maxAttempts: 1, ...settings });

describe('the API behind a proxy', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])(
    'is read through a tunnel of %s',
    async (variable) => {
      const server = await startHiddenServer();
      const proxy = await startProxy(server);
      const { get } = open(server.ca, { [variable]: `http://${proxy.host}` });
      expect(await get()).toEqual({ ok: true });
      expect(proxy.log).toEqual([`CONNECT ${name}:443`]);
    },
  );

  it('never shows the key to the proxy', async () => {
    const server = await startHiddenServer();
    const proxy = await startProxy({ ...server, login: 'user:p@ss' });
    await open(server.ca, { HTTPS_PROXY: `http://user:p%40ss@${proxy.host}` }).get();
    expect(server.keys).toEqual(['Bearer secret-key-1']);
    expect(JSON.stringify(proxy.log)).not.toContain('secret-key-1');
  });

  it('accepts a URL without http:// as curl does', async () => {
    const server = await startHiddenServer();
    const proxy = await startProxy(server);
    expect(await open(server.ca, { HTTPS_PROXY: proxy.host }).get()).toEqual({ ok: true });
  });

  it('is trusted by tls.ca through the tunnel, and an https proxy is too', async () => {
    const server = await startHiddenServer();
    const certificate = await makeTestCertificate();
    const proxy = await startProxy({ ...server, certificate });
    const ca = [...rootCertificates, server.ca, certificate.ca];
    const environment = { HTTPS_PROXY: `https://${proxy.host}` };
    expect(await open(server.ca, environment, { ca }).get()).toEqual({ ok: true });
    const untrusted = await errorOf(open(certificate.ca, environment).get());
    expect(untrusted.code).toBe('TLS_FAILED');
  });

  it('is reached directly if NO_PROXY or no_proxy names its host', async () => {
    const server = await startHiddenServer();
    const proxy = await startProxy(server);
    for (const exception of [{ NO_PROXY: '.example.com' }, { no_proxy: name }, { NO_PROXY: '*' }]) {
      const environment = { HTTPS_PROXY: `http://${proxy.host}`, ...exception };
      expect((await errorOf(open(server.ca, environment).get())).code).toBe('CONNECTION_FAILED');
    }
    expect(proxy.log).toEqual([]);
  });

  it('is reached directly on this machine', async () => {
    const server = await startHiddenServer();
    const proxy = await startProxy(server);
    const { get } = openHttp(server, { environment: { HTTPS_PROXY: `http://${proxy.host}` } });
    expect(await get()).toEqual({ ok: true });
    expect(proxy.log).toEqual([]);
  });
});

describe('a proxy that fails', () => {
  it('is named if it cannot be reached, without its password', async () => {
    const server = await startHiddenServer();
    const environment = { HTTPS_PROXY: 'http://user:secret-word@localhost:1' };
    expect(await errorOf(open(server.ca, environment).get())).toMatchInlineSnapshot(`
      {
        "code": "PROXY_FAILED",
        "hint": "check that the proxy runs and that HTTPS_PROXY is its URL, or add the host to NO_PROXY",
        "message": "the proxy localhost:1 of HTTPS_PROXY: no connection could be made (ECONNREFUSED)",
      }
    `);
  });

  it('is named if it asks for a password', async () => {
    const server = await startHiddenServer();
    const proxy = await startProxy({ ...server, login: 'user:right' });
    const environment = { https_proxy: `http://user:secret-word@${proxy.host}` };
    expect(await errorOf(open(server.ca, environment).get())).toMatchInlineSnapshot(`
      {
        "code": "PROXY_FAILED",
        "hint": "put user and password into https_proxy, as in http://USER:PASSWORD@proxy.example.com:3128",
        "message": "the proxy localhost:PORT of https_proxy refused to connect to kb.example.com:443: it answered 407",
      }
    `);
  });

  it.each([
    [403, 1],
    [502, 3],
  ])('with status %i is asked %i times', async (refuse, times) => {
    const server = await startHiddenServer();
    const proxy = await startProxy({ ...server, refuse });
    const environment = { HTTPS_PROXY: `http://${proxy.host}` };
    const failure = await errorOf(open(server.ca, environment, { maxAttempts: 3 }).get());
    expect(failure.code).toBe('PROXY_FAILED');
    expect(proxy.log).toHaveLength(times);
  });

  it('is named if its certificate is not trusted', async () => {
    const server = await startHiddenServer();
    const proxy = await startProxy({ ...server, certificate: await makeTestCertificate() });
    const failure = await errorOf(open(server.ca, { HTTPS_PROXY: `https://${proxy.host}` }).get());
    expect(failure.code).toBe('PROXY_FAILED');
    expect(failure.message).toContain('of HTTPS_PROXY');
  });

  it.each(['socks5://user:secret-word@localhost:1', 'http://', 'ht!tp://secret-word'])(
    'has no usable URL: %s',
    async (address) => {
      const failure = await errorOf((async () => open('', { HTTPS_PROXY: address }, { ca: null }).get())());
      expect(failure.code).toBe('CONFIG_INVALID');
      expect(JSON.stringify(failure)).not.toContain('secret-word');
    },
  );
});

describe('a published feed behind a proxy', () => {
  it('is asked for through the tunnel by verify and diff', async () => {
    const server = await startHiddenServer();
    const proxy = await startProxy(server);
    const cwd = temporaryFolder();
    await writeFile(join(cwd, 'ca.pem'), server.ca);
    await writeFile(join(cwd, 'lectern.config.json'), JSON.stringify({ tls: { ca: 'ca.pem' } }));
    const env = {
      HTTPS_PROXY: `http://${proxy.host}`,
      LECTERN_API_KEY: 'k',
      LECTERN_BASE_URL: server.baseUrl,
    };
    for (const args of [
      ['verify', `https://${name}/`],
      ['diff', `https://${name}/`, '.'],
    ]) {
      expect((await runLectern(args, { cwd, env })).code).toBe(1);
    }
    expect(new Set(proxy.log)).toEqual(new Set([`CONNECT ${name}:443`]));
    expect(server.requests.filter((line) => line === 'GET /feed/manifest.json')).toHaveLength(2);
  });
});

/** A resolver that knows this host at this address, or no hosts at all. */
function resolving(address: string | null): typeof lookup {
  const answer = (_name: string, _options: unknown, callback: (...results: unknown[]) => void) =>
    address === null
      ? callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))
      : callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  return answer as never;
}

describe('files behind a proxy', () => {
  async function open(host: string, address: string | null) {
    const server = await startFileServer({ '/a.png': 'content' });
    const proxy = await startProxy({ port: Number(new URL(server.origin).port) });
    const fetcher = createFileFetcher({
      hosts: new Set([host]),
      privateHosts: [],
      allowLoopback: false,
      maxBytes: 1000,
      timeoutMs: 60_000,
      ca: null,
      environment: { HTTP_PROXY: `http://${proxy.host}` },
      lookup: resolving(address),
    });
    onTestFinished(() => fetcher.close());
    return { get: () => fetcher.fetch(`http://${host}/a.png`, null), proxy };
  }

  it('are asked for as plain http, when the name leads to the internet', async () => {
    const { get, proxy } = await open('files.example.com', '8.8.8.8');
    expect(await get()).toMatchObject({ kind: 'file' });
    expect(proxy.log).toEqual(['GET http://files.example.com/a.png']);
  });

  it('are asked for when only the proxy knows the name', async () => {
    const { get, proxy } = await open('files.example.com', null);
    expect(await get()).toMatchObject({ kind: 'file' });
    expect(proxy.log).toHaveLength(1);
  });

  it.each([
    ['files.example.com', '10.0.0.7'],
    ['files.example.com', '127.0.0.1'],
    ['files.example.com', '169.254.169.254'],
    ['10.0.0.7', null],
    ['[::ffff:7f00:1]', null],
    ['169.254.169.254', null],
    ['localhost', '127.0.0.1'],
  ])('on %s at %s are refused before the proxy is asked', async (host, address) => {
    const { get, proxy } = await open(host, address);
    expect((await errorOf(get())).code).toBe('FILE_REFUSED');
    expect(proxy.log).toEqual([]);
  });
});
