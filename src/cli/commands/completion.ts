import { defineCommand } from '../parser/command.ts';
import { printCompletionScript } from '../parser/create-parser.ts';

/** `lectern completion`: the script for the shell of the user. */
export const completionCommand = defineCommand({
  options: {},
  examples: [['lectern completion >> ~/.bashrc', 'For every new shell']],
  run: () => printCompletionScript('lectern'),
});
