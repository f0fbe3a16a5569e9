import { operations } from '../../api/operations.ts';
import { recordTag } from '../store/store.ts';
import { addOperation, type RouteContext } from './add-operation.ts';
import { changedRecord, idTaken, notFound } from './http-error.ts';
import { listVersion } from './list-articles.ts';
import type { Router } from './router.ts';

/** The four operations on categories. */
export function addCategoryRoutes(router: Router, context: RouteContext): void {
  const { store } = context;
  addOperation(
    router,
    operations.listCategories,
    async () => `{"categories":[${(await store.listCategories()).join(',')}]}`,
    {
      version: () => listVersion(context),
    },
  );
  const recordContext = '';
  const answer = (category: string) => ({
    text: `{"category":${category}}`,
    tag: recordTag(category, recordContext),
  });
  addOperation(
    router,
    operations.readCategory,
    async ({ id }) => {
      const category = await store.readCategory(id);
      if (category === null) throw notFound('category', id);
      return answer(category);
    },
    { recordContext },
  );
  addOperation(
    router,
    operations.createCategory,
    async ({ body }) => {
      const category = await store.createCategory(body);
      if (category === null) throw idTaken(body.category_id);
      return answer(category);
    },
    { recordContext },
  );
  addOperation(
    router,
    operations.updateCategory,
    async ({ id, body, expected }) =>
      answer(changedRecord(await store.updateCategory(id, body, expected), 'category', id)),
    { recordContext },
  );
}
