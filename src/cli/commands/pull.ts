import type { CommandModule } from 'yargs';
import { type ClientFlags, withClientFlags } from '../client-flags.ts';

interface PullFlags extends ClientFlags {
  readonly dir: string;
  readonly 'dry-run': boolean;
}

/** `lectern pull`: the whole knowledge base as a folder of files. */
export const pullCommand: CommandModule<object, PullFlags> = {
  command: 'pull <dir>',
  describe: 'Write the knowledge base into a folder, drafts included',
  builder: (yargs) =>
    withClientFlags(yargs)
      .positional('dir', {
        type: 'string',
        demandOption: true,
        describe: 'Folder; made when it is not there',
      })
      .options({
        'dry-run': { type: 'boolean', default: false, describe: 'Show what would change, write nothing' },
      }),
  handler: async (flags) => (await import('../run-sync.ts')).runPull(flags),
};
