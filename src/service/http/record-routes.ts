import { Readable } from 'node:stream';
import type { ListQuery } from '../../core/api/article.ts';
import { operations } from '../../core/api/operations.ts';
import { type ArticleText, recordTag } from '../store/store.ts';
import { addOperation, type OperationAnswer, type RouteContext } from './add-operation.ts';
import { formatArticle, formatArticleList, formatSourcePage, listVersion } from './format-articles.ts';
import { changedRecord, createdRecord, foundRecord } from './router.ts';

/** The operations on articles. */
export function addArticleRoutes(context: RouteContext): void {
  const { store, siteUrl } = context;
  const answer = (article: ArticleText) => ({
    text: `{"article":${formatArticle(article, siteUrl)}}`,
    tag: recordTag(article.json, siteUrl),
  });
  addOperation(context, operations.listArticles, ({ query }) =>
    query.format === 'list' ? answerSourcePage(context, query) : answerList(context, query),
  );
  addOperation(context, operations.readSourcePage, ({ query }) => answerSourcePage(context, query));
  addOperation(context, operations.readArticle, async ({ id }) =>
    answer(foundRecord(await store.readArticle(id), 'article', id)),
  );
  addOperation(context, operations.createArticle, async ({ body }) =>
    answer(createdRecord(await store.createArticle(body), body.article_id)),
  );
  addOperation(context, operations.updateArticle, async ({ id, body, expected }) =>
    answer(changedRecord(await store.updateArticle(id, body, expected), 'article', id)),
  );
  addOperation(context, operations.deleteArticle, async ({ id, expected }) => {
    changedRecord(await store.deleteArticle(id, expected), 'article', id);
    return '{"success":true}';
  });
}

async function answerList(context: RouteContext, query: ListQuery): Promise<OperationAnswer> {
  const { store, siteUrl } = context;
  const { include_body: includeBody = false, skip = 0, limit = Infinity, format: _, ...filter } = query;
  // The list is read after its tag, so that a tag is never newer than its list.
  const tag = await listVersion(context);
  const chunks = formatArticleList(store, { filter, includeBody, skip, limit }, siteUrl);
  return { tag, text: Readable.from(chunks) };
}

async function answerSourcePage(
  context: RouteContext,
  query: Pick<ListQuery, 'language_code'>,
): Promise<OperationAnswer> {
  const tag = await listVersion(context);
  return { tag, text: Readable.from(formatSourcePage(context, query.language_code)) };
}

/** The operations on categories. */
export function addCategoryRoutes(context: RouteContext): void {
  const { store, siteUrl } = context;
  const answer = (category: string) => ({
    text: `{"category":${category}}`,
    tag: recordTag(category, siteUrl),
  });
  addOperation(context, operations.listCategories, async () => {
    const tag = await listVersion(context);
    return { tag, text: `{"categories":[${(await store.listCategories()).join(',')}]}` };
  });
  addOperation(context, operations.readCategory, async ({ id }) =>
    answer(foundRecord(await store.readCategory(id), 'category', id)),
  );
  addOperation(context, operations.createCategory, async ({ body }) =>
    answer(createdRecord(await store.createCategory(body), body.category_id)),
  );
  addOperation(context, operations.updateCategory, async ({ id, body, expected }) =>
    answer(changedRecord(await store.updateCategory(id, body, expected), 'category', id)),
  );
}
