import type { CommandModule } from 'yargs';

interface VerifyFlags {
  readonly place: string;
  readonly twins: boolean | undefined;
  readonly json: boolean | undefined;
}

/** `lectern verify`: checks a published feed. */
export const verifyCommand: CommandModule<object, VerifyFlags> = {
  command: 'verify <place>',
  describe: 'Check a published feed: hashes, sequence, schema, links',
  builder: (yargs) =>
    yargs
      .positional('place', {
        type: 'string',
        demandOption: true,
        describe: 'Published folder, or address of the published site',
      })
      .options({
        twins: {
          type: 'boolean',
          describe: 'Also read the Markdown of every page (default: in a folder, not over the network)',
        },
        json: { type: 'boolean', describe: 'Print the result as JSON' },
      })
      .example('$0 verify dist', 'Check what the last build wrote')
      .example('$0 verify https://help.example.com/', 'Check what is published'),
  handler: async (flags) => {
    const { runVerify } = await import('../run-verify.ts');
    await runVerify(flags);
  },
};
