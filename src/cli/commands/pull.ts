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
      describe: 'Show the planned changes without applying them',
    },
    theirs: {
      type: 'boolean',
      default: false,
      describe: "Where both sides have changed a field, take the service's value",
    },
  },
  examples: [
    ['lectern pull kb', 'Write every article into kb/'],
    ['lectern pull kb --dry-run', 'What would that write?'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPull(flags),
});
