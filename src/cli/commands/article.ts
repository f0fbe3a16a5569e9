import { clientFlags, etagFlag, fieldsFlag, ifMatchFlag } from '../flags.ts';
import { defineCommand, defineGroup } from '../parser/command.ts';

const id = { describe: 'Id of the article' };

const recordFlags = {
  input: { type: 'string', describe: 'JSON file of API fields, - for stdin' },
  title: { type: 'string', describe: 'Title' },
  slug: { type: 'string', describe: 'Slug (default: made from the title)' },
  description: { type: 'string', describe: 'Description' },
  body: { type: 'string', describe: 'HTML file of the body, - for stdin' },
  'category-id': { type: 'string', describe: 'Id of the category' },
  tags: { type: 'string', describe: 'Tags, separated by commas' },
  published: { type: 'boolean', describe: 'Publish (--no-published: make it a draft)' },
  private: { type: 'boolean', describe: 'Make it private (direct link only)' },
  language: { type: 'string', describe: 'Language of the texts (default: the default language)' },
  ...fieldsFlag,
} as const;

const listCommand = defineCommand({
  options: {
    ...clientFlags,
    'category-id': { type: 'string', describe: 'Only this category' },
    tag: { type: 'string', describe: 'Only with this tag' },
    status: { type: 'string', describe: 'published, draft or private' },
    language: { type: 'string', describe: 'Only articles that exist in this language' },
    'updated-before': { type: 'string', describe: 'Only updated before this date or time' },
    'updated-after': { type: 'string', describe: 'Only updated after this date or time' },
    'include-body': { type: 'boolean', default: false, describe: 'Include bodies' },
    limit: { type: 'number', describe: 'Maximum number of results' },
    skip: { type: 'number', describe: 'Number of results to skip' },
    ...fieldsFlag,
  },
  examples: [
    ['lectern article list --fields article_id,title', 'Ids and titles'],
    ['lectern article list --status draft', 'Drafts only'],
  ],
  run: async (flags) => (await import('../run-records.ts')).runArticleList(flags),
});

const getCommand = defineCommand({
  positionals: { id },
  options: { ...clientFlags, ...fieldsFlag, ...etagFlag },
  examples: [['lectern article get 4fq8d7s2ka', 'One article as JSON']],
  run: async (flags) => (await import('../run-records.ts')).runArticleGet(flags),
});

const createCommand = defineCommand({
  options: { ...clientFlags, ...recordFlags },
  examples: [
    ['lectern article create --title Reset --published', 'A public article'],
    ['lectern article create --input article.json', 'All fields from a file'],
  ],
  run: async (flags) => (await import('../run-records.ts')).runArticleCreate(flags),
});

const updateCommand = defineCommand({
  positionals: { id },
  options: { ...clientFlags, ...recordFlags, ...ifMatchFlag },
  examples: [['lectern article update 4fq8d7s2ka --title Reset', 'Another title']],
  run: async (flags) => (await import('../run-records.ts')).runArticleUpdate(flags),
});

const deleteCommand = defineCommand({
  positionals: { id },
  options: { ...clientFlags, ...ifMatchFlag },
  examples: [['lectern article delete 4fq8d7s2ka', 'Deletes permanently']],
  run: async (flags) => (await import('../run-records.ts')).runArticleDelete(flags),
});

/** `lectern article`: every operation on articles. */
export const articleCommand = defineGroup(
  [
    { usage: 'list', describe: 'List articles of all statuses', load: () => listCommand },
    { usage: 'get <id>', describe: 'Read one article', load: () => getCommand },
    {
      usage: 'create',
      describe: 'Create an article (a draft without --published)',
      load: () => createCommand,
    },
    {
      usage: 'update <id>',
      describe: 'Change the given fields',
      load: () => updateCommand,
    },
    {
      usage: 'delete <id>',
      describe: 'Delete an article with its translations',
      load: () => deleteCommand,
    },
  ],
  [
    ['lectern article list --status draft', 'Drafts only'],
    ['lectern article get 4fq8d7s2ka', 'One article as JSON'],
  ],
);
