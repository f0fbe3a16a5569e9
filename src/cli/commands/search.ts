import { clientFlags, fieldsFlag } from '../flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern search`: articles that match a text. */
export const searchCommand = defineCommand({
  positionals: { text: { describe: 'Search words' } },
  options: {
    ...clientFlags,
    limit: { type: 'number', describe: 'Maximum number of results' },
    language: { type: 'string', describe: 'Only this language' },
    'include-private': {
      type: 'boolean',
      default: false,
      describe: 'Include private and restricted articles',
    },
    'include-draft': { type: 'boolean', default: false, describe: 'Include drafts' },
    ...fieldsFlag,
  },
  examples: [
    ['lectern search "reset password"', 'Public articles that match'],
    ['lectern search reset --language de', 'In one language'],
  ],
  run: async (flags) => {
    const { withClient } = await import('../with-client.ts');
    const { printJson } = await import('../terminal.ts');
    const answer = await withClient(flags, (client) =>
      client.search({
        query: flags.text,
        limit: flags.limit,
        language_code: flags.language,
        include_private: flags['include-private'],
        include_draft: flags['include-draft'],
      }),
    );
    if (flags.fields === undefined) printJson(answer);
    else printJson(answer.articles, flags.fields);
  },
});
