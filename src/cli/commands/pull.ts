import { clientFlags } from '../client-flags.ts';
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
