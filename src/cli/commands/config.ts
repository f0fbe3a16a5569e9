import type { CommandModule } from 'yargs';

interface ConfigFlags {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
}

/** `lectern config`: every setting with its value and where it comes from. */
export const configCommand: CommandModule<object, ConfigFlags> = {
  command: 'config',
  describe: 'Show every setting, its value and where it comes from',
  builder: (yargs) =>
    yargs
      .options({
        config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
        json: { type: 'boolean', describe: 'Print the values as JSON' },
      })
      .example('$0 config', 'What would a build use?')
      .example('$0 config --json', 'The same for programs')
      .epilogue('The API key is never shown, only whether there is one.'),
  handler: async (flags) => {
    const { runConfig } = await import('../run-config.ts');
    await runConfig({ config: flags.config, json: flags.json ?? false });
  },
};
