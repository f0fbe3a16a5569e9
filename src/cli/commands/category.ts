import type { Argv, CommandModule } from 'yargs';
import { type ClientFlags, withClientFlags } from '../client-flags.ts';
import type { CategoryFields, FieldsFlag } from '../run-category.ts';

/** `lectern category`: every operation on categories. */
export const categoryCommand: CommandModule = {
  command: 'category',
  describe: 'List, read, create and update categories',
  builder: (yargs) =>
    yargs
      .command(listCommand)
      .command(getCommand)
      .command(createCommand)
      .command(updateCommand)
      .demandCommand(1, 'which one: list, get, create or update?')
      .example('$0 category list', 'All categories as JSON'),
  handler: () => {},
};

const fields = { type: 'string', describe: 'Print only these fields, e.g. category_id,title' } as const;

const listCommand: CommandModule<object, ClientFlags & FieldsFlag> = {
  command: 'list',
  describe: 'List all categories',
  builder: (yargs) =>
    withClientFlags(yargs)
      .options({ fields })
      .example('$0 category list --fields category_id,title', 'Ids and titles'),
  handler: async (flags) => (await import('../run-category.ts')).listCategories(flags),
};

const getCommand: CommandModule<object, ClientFlags & FieldsFlag & { readonly id: string }> = {
  command: 'get <id>',
  describe: 'Read one category',
  builder: (yargs) =>
    withId(withClientFlags(yargs))
      .options({ fields })
      .example('$0 category get 7bnd2k4xp1', 'One category as JSON'),
  handler: async (flags) => (await import('../run-category.ts')).getCategory(flags),
};

const createCommand: CommandModule<object, ClientFlags & CategoryFields> = {
  command: 'create',
  describe: 'Create a category',
  builder: (yargs) =>
    withFields(withClientFlags(yargs)).example('$0 category create --title Billing', 'A new category'),
  handler: async (flags) => (await import('../run-category.ts')).createCategory(flags),
};

const updateCommand: CommandModule<object, ClientFlags & CategoryFields & { readonly id: string }> = {
  command: 'update <id>',
  describe: 'Change the fields that are given, and no others',
  builder: (yargs) =>
    withFields(withId(withClientFlags(yargs))).example(
      '$0 category update 7bnd2k4xp1 --title Billing',
      'Another title',
    ),
  handler: async (flags) => (await import('../run-category.ts')).updateCategory(flags),
};

function withId<T>(yargs: Argv<T>) {
  return yargs.positional('id', { type: 'string', demandOption: true, describe: 'Id of the category' });
}

function withFields<T>(yargs: Argv<T>) {
  return yargs.options({
    input: { type: 'string', nargs: 1, describe: 'JSON file of API fields, - for stdin' },
    title: { type: 'string', describe: 'Title' },
    slug: { type: 'string', describe: 'Slug; made from the title when there is none' },
    description: { type: 'string', describe: 'Description' },
    'parent-id': { type: 'string', describe: 'Category it belongs to' },
    language: { type: 'string', describe: 'Set the texts of this translation' },
    fields,
  });
}
