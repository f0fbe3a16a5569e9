import type { CommandModule } from 'yargs';
import { type ClientFlags, withClientFlags } from '../client-flags.ts';

interface SearchFlags extends ClientFlags {
  readonly text: string;
  readonly limit: number | undefined;
  readonly language: string | undefined;
  readonly 'include-private': boolean;
  readonly 'include-draft': boolean;
  readonly fields: string | undefined;
}

/** `lectern search`: articles that match a text. */
export const searchCommand: CommandModule<object, SearchFlags> = {
  command: 'search <text>',
  describe: 'Search articles',
  builder: (yargs) =>
    withClientFlags(yargs)
      .positional('text', { type: 'string', demandOption: true, describe: 'What to look for' })
      .options({
        limit: { type: 'number', describe: 'How many results' },
        language: { type: 'string', describe: 'Only this language' },
        'include-private': {
          type: 'boolean',
          default: false,
          describe: 'Also private and restricted articles',
        },
        'include-draft': { type: 'boolean', default: false, describe: 'Also drafts' },
        fields: { type: 'string', describe: 'Print only these fields of each article' },
      })
      .example('$0 search "reset password"', 'Public articles that fit')
      .example('$0 search reset --language de', 'In one language'),
  handler: async (flags) => {
    const { withClient } = await import('../with-client.ts');
    const { printJson } = await import('../print-json.ts');
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
};
