import type { Category, CategoryCreate } from '../../api/category.ts';
import { repairText } from '../../api/fields.ts';
import { applyCategoryUpdate, newCategory } from '../records/category-record.ts';
import { makeId } from '../records/record-rules.ts';
import type { Blocking, StoreContext } from './article-store.ts';
import { isExpected, type Store } from './store.ts';

type CategoryStore = Blocking<
  Pick<Store, 'listCategories' | 'readCategory' | 'createCategory' | 'updateCategory'>
>;

/** The part of the store that keeps categories. */
export function createCategoryStore(context: StoreContext): CategoryStore {
  const { database } = context;
  const readCategory = (categoryId: string) =>
    database.row<{ record: string }>('SELECT record FROM category WHERE category_id = ?', categoryId)
      ?.record ?? null;
  return {
    readCategory,
    listCategories: () =>
      database
        .rows<{ record: string }>('SELECT record FROM category ORDER BY position')
        .map((row) => row.record),
    createCategory: (input) => context.write(() => insertCategory(context, input)),
    updateCategory: (categoryId, change, expected) =>
      context.write(() => {
        const current = readCategory(categoryId);
        if (current === null) return { outcome: 'not_found' };
        if (!isExpected(current, expected)) return { outcome: 'precondition_failed' };
        const record = JSON.stringify(
          applyCategoryUpdate(JSON.parse(current) as Category, change, context.now()),
        );
        database.run('UPDATE category SET record = ? WHERE category_id = ?', record, categoryId);
        return { outcome: 'done', record };
      }),
  };
}

/** Repairs the records of an older file as `rebuildArticles` does. */
export function repairCategories({ database }: StoreContext): void {
  for (const { position, record } of database.rows<{ position: number; record: string }>(
    'SELECT position, record FROM category',
  )) {
    const repaired = JSON.stringify(repairText(JSON.parse(record)));
    database.run('UPDATE category SET record = ? WHERE position = ?', repaired, position);
  }
}

/** Writes one new category inside the caller's transaction; `null` when the id it asks for is taken. */
export function insertCategory(context: StoreContext, input: CategoryCreate): string | null {
  const { database, accountId } = context;
  const isTaken = (id: string) => database.row('SELECT 1 FROM category WHERE category_id = ?', id) !== null;
  if (input.category_id !== undefined && isTaken(input.category_id)) return null;
  let id = input.category_id ?? makeId();
  while (isTaken(id)) id = makeId();
  const record = JSON.stringify(newCategory(input, { id, accountId, now: context.now() }));
  database.run('INSERT INTO category (category_id, record) VALUES (?, ?)', id, record);
  return record;
}
