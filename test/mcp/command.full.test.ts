import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signaturePath } from '../../src/feed/feed-reader.ts';
import { generateSigningKey, parseSigningKey, signManifest } from '../../src/feed/signature.ts';
import { buildSampleFeed } from '../export/support/questions.ts';
import { lecternEnvironment, lecternProgram, runLectern, startLectern } from '../support/lectern.ts';

describe('lectern mcp', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-mcp-'));
    const { output } = await buildSampleFeed();
    for (const path of output.paths().filter((name) => name.startsWith('feed/'))) {
      await mkdir(dirname(join(folder, 'dist', path)), { recursive: true });
      await writeFile(join(folder, 'dist', path), output.text(path));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('answers a client over standard input and output, and ends with it', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [lecternProgram, 'mcp', 'dist'],
      cwd: folder,
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: 'list_categories', arguments: {} });
    expect(structuredContent).toMatchObject({ untrusted: true, run: 1 });
    await client.close();
  });

  it('answers a client before the feed is loaded, and ends with it', async () => {
    let asked = () => {};
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    // A site that never answers.
    const silent = createServer(() => asked());
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
    const site = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const child = spawn(process.execPath, [lecternProgram, 'mcp', site], {
      cwd: folder,
      env: lecternEnvironment({}),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [answer] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'lectern' } },
    });
    await wasAsked;
    child.stdin.end();
    expect(await ended).toBe(0);
    silent.closeAllConnections();
    await new Promise((closed) => silent.close(closed));
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
    expect(built.stderr + built.stdout).toContain('1 page');
    const verified = await runLectern(['verify', 'synonyms'], { cwd: folder });
    expect(verified.code).toBe(0);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [lecternProgram, 'mcp', 'synonyms'],
      cwd: folder,
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: 'search', arguments: { query: '2fa' } });
    expect(structuredContent).toMatchObject({ results: [{ title: 'Codes' }] });
    await client.close();
  });

  it('answers over HTTP at the URL it prints', async () => {
    const child = startLectern(['mcp', 'dist', '--port', '0'], { cwd: folder });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const url = await new Promise<string>((resolve) => {
      child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim()));
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'read_article', 'list_categories']);
    await client.close();
    child.kill();
    expect(await ended).toBe(0);
  });

  it('checks the signature of the feed for the site that is named', async () => {
    const { secret, publicKey } = generateSigningKey();
    const { output } = await buildSampleFeed();
    const manifest = Buffer.from(output.text('feed/manifest.json'));
    const validUntil = new Date(Date.now() + 3_600_000).toISOString();
    const facts = { site: 'https://help.example.com', feedId: 'f', seq: 1, validUntil };
    await writeFile(
      join(folder, 'dist', signaturePath),
      signManifest(manifest, parseSigningKey(secret), facts),
    );
    const check = (command: readonly string[], site: string) =>
      runLectern([...command, '--public-key', publicKey, '--site', site], { cwd: folder });
    const wrong = 'https://staging.example.com';
    for (const command of [
      ['mcp', 'dist'],
      ['export', 'dist', '--to', 'qdrant', '--out', 'exported'],
    ]) {
      const { code, stderr } = await check(command, wrong);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`SIGNATURE_FOREIGN: the feed is signed for ${facts.site}, not for ${wrong}`),
      ]);
      expect(await check(command, `${facts.site}/`)).toMatchObject({ code: 0 });
    }
    const found = await check(['verify', 'dist', '--no-twins'], wrong);
    expect(found.stdout).toContain('SIGNATURE_FOREIGN feed/manifest.json.minisig');
    const right = await check(['verify', 'dist', '--no-twins'], facts.site);
    expect(right.stdout).not.toContain('SIGNATURE_');
    const unnamed = await runLectern(['mcp', 'dist', '--public-key', publicKey], { cwd: folder });
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('OPTION_MISSING') });
    await rm(join(folder, 'dist', signaturePath));
  });

  it('says that the folder or its feed is missing before it answers anybody', async () => {
    const missing = await runLectern(['mcp', 'nothing'], { cwd: folder });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('FOLDER_MISSING: the folder nothing does not exist');
    const empty = await runLectern(['mcp', '.'], { cwd: folder });
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain('FEED_INVALID: feed/manifest.json is missing');
  });
});
