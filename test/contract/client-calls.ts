import type { Client } from 'openapi-fetch';
import type { operations, paths } from './openapi.d.ts';

/**
 * One call of each operation, in the order in which they work, with what went wrong, a value of the answer, and the value expected. The types are
 * generated from docs/openapi.json when the test runs: an operation that is missing here, or has other parameters, does not compile.
 */
export function makeCalls(
  client: Client<paths>,
): Record<keyof operations, () => Promise<readonly unknown[]>> {
  const article = { path: { article_id: 'aaaaaaaaaa' } };
  const category = { path: { category_id: 'bikes' } };
  return {
    createCategory: async () => {
      const { data, error } = await client.POST('/category', {
        body: { title: 'Bikes', category_id: 'bikes' },
      });
      return [error, data?.category.title, 'Bikes'];
    },
    listCategories: async () => {
      const { data, error } = await client.GET('/category');
      return [error, data?.categories.map(({ category_id }) => category_id).join(), 'bikes'];
    },
    readCategory: async () => {
      const { data, error } = await client.GET('/category/{category_id}', { params: category });
      return [error, data?.category.category_id, 'bikes'];
    },
    updateCategory: async () => {
      const change = { params: category, body: { icon: 'bike' } };
      const { data, error } = await client.PATCH('/category/{category_id}', change);
      return [error, data?.category.icon, 'bike'];
    },
    createArticle: async () => {
      const body = { article_id: 'aaaaaaaaaa', title: 'Oil the chain', body: '<p>Two drops.</p>' };
      const { data, error } = await client.POST('/article', { body });
      return [error, data?.article.article_id, 'aaaaaaaaaa'];
    },
    listArticles: async () => {
      const query = { status: 'draft', include_body: true, limit: 10 } as const;
      const { data, error } = await client.GET('/article', { params: { query } });
      return [error, data?.articles[0]?.body, '<p>Two drops.</p>'];
    },
    updateArticle: async () => {
      const change = { params: article, body: { is_published: true, category_id: 'bikes' } };
      const { data, error } = await client.PATCH('/article/{article_id}', change);
      return [error, data?.article.is_published, true];
    },
    readArticle: async () => {
      const { data, error } = await client.GET('/article/{article_id}', { params: article });
      return [error, data?.article.category_id, 'bikes'];
    },
    search: async () => {
      const { data, error } = await client.GET('/search', { params: { query: { query: 'chain' } } });
      return [error, data?.articles.length, 1];
    },
    readSourcePage: async () => {
      const { data, error } = await client.GET('/source', { parseAs: 'text' });
      return [error, data?.includes('Oil the chain'), true];
    },
    countViews: async () => {
      const { error, response } = await client.POST('/stats/article/{article_id}', {
        params: article,
        body: { count: 3 },
      });
      return [error, response.status, 200];
    },
    countViewsAtOtherPath: async () => {
      const { error, response } = await client.POST('/v1/stats/article/{article_id}', {
        params: article,
        body: {},
      });
      return [error, response.status, 200];
    },
    readStatisticsAtOtherPath: async () => {
      const { data, error } = await client.GET('/v1/stats/article');
      return [error, data?.top_articles[0]?.count, 4];
    },
    readStatistics: async () => {
      const { data, error } = await client.GET('/stats/article');
      return [error, data?.top_articles[0]?.count, 4];
    },
    countSearch: async () => {
      const { error, response } = await client.POST('/stats/search', {
        body: { query: 'Refund', language: 'en' },
      });
      return [error, response.status, 200];
    },
    readSearches: async () => {
      const { data, error } = await client.GET('/stats/search');
      return [error, data?.searches[0]?.query, 'refund'];
    },
    countFeedback: async () => {
      const body = { article: 'aaaaaaaaaa', language: 'en', helpful: 'no', text: 'Which oil?' } as const;
      const { error, response } = await client.POST('/stats/feedback', { body });
      return [error, response.status, 200];
    },
    readFeedback: async () => {
      const { data, error } = await client.GET('/stats/feedback', { params: { query: { limit: 5 } } });
      return [error, data?.feedback[0]?.texts[0], 'Which oil?'];
    },
    deleteArticle: async () => {
      const { error, response } = await client.DELETE('/article/{article_id}', { params: article });
      return [error, response.status, 200];
    },
  };
}
