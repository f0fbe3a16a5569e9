import { clientFlags, etagFlag, fieldsFlag, ifMatchFlag } from '../flags.ts';
import { defineCommand, defineGroup } from '../parser/command.ts';

/** Fields that both articles and categories have. */
const commonFlags = {
  input: { type: 'string', describe: 'JSON file of API fields, - for stdin' },
  title: { type: 'string', describe: 'Title' },
  slug: { type: 'string', describe: 'Slug (default: made from the title)' },
  description: { type: 'string', describe: 'Description' },
} as const;

const textFlags = {
  language: { type: 'string', describe: 'Language of the texts (default: the default language)' },
  ...fieldsFlag,
} as const;

const articleId = { describe: 'Id of the article' };

const articleFlags = {
  ...commonFlags,
  body: { type: 'string', describe: 'HTML file of the body, - for stdin' },
  'category-id': { type: 'string', describe: 'Id of the category' },
  tags: { type: 'string', describe: 'Tags, separated by commas' },
  published: { type: 'boolean', describe: 'Publish (--no-published: make it a draft)' },
  private: { type: 'boolean', describe: 'Make it private (direct link only)' },
  ...textFlags,
} as const;

const listArticles = defineCommand({
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

const getArticle = defineCommand({
  positionals: { id: articleId },
  options: { ...clientFlags, ...fieldsFlag, ...etagFlag },
  examples: [['lectern article get 4fq8d7s2ka', 'One article as JSON']],
  run: async (flags) => (await import('../run-records.ts')).runArticleGet(flags),
});

const createArticle = defineCommand({
  options: { ...clientFlags, ...articleFlags },
  examples: [
    ['lectern article create --title Reset --published', 'A public article'],
    ['lectern article create --input article.json', 'All fields from a file'],
  ],
  run: async (flags) => (await import('../run-records.ts')).runArticleCreate(flags),
});

const updateArticle = defineCommand({
  positionals: { id: articleId },
  options: { ...clientFlags, ...articleFlags, ...ifMatchFlag },
  examples: [['lectern article update 4fq8d7s2ka --title Reset', 'Another title']],
  run: async (flags) => (await import('../run-records.ts')).runArticleUpdate(flags),
});

const deleteArticle = defineCommand({
  positionals: { id: articleId },
  options: { ...clientFlags, ...ifMatchFlag },
  examples: [['lectern article delete 4fq8d7s2ka', 'Deletes permanently']],
  run: async (flags) => (await import('../run-records.ts')).runArticleDelete(flags),
});

/** `lectern article`: every operation on articles. */
export const articleCommand = defineGroup(
  [
    { usage: 'list', describe: 'List articles of all statuses', load: () => listArticles },
    { usage: 'get <id>', describe: 'Read one article', load: () => getArticle },
    {
      usage: 'create',
      describe: 'Create an article (a draft without --published)',
      load: () => createArticle,
    },
    {
      usage: 'update <id>',
      describe: 'Change the given fields',
      load: () => updateArticle,
    },
    {
      usage: 'delete <id>',
      describe: 'Delete an article with its translations',
      load: () => deleteArticle,
    },
  ],
  [
    ['lectern article list --status draft', 'Drafts only'],
    ['lectern article get 4fq8d7s2ka', 'One article as JSON'],
  ],
);

const categoryId = { describe: 'Id of the category' };

const categoryFlags = {
  ...commonFlags,
  'parent-id': { type: 'string', describe: 'Id of the parent category' },
  ...textFlags,
} as const;

const listCategories = defineCommand({
  options: { ...clientFlags, ...fieldsFlag },
  examples: [['lectern category list --fields category_id,title', 'Ids and titles']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryList(flags),
});

const getCategory = defineCommand({
  positionals: { id: categoryId },
  options: { ...clientFlags, ...fieldsFlag, ...etagFlag },
  examples: [['lectern category get 7bnd2k4xp1', 'One category as JSON']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryGet(flags),
});

const createCategory = defineCommand({
  options: { ...clientFlags, ...categoryFlags },
  examples: [['lectern category create --title Billing', 'A new category']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryCreate(flags),
});

const updateCategory = defineCommand({
  positionals: { id: categoryId },
  options: { ...clientFlags, ...categoryFlags, ...ifMatchFlag },
  examples: [['lectern category update 7bnd2k4xp1 --title Billing', 'Another title']],
  run: async (flags) => (await import('../run-records.ts')).runCategoryUpdate(flags),
});

/** `lectern category`: every operation on categories. */
export const categoryCommand = defineGroup(
  [
    { usage: 'list', describe: 'List all categories', load: () => listCategories },
    { usage: 'get <id>', describe: 'Read one category', load: () => getCategory },
    { usage: 'create', describe: 'Create a category', load: () => createCategory },
    {
      usage: 'update <id>',
      describe: 'Change the given fields',
      load: () => updateCategory,
    },
  ],
  [['lectern category list', 'All categories as JSON']],
);
