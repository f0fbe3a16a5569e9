import { defineCommand } from '../parser/command.ts';

/** `lectern init`: configuration, .gitignore and a scheduled build, in this folder. */
export const initCommand = defineCommand({
  options: {
    'base-url': { type: 'string', describe: 'URL of the knowledge-base API, ending in /v1' },
    'site-url': { type: 'string', describe: 'Public URL of the help site' },
    title: { type: 'string', describe: 'Name of the help centre' },
    'default-language': { type: 'string', describe: 'Default language of the articles' },
    languages: { type: 'string', describe: 'Languages to publish, e.g. en,de (default all)' },
    ci: {
      type: 'string',
      choices: ['github', 'gitlab', 'cron', 'none'],
      describe: 'Where scheduled builds run',
    },
    check: {
      type: 'boolean',
      default: true,
      describe: 'Check URL and key with the service; --no-check skips this',
    },
    force: { type: 'boolean', describe: 'Replace existing files' },
  },
  examples: [
    ['lectern init', 'Answer the questions'],
    ['lectern init --base-url https://kb.example.com/v1 --ci github', 'Pass the answers as flags'],
  ],
  epilogue:
    'On a terminal, init asks for what the flags leave open; elsewhere it uses the defaults. The API key is never ' +
    'written to a file: set LECTERN_API_KEY, and a secret of the same name in the CI system.',
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
