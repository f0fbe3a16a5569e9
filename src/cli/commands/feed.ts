import { defineCommand, defineGroup } from '../parser/command.ts';

const diffCommand = defineCommand({
  positionals: {
    old: { describe: 'Folder or address it holds' },
    new: { describe: 'Folder or address that comes' },
  },
  options: {
    config: {
      type: 'string',
      describe: 'Configuration file (default lectern.config.json), read for an address only',
    },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
  },
  examples: [['lectern feed diff https://help.example.com/ dist', 'What publishing dist would change']],
  run: async (flags) => {
    const { runFeedDiff } = await import('../run-feed-diff.ts');
    await runFeedDiff(flags);
  },
});

/** `lectern feed …`: what can be asked about feeds. */
export const feedCommand = defineGroup(
  [
    {
      usage: 'diff <old> <new>',
      describe: 'Show what a consumer of one feed does when another is published',
      load: () => diffCommand,
    },
  ],
  [['lectern feed diff https://help.example.com/ dist', 'What publishing would change']],
);
