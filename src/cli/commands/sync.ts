import { clientFlags } from '../flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern pull`: the whole knowledge base as a folder of files. */
export const pullCommand = defineCommand({
  positionals: { dir: { describe: 'Folder; created if missing' } },
  options: {
    ...clientFlags,
    'dry-run': {
      type: 'boolean',
      default: false,
      describe: 'Print the plan and stop',
    },
    theirs: {
      type: 'boolean',
      default: false,
      describe: "Resolve conflicts with the service's values",
    },
  },
  examples: [
    ['lectern pull kb', 'Write every article into kb/'],
    ['lectern pull kb --dry-run', 'Print what would be written'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPull(flags),
});

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
