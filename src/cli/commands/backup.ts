import { defineCommand } from '../parser/command.ts';
import { printJson } from '../print-json.ts';

const data = {
  type: 'string',
  default: 'lectern.sqlite',
  describe: 'SQLite file of the knowledge base',
} as const;

/** `lectern backup`: a consistent copy of the service's data. */
export const backupCommand = defineCommand({
  positionals: { file: { describe: 'Where to write the copy' } },
  options: {
    data,
    force: { type: 'boolean', default: false, describe: 'Replace a file of that name' },
  },
  examples: [['lectern backup kb-backup.sqlite --data kb.sqlite', 'Copy kb.sqlite, also while it is served']],
  run: async ({ data, file, force }) => {
    const { backUp } = await import('../../service/backup.ts');
    printJson(backUp(data, file, force));
  },
});

/** `lectern restore`: the data file of a service, from a copy. */
export const restoreCommand = defineCommand({
  positionals: { file: { describe: 'A file that lectern backup has written' } },
  options: {
    data,
    force: {
      type: 'boolean',
      default: false,
      describe: 'Replace a data file that is there; it is kept as <file>.previous',
    },
  },
  examples: [['lectern restore kb-backup.sqlite --data kb.sqlite', 'Make kb.sqlite from the copy']],
  run: async ({ data, file, force }) => {
    const { restore } = await import('../../service/backup.ts');
    printJson(restore(file, data, force));
  },
});
