import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleFeed } from '../export/support/questions.ts';
import { lecternProgram, runLectern, startLectern } from '../support/lectern.ts';

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

  it('says that the folder or its feed is missing before it answers anybody', async () => {
    const missing = await runLectern(['mcp', 'nothing'], { cwd: folder });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('FOLDER_MISSING: the folder nothing does not exist');
    const empty = await runLectern(['mcp', '.'], { cwd: folder });
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain('FEED_INVALID: feed/manifest.json is missing');
  });
});
