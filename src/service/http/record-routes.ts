import { Readable } from 'node:stream';
import type { ListQuery } from '../../core/api/article.ts';
import { operations } from '../../core/api/operations.ts';
import { type ArticleText, recordTag } from '../store/store.ts';
import { addOperation, type OperationAnswer, type RouteContext } from './add-operation.ts';
import { formatArticle, formatArticleList, formatSourcePage, listVersion } from './format-articles.ts';
import { changedRecord, idTaken, notFound, type Router } from './router.ts';

/** The five operations on articles. */
export function addArticleRoutes(router: Router, context: RouteContext): void {
  const { store, siteUrl } = context;
  const recordContext = siteUrl;
  const answer = (article: ArticleText) => ({
    text: `{"article":${formatArticle(article, siteUrl)}}`,
    tag: recordTag(article.json, recordContext),
  });

  const version = () => listVersion(context);
  addOperation(
    router,
    operations.listArticles,
    async ({ query }) =>
      query.format === 'list' ? answerSourcePage(context, query) : answerList(context, query),
    { version },
  );
  addOperation(router, operations.readSourcePage, async ({ query }) => answerSourcePage(context, query), {
    version,
  });
  addOperation(
    router,
    operations.readArticle,
    async ({ id }) => {
      const article = await store.readArticle(id);
      if (article === null) throw notFound('article', id);
      return answer(article);
    },
    { recordContext },
  );
  addOperation(
    router,
    operations.createArticle,
    async ({ body }) => {
      const article = await store.createArticle(body);
      if (article === null) throw idTaken(body.article_id);
      return answer(article);
    },
    { recordContext },
  );
  addOperation(
    router,
    operations.updateArticle,
    async ({ id, body, expected }) =>
      answer(changedRecord(await store.updateArticle(id, body, expected), 'article', id)),
    { recordContext },
  );
  addOperation(
    router,
    operations.deleteArticle,
    async ({ id, expected }) => {
      changedRecord(await store.deleteArticle(id, expected), 'article', id);
      return '{"success":true}';
    },
    { recordContext },
  );
}

function answerList({ store, siteUrl }: RouteContext, query: ListQuery): OperationAnswer {
  const filter = {
    categoryId: query.category_id,
    tag: query.tag,
    status: query.status,
    language: query.language_code,
    permissionGroupId: query.permission_group_id,
    updatedBefore: query.updated_at_before,
    updatedAfter: query.updated_at_after,
  };
  const includeBody = query.include_body ?? false;
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  const chunks = formatArticleList(store, { filter, includeBody, skip: query.skip ?? 0, limit }, siteUrl);
  return Readable.from(chunks);
}

function answerSourcePage(context: RouteContext, query: Pick<ListQuery, 'language_code'>): OperationAnswer {
  return Readable.from(formatSourcePage(context, query.language_code));
}

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
