import { defineCommand } from '../parser/command.ts';

/** `lectern mcp`: the feed as a server of the Model Context Protocol. */
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
  run: async (flags) => (await import('../run-mcp.ts')).runMcp(flags),
});
