import { articleCreate, articleUpdate, type ListQuery, listQuery } from '../api/article.ts';
import type { ClientFlags } from './client-flags.ts';
import {
  checkInput,
  conditionOf,
  type EtagFlag,
  type IfMatchFlag,
  mergeInput,
  printEtag,
  readInput,
} from './read-input.ts';
import { printJson } from './terminal.ts';
import { withClient } from './with-client.ts';

/** Which fields of each record are printed. */
export interface FieldsFlag {
  readonly fields: string | undefined;
}

/** Filters of `article list`. */
export interface ArticleListFlags extends FieldsFlag {
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

/** What `create` and `update` may set. */
export interface ArticleFields extends FieldsFlag {
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
export async function runArticleGet(
  flags: ClientFlags & EtagFlag & { readonly id: string; readonly fields: string | undefined },
) {
  await withClient(flags, async (client) => {
    const article = await client.readArticle(flags.id);
    if (flags.etag) printEtag(client.etagOf(article));
    else printJson(article, flags.fields);
  });
}

/** Runs `lectern article create`. */
export async function runArticleCreate(flags: ClientFlags & ArticleFields): Promise<void> {
  const article = checkInput(articleCreate, await readFields(flags));
  printJson(await withClient(flags, (client) => client.createArticle(article)), flags.fields);
}

/** Runs `lectern article update`. */
export async function runArticleUpdate(
  flags: ClientFlags & ArticleFields & IfMatchFlag & { readonly id: string },
): Promise<void> {
  const change = checkInput(articleUpdate, await readFields(flags));
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

async function readFields(flags: ArticleFields): Promise<Readonly<Record<string, unknown>>> {
  const texts = {
    title: flags.title,
    slug: flags.slug,
    description: flags.description,
    body: flags.body === undefined ? undefined : await readInput(flags.body),
  };
  const others = {
    category_id: flags['category-id'],
    tags: flags.tags?.split(',').map((tag) => tag.trim()),
    is_published: flags.published,
    is_private: flags.private,
  };
  return mergeInput(flags.input, flags.language, texts, others);
}
