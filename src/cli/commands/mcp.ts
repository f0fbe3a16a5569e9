import { once } from 'node:events';
import { LecternError } from '../../foundation/errors.ts';
import { readVersion } from '../../foundation/file-system.ts';
import type { HelpIndex } from '../../mcp/help-index.ts';
import { checkOf, readTrust, type TrustFlags, trustOptions } from '../feed-trust.ts';
import { interruptible } from '../interrupt.ts';
import { defineCommand } from '../parser/command.ts';
import { writeError, writeOutput } from '../terminal.ts';

/** `lectern mcp`: serves the feed with the Model Context Protocol. */
export const mcpCommand = defineCommand({
  positionals: { feed: { describe: 'Published folder, or URL of the published site' } },
  options: {
    port: {
      type: 'number',
      describe: 'Serve over HTTP on this local port, 0 for a free one (default: stdin and stdout)',
    },
    ...trustOptions,
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

/**
 * Runs `lectern mcp` until the client disconnects or a signal arrives. The client is answered at once; its questions wait until the feed is
 * loaded. Standard output is reserved for the protocol, except over HTTP.
 */
async function runMcp(
  flags: TrustFlags & {
    readonly feed: string;
    readonly port: number | undefined;
    readonly config: string | undefined;
  },
): Promise<void> {
  const { openPublishedSite } = await import('../../pipeline/open-feed.ts');
  const { loadConfig } = await import('../../config/load-config.ts');
  const { openHelpIndex } = await import('../../mcp/help-index.ts');
  const { createHelpServer } = await import('../../mcp/help-server.ts');
  const { serveOverHttp, serveOverStdio } = await import('../../mcp/serve-mcp.ts');
  const folder = process.cwd();
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const trust = await readTrust(flags, flags.feed);
  const site = await openPublishedSite(flags.feed, readConfig, folder);
  const version = readVersion();
  const serve = async (index: HelpIndex, signal: AbortSignal): Promise<void> => {
    const createOne = () => createHelpServer(index, version);
    if (flags.port === undefined) return serveOverStdio(createOne(), signal);
    const server = await serveOverHttp(createOne, flags.port);
    writeOutput(`${server.url}\n`);
    if (!signal.aborted) await once(signal, 'abort');
    await server.close();
  };
  try {
    await interruptible(async (interrupted) => {
      const ending = new AbortController();
      const signal = AbortSignal.any([interrupted, ending.signal]);
      const index = openHelpIndex(site, {
        check: await checkOf(trust, site.read),
        onStale: warnStale,
        signal,
      });
      const loading = index.refresh();
      const serving = serve(index, signal);
      // A feed that cannot be loaded ends the server, and a client that leaves ends the loading.
      await Promise.race([serving, loading.then(() => serving)]).finally(() => ending.abort());
      // The client left. Requests that are not answered are cut; other errors of the feed are still of interest.
      await site.close();
      await loading.catch((error: unknown) => {
        const isCut = error instanceof LecternError && error.code === 'FEED_UNREACHABLE';
        if (error !== signal.reason && !isCut) throw error;
      });
    });
  } finally {
    await site.close();
  }
}

function warnStale({ code, message }: LecternError): void {
  const advice = 'the previous feed still answers; start lectern mcp again to accept this one';
  writeError(`warning ${code}: ${message}\nhint: ${advice}\n`);
}
