import { defineCommand } from '../command.ts';
import { dataFlag, readDataFlag } from '../flags.ts';
import { jsonFlag, printAnswer } from '../print-answer.ts';

/** `lectern service backup`: a consistent copy of the service's data. */
export const backupCommand = defineCommand({
  positionals: { file: { describe: 'Path of the copy' } },
  options: {
    data: dataFlag,
    json: jsonFlag,
    force: { type: 'boolean', default: false, describe: 'Replace existing files' },
  },
  examples: [['lectern service backup kb-backup.sqlite --data kb.sqlite', 'Copy kb.sqlite']],
  run: async ({ data, file, force, json }) => {
    const { backUp, backUpDatabase } = await import('../../service/backup.ts');
    const { isPostgres } = await import('../../service/store/open-store.ts');
    const source = readDataFlag(data);
    const copied = isPostgres(source)
      ? await backUpDatabase(source, file, force)
      : backUp(source, file, force);
    printAnswer(copied, json);
  },
});
