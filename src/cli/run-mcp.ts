import { once } from 'node:events';
import { openPublishedSite } from '../build/open-feed.ts';
import { readVersion } from '../build/read-version.ts';
import { loadConfig } from '../config/load-config.ts';
import { openHelpIndex } from '../mcp/help-index.ts';
import { createHelpServer } from '../mcp/help-server.ts';
import { serveOverHttp, serveOverStdio } from '../mcp/serve-mcp.ts';
import { interruptible } from './interrupt.ts';
import { writeOutput } from './terminal.ts';

/** Runs `lectern mcp` until the client has gone or a signal comes. Standard output is the protocol's, unless it is served over HTTP. */
export async function runMcp(flags: {
  readonly site: string;
  readonly port: number | undefined;
  readonly config: string | undefined;
}): Promise<void> {
  const folder = process.cwd();
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const site = await openPublishedSite(flags.site, readConfig, folder);
  try {
    const index = openHelpIndex(site);
    await index.refresh();
    const version = await readVersion();
    const createOne = () => createHelpServer(index, version);
    if (flags.port === undefined) {
      await interruptible((signal) => serveOverStdio(createOne(), signal));
      return;
    }
    const server = await serveOverHttp(createOne, flags.port);
    writeOutput(`${server.url}\n`);
    await interruptible((signal) => once(signal, 'abort'));
    await server.close();
  } finally {
    await site.close();
  }
}
