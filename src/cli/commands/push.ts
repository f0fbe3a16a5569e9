import type { CommandModule } from 'yargs';
import { type ClientFlags, withClientFlags } from '../client-flags.ts';

interface PushFlags extends ClientFlags {
  readonly dir: string;
  readonly 'dry-run': boolean;
  readonly delete: boolean;
}

/** `lectern push`: a folder's changes to the knowledge base. */
export const pushCommand: CommandModule<object, PushFlags> = {
  command: 'push <dir>',
  describe: 'Carry the changes of a folder over to the knowledge base',
  builder: (yargs) =>
    withClientFlags(yargs)
      .positional('dir', {
        type: 'string',
        demandOption: true,
        describe: 'Folder written by pull, or laid out like it',
      })
      .options({
        'dry-run': { type: 'boolean', default: false, describe: 'Show what would change, change nothing' },
        delete: {
          type: 'boolean',
          default: false,
          describe: 'Delete articles that were deleted in the folder',
        },
      }),
  handler: async (flags) => (await import('../run-sync.ts')).runPush(flags),
};
