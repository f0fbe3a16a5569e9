import { defineCommand } from '../parser/command.ts';

/** `lectern init`: configuration, .gitignore and a scheduled build, in this folder. */
export const initCommand = defineCommand({
  options: {
    'base-url': { type: 'string', describe: 'Address of the knowledge-base API, ending in /v1' },
    'site-url': { type: 'string', describe: 'Public address of the help site' },
    title: { type: 'string', describe: 'Name of the help centre' },
    'default-language': { type: 'string', describe: 'Default language of the articles' },
    languages: { type: 'string', describe: 'Languages to publish, e.g. en,de (default all)' },
    ci: {
      type: 'string',
      choices: ['github', 'gitlab', 'cron', 'none'],
      describe: 'What builds on a schedule',
    },
    check: {
      type: 'boolean',
      default: true,
      describe: 'Check address and key with the service; --no-check skips it',
    },
    force: { type: 'boolean', describe: 'Replace files that are there' },
  },
  examples: [
    ['lectern init', 'Answer questions'],
    ['lectern init --base-url https://kb.example.com/v1 --ci github', 'Answer by flags'],
  ],
  epilogue:
    'What no flag says is asked for on a terminal and left at its default elsewhere. The API key is never ' +
    'written to a file: set LECTERN_API_KEY, and a secret of the same name where builds are scheduled.',
  run: async (flags) => {
    const { runInit } = await import('../init/run-init.ts');
    const { title, languages, ci, check, force } = flags;
    await runInit({
      baseUrl: flags['base-url'],
      siteUrl: flags['site-url'],
      title,
      defaultLanguage: flags['default-language'],
      languages,
      ci,
      check,
      force,
    });
  },
});
