import { clientFlags } from '../client-flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern pull`: the whole knowledge base as a folder of files. */
export const pullCommand = defineCommand({
  positionals: { dir: { describe: 'Folder; made when it is not there' } },
  options: {
    ...clientFlags,
    'dry-run': { type: 'boolean', default: false, describe: 'Show what would change, write nothing' },
  },
  examples: [
    ['lectern pull kb', 'Write every article into kb/'],
    ['lectern pull kb --dry-run', 'What would that write?'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPull(flags),
});
