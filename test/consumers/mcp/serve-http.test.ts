import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpOptions, parseTokens, serveOverHttp } from '../../../src/consumers/mcp/serve-http.ts';

const token = 'a-token-of-the-first-client';
const other = 'a-token-of-the-other-client';

let http: Awaited<ReturnType<typeof serveOverHttp>>;

async function serve(options: Partial<HttpOptions> = {}): Promise<void> {
  const createOne = () => {
    const server = new McpServer({ name: 'test', version: '1' });
    server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'Hello.' }] }));
    return server;
  };
  http = await serveOverHttp(createOne, null, {
    host: '127.0.0.1',
    port: 0,
    tokens: [],
    hostNames: [],
    trustProxy: 0,
    ...options,
  });
}

afterEach(() => http.close());

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** Sends a request, and returns the status of the answer. */
function send(
  headers: Readonly<Record<string, string>>,
  { body = listTools, path = '/mcp', method = 'POST' } = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const url = new URL(path, http.url);
    request(url, { method, headers: { ...types, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end(body);
  });
}

async function listNames(headers: Record<string, string> = {}): Promise<readonly string[]> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } });
  await client.connect(transport as Transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe('a server over HTTP', () => {
  it('answers a client of this machine without a token', async () => {
    await serve();
    expect(await listNames()).toEqual(['hello']);
  });

  it.each([
    ['application/json', 'application/json', /^\{"result"/],
    ['*/*', 'application/json', /^\{"result"/],
    ['application/json, text/plain, */*', 'application/json', /^\{"result"/],
    ['text/event-stream', 'text/event-stream', /^event: message\ndata: \{"result"/],
    ['text/event-stream, application/json', 'application/json', /^\{"result"/],
  ])('answers a client that accepts %s in %s', async (accept, type, text) => {
    await serve();
    const headers = { accept, 'content-type': 'application/json' };
    const answer = await fetch(http.url, { method: 'POST', headers, body: listTools });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.text()).toMatch(text);
  });

  it('calls a tool for a client that sends null for no arguments', async () => {
    await serve();
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'hello', arguments: null },
    });
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const answer = await fetch(http.url, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'Hello.' }] } });
  });

  it('answers clients that end its path with a slash', async () => {
    await serve();
    expect(await send({}, { path: '/mcp/' })).toBe(200);
    expect(await send({}, { path: '/mcp/?x=1' })).toBe(200);
    expect(await send({}, { path: '/mcp/x' })).toBe(404);
  });

  it('answers only clients with one of its tokens, if it has some', async () => {
    await serve({ tokens: [token, other] });
    expect(await listNames({ authorization: `Bearer ${token}` })).toEqual(['hello']);
    expect(await listNames({ authorization: `Bearer ${other}` })).toEqual(['hello']);
    for (const authorization of [
      '',
      token,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
    ]) {
      expect(await send({ authorization })).toBe(401);
    }
    expect(await send({})).toBe(401);
    await expect(listNames()).rejects.toThrow();
  });

  it('listens beyond this machine only with a token', async () => {
    await serve();
    for (const [host, trustProxy] of [
      ['0.0.0.0', 0],
      ['::', 0],
      ['192.168.0.1', 0],
      ['example.com', 0],
      ['127.0.0.1', 1],
    ] as const) {
      const refused = serveOverHttp(() => new McpServer({ name: 'x', version: '1' }), null, {
        ...{ host, port: 0, tokens: [], hostNames: [], trustProxy },
      });
      await expect(refused).rejects.toMatchObject({ code: 'KEY_UNUSABLE', exitCode: 2 });
    }
    await http.close();
    await serve({ host: '0.0.0.0', tokens: [token] });
    const headers = { authorization: `Bearer ${token}` };
    expect(await send({ ...headers, host: '192.168.0.1:3333' })).toBe(200);
  });

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a name that leads to this machine', { host: 'evil.example' }],
    ['such a name with a page', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('refuses %s', async (_who, headers) => {
    await serve();
    expect(await send(headers)).toBe(403);
  });

  it('answers under its names, and pages of these', async () => {
    await serve({ hostNames: ['mcp.example.com'] });
    expect(await send({ host: 'mcp.example.com' })).toBe(200);
    expect(await send({ host: 'mcp.example.com:443', origin: 'https://mcp.example.com' })).toBe(200);
    expect(await send({ host: 'localhost:1' })).toBe(200);
    expect(await send({ host: 'other.example.com' })).toBe(403);
    expect(await send({ host: 'mcp.example.com', origin: 'https://evil.example' })).toBe(403);
  });

  it('refuses what is no request of the protocol, and goes on', async () => {
    await serve();
    expect(await send({}, { path: '/' })).toBe(404);
    expect(await send({}, { method: 'GET', body: '' })).toBe(405);
    expect(await send({}, { method: 'DELETE', body: '' })).toBe(405);
    for (const body of ['', 'x', '{"jsonrpc"', '\0']) expect(await send({}, { body })).toBe(400);
    for (const body of ['1', 'null', '{}', '{"jsonrpc":"2.0","id":1,"method":5}']) {
      expect(await send({}, { body }), body).toBe(400);
    }
    expect(await send({}, { body: 'x'.repeat(70_000) })).toBe(413);
    expect(await listNames()).toEqual(['hello']);
  });

  it.each([
    [{ host: 'mcp:3333' }, '/mcp', 403, '--host-names'],
    [{ origin: 'https://evil.example' }, '/mcp', 403, 'web pages of other sites'],
    [{}, '/mcp/sse', 404, '/mcp'],
    [{}, '/mcp', 401, 'Authorization: Bearer'],
  ])('says to a client with %j at %s what is wrong', async (headers, path, status, reason) => {
    await serve({ tokens: [token] });
    const text = await new Promise<string>((resolve, reject) => {
      request(new URL(path, http.url), { method: 'POST', headers }, (response) => {
        expect(response.statusCode).toBe(status);
        readText(response).then(resolve, reject);
      }).end(listTools);
    });
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining(reason) }, id: null });
  });

  it('refuses a body that becomes too large without saying so', async () => {
    await serve();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(http.url, { method: 'POST' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
      for (let at = 0; at < 10; at += 1) sending.write('x'.repeat(10_000));
    });
    expect(status).toBe(413);
  });
});

describe('the tokens', () => {
  afterEach(() => {});

  it('are separated by white space, without comments', async () => {
    await serve();
    expect(parseTokens(`# For the widget.\n${token}\n${other}\n`)).toEqual([token, other]);
    expect(parseTokens(token)).toEqual([token]);
  });

  it.each(['', '# none\n', 'short', `${token} short`, `${token.slice(0, 20)}ä${token}`])(
    'of a file with %j are refused without showing them',
    async (text) => {
      await serve();
      const parse = () => parseTokens(text);
      expect(parse).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE', exitCode: 2 }));
      expect(parse).not.toThrow(/short$|first-client/);
    },
  );
});
