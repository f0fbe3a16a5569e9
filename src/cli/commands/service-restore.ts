import { defineCommand } from '../command.ts';
import { dataFlag, readDataFlag } from '../flags.ts';
import { jsonFlag, printAnswer } from '../print-answer.ts';

/** `lectern service restore`: creates the data of a service from a backup. */
export const restoreCommand = defineCommand({
  positionals: { file: { describe: 'Backup file' } },
  options: { data: dataFlag, json: jsonFlag },
  examples: [['lectern service restore kb-backup.sqlite --data kb.sqlite', 'Make kb.sqlite of the backup']],
  run: async ({ data, file, json }) => {
    const { restore } = await import('../../service/backup.ts');
    printAnswer(await restore(file, readDataFlag(data)), json);
  },
});
