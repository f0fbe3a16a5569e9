import { defineCommand } from '../command.ts';
import { dataFlag, readDataFlag } from '../flags.ts';
import { jsonFlag, printAnswer } from '../print-answer.ts';

/** `lectern service restore`: creates the data file of a service from a backup. */
export const restoreCommand = defineCommand({
  positionals: { file: { describe: 'Backup file' } },
  options: {
    data: dataFlag,
    json: jsonFlag,
    force: {
      type: 'boolean',
      default: false,
      describe: 'Keep the old file as <file>.previous and replace it',
    },
  },
  examples: [['lectern service restore kb-backup.sqlite --data kb.sqlite', 'Restore kb.sqlite']],
  run: async ({ data, file, force, json }) => {
    const { restore, restoreDatabase } = await import('../../service/backup.ts');
    const { isPostgres } = await import('../../service/store/open-store.ts');
    const target = readDataFlag(data);
    const restored = isPostgres(target)
      ? await restoreDatabase(file, target, force)
      : restore(file, target, force);
    printAnswer(restored, json);
  },
});
