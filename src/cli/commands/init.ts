import { defineCommand } from '../command.ts';
import { initFlags } from '../flags.ts';

/** `lectern init`: creates configuration, .gitignore and a scheduled build in the current folder. */
export const initCommand = defineCommand({
  options: initFlags,
  examples: [
    ['lectern init', 'Answer the questions'],
    ['lectern init --source docs', 'Use a folder of Markdown'],
    ['lectern init --base-url https://kb.example.com/v1 --ci github', 'Pass the answers as flags'],
    ['lectern init --ci github', 'Add a job to a project with a configuration'],
  ],
  epilogue:
    'On a terminal, init asks for what it needs. Otherwise it uses the defaults. If there is a ' +
    'configuration, --ci adds only a job, and the file stays as it is. The API key is never ' +
    'written to a file: set LECTERN_API_KEY, and a secret of this name in the CI system.',
  run: async (flags) => (await import('../init/run-init.ts')).runInit(flags),
});
