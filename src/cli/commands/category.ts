import { clientFlags, etagFlag, fieldsFlag, ifMatchFlag } from '../flags.ts';
import { defineCommand, defineGroup } from '../parser/command.ts';

const id = { describe: 'Id of the category' };

const recordFlags = {
  input: { type: 'string', describe: 'JSON file of API fields, - for stdin' },
  title: { type: 'string', describe: 'Title' },
  slug: { type: 'string', describe: 'Slug (default: made from the title)' },
  description: { type: 'string', describe: 'Description' },
  'parent-id': { type: 'string', describe: 'Id of the parent category' },
  language: { type: 'string', describe: 'Language of the texts (default: the default language)' },
  ...fieldsFlag,
} as const;

const listCommand = defineCommand({
  options: { ...clientFlags, ...fieldsFlag },
  examples: [['lectern category list --fields category_id,title', 'Ids and titles']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryList(flags),
});

const getCommand = defineCommand({
  positionals: { id },
  options: { ...clientFlags, ...fieldsFlag, ...etagFlag },
  examples: [['lectern category get 7bnd2k4xp1', 'One category as JSON']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryGet(flags),
});

const createCommand = defineCommand({
  options: { ...clientFlags, ...recordFlags },
  examples: [['lectern category create --title Billing', 'A new category']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryCreate(flags),
});

const updateCommand = defineCommand({
  positionals: { id },
  options: { ...clientFlags, ...recordFlags, ...ifMatchFlag },
  examples: [['lectern category update 7bnd2k4xp1 --title Billing', 'Another title']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryUpdate(flags),
});

/** `lectern category`: every operation on categories. */
export const categoryCommand = defineGroup(
  [
    { usage: 'list', describe: 'List all categories', load: () => listCommand },
    { usage: 'get <id>', describe: 'Read one category', load: () => getCommand },
    { usage: 'create', describe: 'Create a category', load: () => createCommand },
    {
      usage: 'update <id>',
      describe: 'Change the given fields',
      load: () => updateCommand,
    },
  ],
  [['lectern category list', 'All categories as JSON']],
);
