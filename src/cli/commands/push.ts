import { clientFlags } from '../client-flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern push`: a folder's changes to the knowledge base. */
export const pushCommand = defineCommand({
  positionals: { dir: { describe: 'Folder in the layout that pull writes' } },
  options: {
    ...clientFlags,
    'dry-run': {
      type: 'boolean',
      default: false,
      describe: 'Print the plan and stop',
    },
    delete: {
      type: 'boolean',
      default: false,
      describe: 'Delete articles that were deleted in the folder',
    },
    'allow-mass-delete': {
      type: 'boolean',
      default: false,
      describe: 'Allow to delete more than 20 % of the articles',
    },
    ours: {
      type: 'boolean',
      default: false,
      describe: "Resolve conflicts with the folder's values",
    },
  },
  examples: [
    ['lectern push kb --dry-run', 'Print what would change'],
    ['lectern push kb', 'Apply the changes'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPush(flags),
});
