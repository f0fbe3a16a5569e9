import { once } from 'node:events';
import { readVersion } from '../../foundation/file-system.ts';
import { interruptible } from '../interrupt.ts';
import { defineCommand } from '../parser/command.ts';
import { writeOutput } from '../terminal.ts';

/** `lectern mcp`: serves the feed with the Model Context Protocol. */
export const mcpCommand = defineCommand({
  positionals: { site: { describe: 'Published folder, or URL of the published site' } },
  options: {
    port: {
      type: 'number',
      describe: 'Serve over HTTP on this local port, 0 for a free one (default: stdin and stdout)',
    },
    config: {
      type: 'string',
      describe: 'Configuration file, read only for a URL',
    },
  },
  examples: [
    ['lectern mcp dist', 'For a client that starts the command'],
    ['lectern mcp dist --port 0', 'For clients on this machine, on a free port'],
  ],
  run: runMcp,
});

/** Runs `lectern mcp` until the client disconnects or a signal arrives. Standard output is reserved for the protocol, except over HTTP. */
async function runMcp(flags: {
  readonly site: string;
  readonly port: number | undefined;
  readonly config: string | undefined;
}): Promise<void> {
  const { openPublishedSite } = await import('../../build/open-feed.ts');
  const { loadConfig } = await import('../../config/load-config.ts');
  const { openHelpIndex } = await import('../../mcp/help-index.ts');
  const { createHelpServer } = await import('../../mcp/help-server.ts');
  const { serveOverHttp, serveOverStdio } = await import('../../mcp/serve-mcp.ts');
  const folder = process.cwd();
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const site = await openPublishedSite(flags.site, readConfig, folder);
  try {
    const index = openHelpIndex(site);
    await index.refresh();
    const version = readVersion();
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
