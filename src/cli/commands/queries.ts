import { clientFlags, fieldsFlag } from '../flags.ts';
import { defineCommand } from '../parser/command.ts';
import { printJson, writeDocument } from '../terminal.ts';

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
    const { checkFields, withClient } = await import('../with-client.ts');
    const { searchHit } = await import('../../api/queries.ts');
    checkFields(flags, searchHit);
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
    const { checkFields, withClient } = await import('../with-client.ts');
    const { topArticle } = await import('../../api/queries.ts');
    checkFields(flags, topArticle);
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

/** `lectern source`: the chatbot source page of the service. */
export const sourceCommand = defineCommand({
  options: {
    ...clientFlags,
    language: { type: 'string', describe: 'Only this language' },
    text: { type: 'boolean', default: false, describe: 'Print text instead of JSON' },
  },
  examples: [
    ['lectern source --language de', 'One language'],
    ['lectern source --text > source.txt', 'As plain text'],
  ],
  run: async (flags) => {
    const { withClient } = await import('../with-client.ts');
    const query = { language_code: flags.language };
    if (flags.text) writeDocument(await withClient(flags, (client) => client.readSourceText(query)));
    else printJson(await withClient(flags, (client) => client.readSourcePage(query)));
  },
});
