import type { FastifyInstance } from 'fastify';
import { operations } from '../../api/operations.ts';
import { addOperation } from './add-operation.ts';
import { idTaken, notFound } from './http-error.ts';
import { listVersion } from './list-articles.ts';
import type { RouteContext } from './route-context.ts';

/** The four operations on categories. */
export function addCategoryRoutes(app: FastifyInstance, context: RouteContext): void {
  const { store } = context;
  addOperation(app, operations.listCategories, () => `{"categories":[${store.listCategories().join(',')}]}`, {
    version: () => listVersion(context),
  });
  addOperation(app, operations.readCategory, ({ id }) => {
    const category = store.readCategory(id);
    if (category === null) throw notFound('category', id);
    return `{"category":${category}}`;
  });
  addOperation(app, operations.createCategory, ({ body }) => {
    const category = store.createCategory(body);
    if (category === null) throw idTaken(body.category_id);
    return `{"category":${category}}`;
  });
  addOperation(app, operations.updateCategory, ({ id, body }) => {
    const category = store.updateCategory(id, body);
    if (category === null) throw notFound('category', id);
    return `{"category":${category}}`;
  });
}
