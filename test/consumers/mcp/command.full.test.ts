import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { findText, type MemoryOutput } from '../../feed/support/memory-output.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import { lecternEnvironment, lecternProgram, runLectern, startLectern } from '../../support/lectern.ts';
import { serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildSampleFeed } from '../export/support/questions.ts';

describe('lectern mcp', () => {
  let folder: string;
  let output: MemoryOutput;
  beforeAll(async () => {
    folder = temporaryFolder();
    ({ output } = await buildSampleFeed());
    writeTree(join(folder, 'dist'), output.texts('feed/'));
  });

  /** Connects a client that starts the command. */
  async function connect(args: readonly string[]) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [lecternProgram, 'mcp', ...args],
      cwd: folder,
      env: lecternEnvironment({}) as Record<string, string>,
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    return { client, pid: transport.pid ?? 0 };
  }

  async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');
  }

  /** Serves the feed; `null`: never answers. `asked` is resolved by the first request. */
  async function publish(feed: MemoryOutput | null) {
    let noteRequest = () => {};
    const asked = new Promise<void>((resolve) => {
      noteRequest = resolve;
    });
    const { origin, close } = await serve((request, response) => {
      noteRequest();
      const path = decodeURIComponent((request.url ?? '').slice(1));
      if (feed === null) return;
      const text = findText(feed, path);
      if (text === null) response.writeHead(404).end();
      else response.end(text);
    });
    return { site: `${origin}/`, close, asked };
  }

  it('answers a client over standard input and output, and ends with it', async () => {
    const { client } = await connect(['dist']);
    const { _meta } = await client.callTool({ name: 'list_categories', arguments: {} });
    expect(_meta).toMatchObject({ 'lectern/feed': { run: 1 } });
    expect(await textOf(client, 'search', { query: 'delete my account' })).toContain('account');
    await client.close();
  });

  it.each([
    ['', '\n'],
    // As programs on Windows begin a text, and some end one.
    ['\ufeff', ''],
  ])('answers what was asked before the end of its input, and ends: %j', async (start, end) => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const ask = (id: number, method: string, params: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const messages = [
      ask(1, 'initialize', params),
      ask(2, 'tools/call', { name: 'search', arguments: { query: 'delete my account' } }),
      ask(4, 'tools/call', { name: 'list_categories', arguments: {} }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } }),
      ask(3, 'tools/call', { name: 'list_categories', arguments: {} }),
      ask(5, 'tools/call', { name: 'list_categories', arguments: null }),
    ];
    const input = start + messages.join('\n') + end;
    const options = { cwd: folder, env: lecternEnvironment({}), input, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(process.execPath, [lecternProgram, 'mcp', 'dist'], options);
    expect(status).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id).sort()).toEqual([1, 2, 3, 5]);
    expect(stdout).not.toContain('"error"');
    expect(lines.join('\n')).toContain('BEGIN UNTRUSTED CONTENT');
  });

  /** Starts the command for a site that never answers, and returns it after it answered `initialize`. */
  async function startSilent(site: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, [lecternProgram, 'mcp', site], {
      cwd: folder,
      env: lecternEnvironment({}),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [answer] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'lectern' } },
    });
    return child;
  }

  it('answers a client before the feed is loaded, and ends with it', async () => {
    const { site, asked } = await publish(null);
    const child = await startSilent(site);
    const ended = once(child, 'close');
    await asked;
    child.stdin?.end();
    expect(await ended).toEqual([0, null]);
  });

  it('ends when its client is killed, also while it makes the index', async () => {
    const { site, asked } = await publish(null);
    // A client that starts the server and prints its process id.
    const script = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ${JSON.stringify([lecternProgram, 'mcp', site])}, { stdio: ['pipe', 'ignore', 'inherit'] });
      console.log(child.pid); setInterval(() => {}, 1000);`;
    const client = spawn(process.execPath, ['-e', script], { cwd: folder, env: lecternEnvironment({}) });
    const [text] = (await once(client.stdout, 'data')) as [Buffer];
    const pid = Number(text.toString());
    await asked;
    client.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('answers from its copy of the feed while the site cannot be reached, and says so', async () => {
    const { site, close } = await publish(output);
    const first = await connect([site]);
    expect(await textOf(first.client, 'search', { query: 'delete my account' })).toContain('Source: run 1');
    await first.client.close();
    await close();
    const second = await connect([site]);
    const text = await textOf(second.client, 'search', { query: 'delete my account' });
    expect(text).toMatch(/BEGIN UNTRUSTED CONTENT/);
    expect(text).toMatch(
      /Source: run 1 of the help centre\. (?:A newer one could not be read|Whether there is a newer one is not known)/,
    );
    await second.client.close();
  });

  it('searches with the synonyms of the configuration', async () => {
    await mkdir(join(folder, 'pages'));
    await writeFile(
      join(folder, 'pages', 'codes.md'),
      '# Codes\n\nTwo-factor authentication asks for a code.\n',
    );
    const config = {
      source: { kind: 'folder', path: 'pages' },
      siteUrl: 'https://help.example.com',
      out: 'synonyms',
      cache: 'synonyms-cache',
      site: { synonyms: [['2FA', 'two-factor authentication']] },
    };
    await writeFile(join(folder, 'synonyms.json'), JSON.stringify(config));
    const built = await runLectern(['build', '--config', 'synonyms.json'], { cwd: folder });
    expect(built.stderr + built.stdout).toContain('Published 1 article');
    const verified = await runLectern(['verify', 'synonyms'], { cwd: folder });
    expect(verified.code).toBe(0);
    const { client } = await connect(['synonyms']);
    expect(await textOf(client, 'search', { query: '2fa' })).toContain('[1] Codes\n');
    await client.close();
  });

  it('answers over HTTP at the URL it prints, with a token of a file', async () => {
    const token = 'a-token-for-the-assistant-1';
    await writeFile(join(folder, 'tokens.txt'), `# Assistant\n${token}\n`);
    const args = ['mcp', 'dist', '--port', '0', '--host', '0.0.0.0', '--tokens', 'tokens.txt'];
    const child = startLectern(args, { cwd: folder });
    const ended = once(child, 'close');
    const [printed] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const url = new URL(printed.toString().trim().replace('0.0.0.0', '127.0.0.1'));
    const open = async (headers: Record<string, string>) => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport);
      return client;
    };
    const client = await open({ authorization: `Bearer ${token}` });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'read_article', 'list_categories']);
    expect(await textOf(client, 'search', { query: 'lockers' })).toContain('BEGIN UNTRUSTED CONTENT');
    await client.close();
    await expect(open({ authorization: 'Bearer another-token-of-nobody' })).rejects.toThrow();
    child.kill();
    expect(await ended).toEqual([0, null]);
  });

  it('takes the names of the server as they are, or as a URL, and refuses what is none', async () => {
    const names = 'https://MCP.example.com/mcp, bücher.example:8443, ::1';
    const child = startLectern(['mcp', 'dist', '--port', '0', '--host-names', names], { cwd: folder });
    const ended = once(child, 'close');
    const [printed] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const statusFor = (host: string) =>
      new Promise((resolve, reject) => {
        get(printed.toString().trim(), { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).once('error', reject);
      });
    const hosts = ['mcp.example.com', 'xn--bcher-kva.example:8443', 'other.example'];
    expect(await Promise.all(hosts.map(statusFor))).toEqual([405, 405, 403]);
    child.kill();
    await ended;
    for (const name of ['*.example.com', 'a b', 'x.example:port']) {
      const { code, stderr } = await runLectern(['mcp', 'dist', '--port', '0', '--host-names', name], {
        cwd: folder,
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--host-names has ${name}`)]);
    }
  });

  it.each(['missing.txt', '.'])('says that the file of tokens cannot be read: %s', async (file) => {
    const { code, stderr } = await runLectern(['mcp', 'dist', '--port', '0', '--tokens', file], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error KEY_UNUSABLE: .* cannot be read \(E\w+\)\nhint: .*--tokens/),
    ]);
  });

  it('listens beyond this machine only with a token, and takes options of HTTP only with it', async () => {
    const open = await runLectern(['mcp', 'dist', '--port', '0', '--host', '0.0.0.0'], { cwd: folder });
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('error KEY_UNUSABLE: 0.0.0.0') });
    const weak = await runLectern(['mcp', 'dist', '--port', '0'], {
      cwd: folder,
      env: { LECTERN_MCP_TOKENS: 'secret' },
    });
    expect(weak).toMatchObject({ code: 2, stderr: expect.stringContaining('error KEY_UNUSABLE') });
    expect(weak.stderr).not.toContain('secret');
    const stdio = await runLectern(['mcp', 'dist', '--host', '0.0.0.0'], { cwd: folder });
    expect(stdio).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--host is only used with --port'),
    });
  });

  it('says that the folder, its feed or the cache is missing before it answers anybody', async () => {
    const missing = await runLectern(['mcp', 'nothing'], { cwd: folder });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('PATH_UNUSABLE: the folder nothing does not exist');
    const empty = await runLectern(['mcp', '.'], { cwd: folder });
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain('FEED_INVALID: feed/manifest.json is missing');
    const cache = await runLectern(['mcp', 'https://localhost:9/', '--cache', 'synonyms.json'], {
      cwd: folder,
    });
    expect(cache).toMatchObject({ code: 2, stderr: expect.stringContaining('error CACHE_UNUSABLE') });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
