import { defineCommand } from '../command.ts';
import { clientFlags, planFlag } from '../flags.ts';

/** `lectern push`: the changes of a folder to the knowledge base. */
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
      describe: 'Allow deleting more than 20 % of the articles',
    },
    ...planFlag,
    ours: {
      type: 'boolean',
      default: false,
      describe: "Resolve conflicts with this side's value of the whole field",
    },
  },
  examples: [
    ['lectern push kb --dry-run', 'Print what would change'],
    ['lectern push kb', 'Apply the changes'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPush(flags),
});
