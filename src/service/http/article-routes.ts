import { Readable } from 'node:stream';
import type { ListQuery } from '../../api/article.ts';
import { operations } from '../../api/operations.ts';
import { addOperation, jsonType, type OperationAnswer, type RouteContext } from './add-operation.ts';
import { formatArticle } from './article-url.ts';
import { idTaken, notFound } from './http-error.ts';
import { formatArticleList, listVersion } from './list-articles.ts';
import type { Router } from './router.ts';
import { formatSourcePage, formatSourceText, prefersText } from './source-page.ts';

/** The five operations on articles. */
export function addArticleRoutes(router: Router, context: RouteContext): void {
  const { store, siteUrl } = context;
  const envelope = (text: Parameters<typeof formatArticle>[0]) =>
    `{"article":${formatArticle(text, siteUrl)}}`;

  addOperation(
    router,
    operations.listArticles,
    ({ query, accept }) =>
      query.format === 'list' ? answerSourcePage(context, query, accept) : answerList(context, query),
    { version: ({ accept }) => listVersion(context) + (prefersText(accept) ? '-text' : '') },
  );
  addOperation(
    router,
    operations.readSourcePage,
    ({ query, accept }) => answerSourcePage(context, query, accept),
    { version: ({ accept }) => listVersion(context) + (prefersText(accept) ? '-text' : '') },
  );
  const read = (id: string) => {
    const article = store.readArticle(id);
    return article === null ? null : envelope(article);
  };
  const record = { read, store };
  addOperation(
    router,
    operations.readArticle,
    ({ id }) => {
      const text = read(id);
      if (text === null) throw notFound('article', id);
      return text;
    },
    { record },
  );
  addOperation(
    router,
    operations.createArticle,
    ({ body }) => {
      const article = store.createArticle(body);
      if (article === null) throw idTaken(body.article_id);
      return envelope(article);
    },
    { record },
  );
  addOperation(
    router,
    operations.updateArticle,
    ({ id, body }) => {
      const article = store.updateArticle(id, body);
      if (article === null) throw notFound('article', id);
      return envelope(article);
    },
    { record },
  );
  addOperation(
    router,
    operations.deleteArticle,
    ({ id }) => {
      if (!store.deleteArticle(id)) throw notFound('article', id);
      return '{"success":true}';
    },
    { record },
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
  return { contentType: jsonType, body: Readable.from(chunks) };
}

function answerSourcePage(
  context: RouteContext,
  query: Pick<ListQuery, 'language_code'>,
  accept: string,
): OperationAnswer {
  return prefersText(accept)
    ? {
        contentType: 'text/plain; charset=utf-8',
        body: Readable.from(formatSourceText(context, query.language_code)),
      }
    : { contentType: jsonType, body: Readable.from(formatSourcePage(context, query.language_code)) };
}
