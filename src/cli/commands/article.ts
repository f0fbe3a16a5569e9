import type { Argv, CommandModule } from 'yargs';
import { type ClientFlags, withClientFlags } from '../client-flags.ts';
import type { ArticleFields, ArticleListFlags, FieldsFlag } from '../run-article.ts';

/** `lectern article`: every operation on articles. */
export const articleCommand: CommandModule = {
  command: 'article',
  describe: 'List, read, create, update and delete articles',
  builder: (yargs) =>
    yargs
      .command(listCommand)
      .command(getCommand)
      .command(createCommand)
      .command(updateCommand)
      .command(deleteCommand)
      .demandCommand(1, 'which one: list, get, create, update or delete?')
      .example('$0 article list --status draft', 'Drafts alone')
      .example('$0 article get 4fq8d7s2ka', 'One article as JSON'),
  handler: () => {},
};

const fields = { type: 'string', describe: 'Print only these fields, e.g. article_id,title' } as const;

const listCommand: CommandModule<object, ClientFlags & ArticleListFlags> = {
  command: 'list',
  describe: 'List articles of all statuses',
  builder: (yargs) =>
    withClientFlags(yargs)
      .options({
        'category-id': { type: 'string', describe: 'Only this category' },
        tag: { type: 'string', describe: 'Only with this tag' },
        status: { type: 'string', describe: 'published, draft or private' },
        language: { type: 'string', describe: 'Only articles that exist in this language' },
        'updated-before': { type: 'string', describe: 'Only updated before this date or moment' },
        'updated-after': { type: 'string', describe: 'Only updated after this date or moment' },
        'include-body': { type: 'boolean', default: false, describe: 'With bodies' },
        limit: { type: 'number', describe: 'At most so many' },
        skip: { type: 'number', describe: 'Without the first so many' },
        fields,
      })
      .example('$0 article list --fields article_id,title', 'Ids and titles')
      .example('$0 article list --status draft', 'Drafts alone'),
  handler: async (flags) => (await import('../run-article.ts')).listArticles(flags),
};

const getCommand: CommandModule<object, ClientFlags & FieldsFlag & { readonly id: string }> = {
  command: 'get <id>',
  describe: 'Read one article',
  builder: (yargs) =>
    withId(withClientFlags(yargs))
      .options({ fields })
      .example('$0 article get 4fq8d7s2ka', 'One article as JSON'),
  handler: async (flags) => (await import('../run-article.ts')).getArticle(flags),
};

const createCommand: CommandModule<object, ClientFlags & ArticleFields> = {
  command: 'create',
  describe: 'Create an article; a draft without --published',
  builder: (yargs) =>
    withFields(withClientFlags(yargs))
      .example('$0 article create --title Reset --published', 'A public article')
      .example('$0 article create --input article.json', 'All fields from a file'),
  handler: async (flags) => (await import('../run-article.ts')).createArticle(flags),
};

const updateCommand: CommandModule<object, ClientFlags & ArticleFields & { readonly id: string }> = {
  command: 'update <id>',
  describe: 'Change the fields that are given, and no others',
  builder: (yargs) =>
    withFields(withId(withClientFlags(yargs))).example(
      '$0 article update 4fq8d7s2ka --title Reset',
      'Another title',
    ),
  handler: async (flags) => (await import('../run-article.ts')).updateArticle(flags),
};

const deleteCommand: CommandModule<object, ClientFlags & { readonly id: string }> = {
  command: 'delete <id>',
  describe: 'Delete an article with its translations',
  builder: (yargs) => withId(withClientFlags(yargs)).example('$0 article delete 4fq8d7s2ka', 'Gone for good'),
  handler: async (flags) => (await import('../run-article.ts')).deleteArticle(flags),
};

function withId<T>(yargs: Argv<T>) {
  return yargs.positional('id', { type: 'string', demandOption: true, describe: 'Id of the article' });
}

function withFields<T>(yargs: Argv<T>) {
  return yargs.options({
    input: { type: 'string', nargs: 1, describe: 'JSON file of API fields, - for stdin' },
    title: { type: 'string', describe: 'Title' },
    slug: { type: 'string', describe: 'Slug; made from the title when there is none' },
    description: { type: 'string', describe: 'Description' },
    body: { type: 'string', nargs: 1, describe: 'HTML file of the body, - for stdin' },
    'category-id': { type: 'string', describe: 'Category to file it under' },
    tags: { type: 'string', describe: 'Tags, separated by commas' },
    published: { type: 'boolean', describe: 'Publish (--no-published: make it a draft)' },
    private: { type: 'boolean', describe: 'Reached through a direct link only' },
    language: { type: 'string', describe: 'Set the texts of this translation' },
    fields,
  });
}
