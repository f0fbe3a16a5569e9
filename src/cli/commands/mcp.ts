import { defineCommand } from '../parser/command.ts';

/** `lectern mcp`: the feed as a server of the Model Context Protocol. */
export const mcpCommand = defineCommand({
  positionals: { site: { describe: 'Published folder, or URL of the published site' } },
  options: {
    port: {
      type: 'number',
      describe:
        'Serve over HTTP on this port of this machine, 0 for a free one (default: standard input and output)',
    },
    config: {
      type: 'string',
      describe: 'Configuration file (default lectern.config.json), read for a URL only',
    },
  },
  examples: [
    ['lectern mcp dist', 'For a client that starts the program itself'],
    ['lectern mcp dist --port 0', 'For clients on this machine, on a free port'],
  ],
  run: async (flags) => (await import('../run-mcp.ts')).runMcp(flags),
});
