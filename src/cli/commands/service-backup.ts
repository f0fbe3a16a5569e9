import { defineCommand } from '../command.ts';
import { dataFlag, readDataFlag } from '../flags.ts';
import { jsonFlag, printAnswer } from '../print-answer.ts';

/** `lectern service backup`: a consistent copy of the service's data. */
export const backupCommand = defineCommand({
  positionals: { file: { describe: 'Path of the copy, a new file' } },
  options: { data: dataFlag, json: jsonFlag },
  examples: [['lectern service backup kb-backup.sqlite --data kb.sqlite', 'Copy kb.sqlite']],
  run: async ({ data, file, json }) => {
    const { backUp } = await import('../../service/backup.ts');
    printAnswer(await backUp(readDataFlag(data), file), json);
  },
});
