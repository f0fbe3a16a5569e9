import type { CommandModule } from 'yargs';

interface DiffFlags {
  readonly old: string;
  readonly new: string;
  readonly json: boolean | undefined;
}

const diffCommand: CommandModule<object, DiffFlags> = {
  command: 'diff <old> <new>',
  describe: 'Show what a consumer of one feed does when another is published',
  builder: (yargs) =>
    yargs
      .positional('old', { type: 'string', demandOption: true, describe: 'Folder or address it holds' })
      .positional('new', { type: 'string', demandOption: true, describe: 'Folder or address that comes' })
      .option('json', { type: 'boolean', describe: 'Print the result as JSON' })
      .example('$0 feed diff https://help.example.com/ dist', 'What publishing dist would change'),
  handler: async (flags) => {
    const { runFeedDiff } = await import('../run-feed-diff.ts');
    await runFeedDiff(flags);
  },
};

/** `lectern feed …`: what can be asked about feeds. */
export const feedCommand: CommandModule = {
  command: 'feed <command>',
  describe: 'Compare feeds',
  builder: (yargs) =>
    yargs
      .command(diffCommand)
      .demandCommand(1, 'which one: diff?')
      .example('$0 feed diff https://help.example.com/ dist', 'What publishing would change'),
  handler: () => {},
};
