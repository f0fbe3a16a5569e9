import { operations } from '../../api/operations.ts';
import { addOperation, type RouteContext } from './add-operation.ts';
import { idTaken, notFound } from './http-error.ts';
import { listVersion } from './list-articles.ts';
import type { Router } from './router.ts';

/** The four operations on categories. */
export function addCategoryRoutes(router: Router, context: RouteContext): void {
  const { store } = context;
  addOperation(
    router,
    operations.listCategories,
    () => `{"categories":[${store.listCategories().join(',')}]}`,
    {
      version: () => listVersion(context),
    },
  );
  const read = (id: string) => {
    const category = store.readCategory(id);
    return category === null ? null : `{"category":${category}}`;
  };
  const record = { read, store };
  addOperation(
    router,
    operations.readCategory,
    ({ id }) => {
      const text = read(id);
      if (text === null) throw notFound('category', id);
      return text;
    },
    { record },
  );
  addOperation(
    router,
    operations.createCategory,
    ({ body }) => {
      const category = store.createCategory(body);
      if (category === null) throw idTaken(body.category_id);
      return `{"category":${category}}`;
    },
    { record },
  );
  addOperation(
    router,
    operations.updateCategory,
    ({ id, body }) => {
      const category = store.updateCategory(id, body);
      if (category === null) throw notFound('category', id);
      return `{"category":${category}}`;
    },
    { record },
  );
}
