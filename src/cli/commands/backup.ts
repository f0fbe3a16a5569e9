import { dataFlag, readDataFlag } from '../flags.ts';
import { defineCommand } from '../parser/command.ts';
import { printJson } from '../terminal.ts';

/** `lectern backup`: a consistent copy of the service's data. */
export const backupCommand = defineCommand({
  positionals: { file: { describe: 'Path of the copy' } },
  options: {
    data: dataFlag,
    force: { type: 'boolean', default: false, describe: 'Replace existing files' },
  },
  examples: [['lectern backup kb-backup.sqlite --data kb.sqlite', 'Copy kb.sqlite']],
  run: async ({ data, file, force }) => {
    const { backUp, backUpDatabase } = await import('../../service/backup.ts');
    const { isPostgres } = await import('../../service/store/open-store.ts');
    const source = readDataFlag(data);
    printJson(isPostgres(source) ? await backUpDatabase(source, file, force) : backUp(source, file, force));
  },
});

/** `lectern restore`: the data file of a service, from a copy. */
export const restoreCommand = defineCommand({
  positionals: { file: { describe: 'Backup file' } },
  options: {
    data: dataFlag,
    force: {
      type: 'boolean',
      default: false,
      describe: 'Replace the data file and rename it to <file>.previous',
    },
  },
  examples: [['lectern restore kb-backup.sqlite --data kb.sqlite', 'Restore kb.sqlite']],
  run: async ({ data, file, force }) => {
    const { restore, restoreDatabase } = await import('../../service/backup.ts');
    const { isPostgres } = await import('../../service/store/open-store.ts');
    const target = readDataFlag(data);
    printJson(isPostgres(target) ? await restoreDatabase(file, target, force) : restore(file, target, force));
  },
});
