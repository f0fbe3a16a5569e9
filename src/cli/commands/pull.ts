import { defineCommand } from '../command.ts';
import { clientFlags } from '../flags.ts';

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
      describe: "Resolve conflicts with the service's value of the whole field",
    },
  },
  examples: [
    ['lectern pull kb', 'Write every article into kb/'],
    ['lectern pull kb --dry-run', 'Print what would be written'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPull(flags),
});
