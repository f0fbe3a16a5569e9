import { defineCommand } from '../command.ts';
import { pushFlags } from '../flags.ts';

/** `lectern push`: the changes of a folder to the knowledge base. */
export const pushCommand = defineCommand({
  positionals: { dir: { describe: 'Folder in the layout that pull writes' } },
  options: pushFlags,
  examples: [
    ['lectern push kb --dry-run', 'Print what would change'],
    ['lectern push kb', 'Apply the changes'],
  ],
  run: async (flags) => (await import('../run-sync.ts')).runPush(flags),
});
