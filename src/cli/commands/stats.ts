import type { CommandModule } from 'yargs';
import { type ClientFlags, withClientFlags } from '../client-flags.ts';

interface StatsFlags extends ClientFlags {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly 'category-id': string | undefined;
  readonly language: string | undefined;
  readonly limit: number | undefined;
  readonly fields: string | undefined;
}

/** `lectern stats`: views per article. */
export const statsCommand: CommandModule<object, StatsFlags> = {
  command: 'stats',
  describe: 'Show views per article in a timeframe, most viewed first',
  builder: (yargs) =>
    withClientFlags(yargs)
      .options({
        from: { type: 'string', describe: 'First day, e.g. 2026-01-31 (default: 30 days)' },
        to: { type: 'string', describe: 'Last day (default: today)' },
        'category-id': { type: 'string', describe: 'Only this category' },
        language: { type: 'string', describe: 'Titles in this language' },
        limit: { type: 'number', describe: 'How many articles' },
        fields: { type: 'string', describe: 'Print only these fields' },
      })
      .example('$0 stats --from 2026-01-01 --limit 10', 'The ten most viewed'),
  handler: async (flags) => {
    const { withClient } = await import('../with-client.ts');
    const { printJson } = await import('../print-json.ts');
    const articles = await withClient(flags, (client) =>
      client.readStatistics({
        start_date: flags.from,
        end_date: flags.to,
        category_id: flags['category-id'],
        language_code: flags.language,
        limit: flags.limit,
      }),
    );
    printJson(articles, flags.fields);
  },
};
