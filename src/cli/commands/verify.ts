import { defineCommand } from '../parser/command.ts';

/** `lectern verify`: checks a published feed. */
export const verifyCommand = defineCommand({
  positionals: { place: { describe: 'Published folder, or address of the published site' } },
  options: {
    twins: {
      type: 'boolean',
      describe: 'Also read the Markdown of every page (default: in a folder, not over the network)',
    },
    config: {
      type: 'string',
      describe: 'Configuration file (default lectern.config.json), read for an address only',
    },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
  },
  examples: [
    ['lectern verify dist', 'Check what the last build wrote'],
    ['lectern verify https://help.example.com/', 'Check what is published'],
  ],
  run: async (flags) => {
    const { runVerify } = await import('../run-verify.ts');
    await runVerify(flags);
  },
});
