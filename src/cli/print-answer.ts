import { splitList } from '../core/split-list.ts';
import { formatAnswer } from './format-table.ts';
import { isTerminal, printJson, terminalColumns, writeOutput } from './terminal.ts';

export const jsonFlag = {
  type: 'boolean',
  describe: 'Print the result as JSON, as files and pipes get it',
} as const;

/** Prints a table or fields in a terminal, and JSON elsewhere. @param fields to show, separated by commas */
export function printAnswer(answer: unknown, json: boolean | undefined, fields?: string): void {
  if (json || !isTerminal('stdout')) printJson(answer, fields);
  else {
    const names = fields === undefined ? null : splitList(fields);
    writeOutput(formatAnswer(answer, { columns: terminalColumns('stdout'), fields: names }));
  }
}
