import { clientFlags, fieldsFlag } from '../flags.ts';
import { defineCommand } from '../parser/command.ts';

/** `lectern stats`: views per article. */
export const statsCommand = defineCommand({
  options: {
    ...clientFlags,
    from: { type: 'string', describe: 'First day, e.g. 2026-01-31 (default: 30 days ago)' },
    to: { type: 'string', describe: 'Last day (default: today)' },
    'category-id': { type: 'string', describe: 'Only this category' },
    language: { type: 'string', describe: 'Titles in this language' },
    limit: { type: 'number', describe: 'Maximum number of results' },
    ...fieldsFlag,
  },
  examples: [['lectern stats --from 2026-01-01 --limit 10', 'The ten most viewed']],
  run: async (flags) => {
    const { withClient } = await import('../with-client.ts');
    const { printJson } = await import('../terminal.ts');
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
});
