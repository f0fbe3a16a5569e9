import { categoryCreate, categoryUpdate } from '../api/category.ts';
import type { ClientFlags } from './client-flags.ts';
import {
  checkInput,
  conditionOf,
  type EtagFlag,
  type IfMatchFlag,
  mergeInput,
  printEtag,
} from './read-input.ts';
import { printJson } from './terminal.ts';
import { withClient } from './with-client.ts';

/** Which fields of each record are printed. */
export interface FieldsFlag {
  readonly fields: string | undefined;
}

/** What `create` and `update` may set. */
export interface CategoryFields extends FieldsFlag {
  readonly input: string | undefined;
  readonly title: string | undefined;
  readonly slug: string | undefined;
  readonly description: string | undefined;
  readonly 'parent-id': string | undefined;
  readonly language: string | undefined;
}

/** Runs `lectern category list`. */
export async function runCategoryList(flags: ClientFlags & Pick<CategoryFields, 'fields'>): Promise<void> {
  printJson(await withClient(flags, (client) => client.listCategories()), flags.fields);
}

/** Runs `lectern category get`. */
export async function runCategoryGet(
  flags: ClientFlags & Pick<CategoryFields, 'fields'> & EtagFlag & { readonly id: string },
): Promise<void> {
  await withClient(flags, async (client) => {
    const category = await client.readCategory(flags.id);
    if (flags.etag) printEtag(client.etagOf(category));
    else printJson(category, flags.fields);
  });
}

/** Runs `lectern category create`. */
export async function runCategoryCreate(flags: ClientFlags & CategoryFields): Promise<void> {
  const category = checkInput(categoryCreate, await readFields(flags));
  printJson(await withClient(flags, (client) => client.createCategory(category)), flags.fields);
}

/** Runs `lectern category update`. */
export async function runCategoryUpdate(
  flags: ClientFlags & CategoryFields & IfMatchFlag & { readonly id: string },
): Promise<void> {
  const change = checkInput(categoryUpdate, await readFields(flags));
  printJson(
    await withClient(flags, (client) => client.updateCategory(flags.id, change, conditionOf(flags))),
    flags.fields,
  );
}

function readFields(flags: CategoryFields): Promise<Readonly<Record<string, unknown>>> {
  const { title, slug, description } = flags;
  return mergeInput(
    flags.input,
    flags.language,
    { title, slug, description },
    { parent_category_id: flags['parent-id'] },
  );
}
