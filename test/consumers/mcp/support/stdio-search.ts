import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished } from 'vitest';
import { lecternEnvironment, lecternProgram } from '../../../support/lectern.ts';
import { hitsOf, readCalled, type ShownHit } from './live-feed.ts';

export type Search = (query: string, language?: string) => Promise<readonly ShownHit[]>;

/**
 * Connects the protocol's own client to `lectern mcp` over stdio, until the test is finished. Resolves when the feed can be searched.
 * @param feed as the command takes it, relative to `folder`
 */
export async function connectSearch(feed: string, folder: string): Promise<Search> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [lecternProgram, 'mcp', feed],
    cwd: folder,
    env: lecternEnvironment({}) as Record<string, string>,
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const isReady = async () =>
    (await client.callTool({ name: 'list_categories', arguments: {} })).isError !== true;
  await expect.poll(isReady, { timeout: 300_000, interval: 500 }).toBe(true);
  return async (query, language) => {
    const args = { query, ...(language === undefined ? {} : { language }) };
    const found = readCalled(await client.callTool({ name: 'search', arguments: args }));
    expect(found.isError, found.text).toBe(false);
    return hitsOf(found);
  };
}
