import { describe, expect, it } from 'vitest';
import { configSchema, type UserConfig } from '../../src/core/config/schema.ts';
import { openMedia } from '../../src/pipeline/open-media.ts';
import { siteRoot } from '../../src/site/plan/page-url.ts';
import { type FileServer, startFileServer } from '../site/media/file-server.ts';
import { png } from '../site/media/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How many images of the server a build with this configuration copies. */
async function countCopies(
  server: FileServer,
  config: UserConfig,
  insecureLoopback: boolean,
): Promise<number> {
  const folder = temporaryFolder();
  const access = { folder, offline: false, insecureLoopback };
  const { media, close } = await openMedia(configSchema.parse(config), siteRoot(undefined), access);
  const prepared = await media.prepare([`<img src="${server.origin}/a.png">`]);
  await close();
  return prepared?.table.size ?? 0;
}

describe('the images a build copies', () => {
  it.each([
    ['the API’s own host', (server: FileServer) => ({ baseUrl: `${server.origin}/v1` })],
    ['content.hosts', (server: FileServer) => ({ content: { hosts: [server.origin] } })],
    ['media.hosts', (server: FileServer) => ({ media: { hosts: [server.host] } })],
    ['media.hosts, on any port', () => ({ media: { hosts: ['localhost'] } })],
  ])('lie on %s', async (_what, configure) => {
    const server = await startFileServer({ '/a.png': png(1, 1) });
    expect(await countCopies(server, configure(server), true)).toBe(1);
    expect(await countCopies(server, configure(server), false)).toBe(0);
  });

  it('lie on no other host', async () => {
    const server = await startFileServer({ '/a.png': png(1, 1) });
    expect(await countCopies(server, { media: { hosts: ['cdn.example.com'] } }, true)).toBe(0);
    expect(server.log).toEqual([]);
  });

  it('may be in a private network if media.privateHosts lists it', async () => {
    const server = await startFileServer({ '/a.png': png(1, 1) });
    expect(await countCopies(server, { media: { privateHosts: [server.host] } }, false)).toBe(1);
  });

  it('are only those inside of texts in mode inline', async () => {
    const server = await startFileServer({ '/a.png': png(1, 1) });
    const config: UserConfig = { media: { mode: 'inline', hosts: [server.host] } };
    expect(await countCopies(server, config, true)).toBe(0);
    expect(server.log).toEqual([]);
  });
});

describe('the extensions of attachments', () => {
  it.each(['html', 'svg', 'xhtml', 'js', 'mjs', 'xml', 'htm', 'php', '.pdf', 'PDF'])('refuse %s', (name) => {
    expect(configSchema.safeParse({ media: { attachments: [name] } }).success).toBe(false);
  });
});
