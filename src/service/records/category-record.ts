import type { Category, CategoryCreate, CategoryMultilingual, CategoryUpdate } from '../../api/category.ts';
import { slugify } from '../../foundation/slug.ts';
import { laterThan, mergeTranslations, type RecordOrigin, sent, slugOf, toMoment } from './record-rules.ts';

/** Makes the record of a new category. */
export function newCategory(input: CategoryCreate, origin: RecordOrigin): Category {
  const createdAt = input.created_at === undefined ? origin.now : toMoment(input.created_at);
  return {
    category_id: origin.id,
    account_id: origin.accountId,
    title: input.title,
    slug: input.slug || slugify(input.title),
    description: input.description ?? null,
    parent_category_id: input.parent_category_id ?? null,
    sort_order: input.sort_order ?? null,
    icon: input.icon ?? null,
    created_at: createdAt,
    updated_at: input.updated_at === undefined ? createdAt : toMoment(input.updated_at),
    multilingual: mergeCategoryTranslations([], input.multilingual),
  };
}

/** Applies a partial update: only what is sent changes; `updated_at` always moves forward. */
export function applyCategoryUpdate(current: Category, change: CategoryUpdate, now: string): Category {
  const title = change.title ?? current.title;
  return {
    category_id: current.category_id,
    account_id: current.account_id,
    title,
    slug: change.slug === undefined ? current.slug : change.slug || slugify(title),
    description: sent(change.description, current.description),
    parent_category_id: sent(change.parent_category_id, current.parent_category_id),
    sort_order: sent(change.sort_order, current.sort_order),
    icon: sent(change.icon, current.icon),
    created_at: current.created_at,
    updated_at: laterThan(current.updated_at, now),
    multilingual: mergeCategoryTranslations(current.multilingual, change.multilingual),
  };
}

function mergeCategoryTranslations(
  current: readonly CategoryMultilingual[],
  changes: CategoryUpdate['multilingual'],
): CategoryMultilingual[] {
  return mergeTranslations(current, changes, (before, change) => {
    const title = sent(change.title, before?.title ?? null);
    return {
      language_code: before?.language_code ?? change.language_code,
      title,
      description: sent(change.description ?? change.body, before?.description ?? null),
      slug: slugOf(change.slug, before?.slug ?? null, title),
    };
  });
}
