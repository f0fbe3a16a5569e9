import { defineCommand } from '../parser/command.ts';

/** `lectern config`: every setting with its value and where it comes from. */
export const configCommand = defineCommand({
  options: {
    config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
    json: { type: 'boolean', describe: 'Print the values as JSON' },
  },
  examples: [
    ['lectern config', 'What would a build use?'],
    ['lectern config --json', 'The same for programs'],
  ],
  epilogue: 'The API key is never shown, only whether there is one.',
  run: async ({ config, json = false }) => {
    const { runConfig } = await import('../run-config.ts');
    await runConfig({ config, json });
  },
});
