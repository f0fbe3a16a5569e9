import { defineCommand } from '../parser/command.ts';
import { completionScript } from '../parser/completion-script.ts';

/** `lectern completion`: the script for the shell of the user. */
export const completionCommand = defineCommand({
  options: {},
  examples: [['lectern completion >> ~/.bashrc', 'For every new shell']],
  run: () => {
    const { SHELL = '', ZSH_NAME } = process.env;
    const shell = ZSH_NAME !== undefined || SHELL.includes('zsh') ? 'zsh' : 'bash';
    process.stdout.write(completionScript('lectern', shell));
  },
});
