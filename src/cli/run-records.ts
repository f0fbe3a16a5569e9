import { article, articleCreate, articleUpdate, type ListQuery, listQuery } from '../api/article.ts';
import { category, categoryCreate, categoryUpdate } from '../api/category.ts';
import type { Client } from '../source/client-types.ts';
import type { ClientFlags } from './flags.ts';
import { usageError } from './parser/command.ts';
import { printJson } from './terminal.ts';
import {
  checkFields,
  checkInput,
  conditionOf,
  type EtagFlag,
  type FieldsFlag,
  type IfMatchFlag,
  mergeInput,
  printEtag,
  readInput,
  withClient,
} from './with-client.ts';

/** Flags of `get`. */
interface GetFlags extends FieldsFlag, EtagFlag {
  readonly id: string;
}

/** Filters of `article list`. */
interface ArticleListFlags extends FieldsFlag {
  readonly 'category-id': string | undefined;
  readonly tag: string | undefined;
  readonly status: string | undefined;
  readonly language: string | undefined;
  readonly 'updated-before': string | undefined;
  readonly 'updated-after': string | undefined;
  readonly 'include-body': boolean;
  readonly limit: number | undefined;
  readonly skip: number | undefined;
}

/** Flags of `article create` and `article update`. */
interface ArticleFields extends FieldsFlag {
  readonly input: string | undefined;
  readonly title: string | undefined;
  readonly slug: string | undefined;
  readonly description: string | undefined;
  readonly body: string | undefined;
  readonly 'category-id': string | undefined;
  readonly tags: string | undefined;
  readonly published: boolean | undefined;
  readonly private: boolean | undefined;
  readonly language: string | undefined;
}

/** Runs `lectern article list`. */
export async function runArticleList(flags: ClientFlags & ArticleListFlags): Promise<void> {
  checkFields(flags, article);
  const wanted = {
    category_id: flags['category-id'],
    tag: flags.tag,
    include_body: flags['include-body'] ? 'true' : undefined,
    updated_at_before: flags['updated-before'],
    updated_at_after: flags['updated-after'],
    status: flags.status,
    language_code: flags.language,
    limit: flags.limit?.toString(),
    skip: flags.skip?.toString(),
  };
  const filter: ListQuery = checkInput(listQuery, wanted);
  printJson(await withClient(flags, (client) => client.listArticles(filter)), flags.fields);
}

/** Runs `lectern article get`. */
export async function runArticleGet(flags: ClientFlags & GetFlags): Promise<void> {
  checkFields(flags, article);
  await withClient(flags, async (client) => printRecord(client, await client.readArticle(flags.id), flags));
}

/** Runs `lectern article create`. */
export async function runArticleCreate(flags: ClientFlags & ArticleFields): Promise<void> {
  checkFields(flags, article);
  const fields = checkInput(articleCreate, await readArticleFields(flags));
  printJson(await withClient(flags, (client) => client.createArticle(fields)), flags.fields);
}

/** Runs `lectern article update`. */
export async function runArticleUpdate(
  flags: ClientFlags & ArticleFields & IfMatchFlag & { readonly id: string },
): Promise<void> {
  checkFields(flags, article);
  const change = checkInput(articleUpdate, refuseNothing(await readArticleFields(flags)));
  printJson(
    await withClient(flags, (client) => client.updateArticle(flags.id, change, conditionOf(flags))),
    flags.fields,
  );
}

/** Runs `lectern article delete`. */
export async function runArticleDelete(
  flags: ClientFlags & IfMatchFlag & { readonly id: string },
): Promise<void> {
  await withClient(flags, (client) => client.deleteArticle(flags.id, conditionOf(flags)));
  printJson({ deleted: flags.id });
}

/** Throws USAGE (exit 2) for an update without fields, which would only change the date of the record. */
function refuseNothing<T extends object>(fields: T): T {
  if (Object.keys(fields).length > 0) return fields;
  throw usageError(
    'No field to change is given',
    'pass a field such as --title, or --input with a JSON file of fields',
  );
}

async function readArticleFields(flags: ArticleFields): Promise<Readonly<Record<string, unknown>>> {
  const texts = {
    title: flags.title,
    slug: flags.slug,
    description: flags.description,
    body: flags.body === undefined ? undefined : await readInput(flags.body),
  };
  const others = {
    category_id: flags['category-id'],
    tags: flags.tags
      ?.split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    is_published: flags.published,
    is_private: flags.private,
  };
  return mergeInput(flags.input, flags.language, texts, others);
}

/** Flags of `category create` and `category update`. */
interface CategoryFields extends FieldsFlag {
  readonly input: string | undefined;
  readonly title: string | undefined;
  readonly slug: string | undefined;
  readonly description: string | undefined;
  readonly 'parent-id': string | undefined;
  readonly language: string | undefined;
}

/** Runs `lectern category list`. */
export async function runCategoryList(flags: ClientFlags & FieldsFlag): Promise<void> {
  checkFields(flags, category);
  printJson(await withClient(flags, (client) => client.listCategories()), flags.fields);
}

/** Runs `lectern category get`. */
export async function runCategoryGet(flags: ClientFlags & GetFlags): Promise<void> {
  checkFields(flags, category);
  await withClient(flags, async (client) => printRecord(client, await client.readCategory(flags.id), flags));
}

/** Runs `lectern category create`. */
export async function runCategoryCreate(flags: ClientFlags & CategoryFields): Promise<void> {
  checkFields(flags, category);
  const fields = checkInput(categoryCreate, await readCategoryFields(flags));
  printJson(await withClient(flags, (client) => client.createCategory(fields)), flags.fields);
}

/** Runs `lectern category update`. */
export async function runCategoryUpdate(
  flags: ClientFlags & CategoryFields & IfMatchFlag & { readonly id: string },
): Promise<void> {
  checkFields(flags, category);
  const change = checkInput(categoryUpdate, refuseNothing(await readCategoryFields(flags)));
  printJson(
    await withClient(flags, (client) => client.updateCategory(flags.id, change, conditionOf(flags))),
    flags.fields,
  );
}

function readCategoryFields(flags: CategoryFields): Promise<Readonly<Record<string, unknown>>> {
  const { title, slug, description } = flags;
  return mergeInput(
    flags.input,
    flags.language,
    { title, slug, description },
    { parent_category_id: flags['parent-id'] },
  );
}

function printRecord(client: Client, record: Parameters<Client['etagOf']>[0], flags: GetFlags): void {
  if (flags.etag) printEtag(client.etagOf(record));
  else printJson(record, flags.fields);
}
