import { defineCommand } from '../command.ts';

/** `lectern init`: creates configuration, .gitignore and a scheduled build in the current folder. */
export const initCommand = defineCommand({
  options: {
    source: { type: 'string', describe: 'Folder of Markdown, built site, zendesk or api (default)' },
    'base-url': { type: 'string', describe: 'URL of the API, ending in /v1' },
    'site-url': { type: 'string', describe: 'Public URL of the site' },
    title: { type: 'string', describe: 'Name of the help centre' },
    'default-language': { type: 'string', describe: 'Default language of the articles (default en)' },
    languages: { type: 'string', describe: 'Languages, e.g. en,de (default all)' },
    ci: {
      type: 'string',
      choices: ['github', 'gitlab', 'cron', 'none'],
      describe: 'Where scheduled builds run',
    },
    check: {
      type: 'boolean',
      default: true,
      describe: 'Read the source and count its articles; --no-check skips this',
    },
    force: { type: 'boolean', describe: 'Replace existing files' },
  },
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
  run: async (flags) => {
    const { runInit } = await import('../init/run-init.ts');
    const { title, languages, ci, check, force } = flags;
    await runInit({
      source: flags.source,
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
