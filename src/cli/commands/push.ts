import { clientFlags } from '../client-flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern push`: a folder's changes to the knowledge base. */
export const pushCommand = defineCommand({
  positionals: { dir: { describe: 'Folder written by pull, or laid out like it' } },
  options: {
    ...clientFlags,
    'dry-run': {
      type: 'boolean',
      default: false,
      describe: 'Show the planned changes without applying them',
    },
    delete: {
      type: 'boolean',
      default: false,
      describe: 'Delete articles that were deleted in the folder',
    },
    'allow-mass-delete': {
      type: 'boolean',
      default: false,
      describe: 'Delete even more than 20 % of the articles',
    },
    ours: {
      type: 'boolean',
      default: false,
      describe: "Where both sides have changed a field, send the folder's value",
    },
  },
  examples: [
    ['lectern push kb --dry-run', 'What would change?'],
    ['lectern push kb', 'Change it'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPush(flags),
});
