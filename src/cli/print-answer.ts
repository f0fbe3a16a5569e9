import { formatAnswer } from './format-table.ts';
import { isTerminal, terminalColumns, writeOutput } from './terminal.ts';

export const jsonFlag = {
  type: 'boolean',
  describe: 'Print the result as JSON, as files and pipes get it',
} as const;

/** Prints a table or fields in a terminal, and JSON elsewhere. */
export function printAnswer(answer: unknown, json: boolean | undefined): void {
  if (json || !isTerminal('stdout')) writeOutput(`${JSON.stringify(answer, null, 2)}\n`);
  else writeOutput(formatAnswer(answer, terminalColumns('stdout')));
}
