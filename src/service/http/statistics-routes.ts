import { operations } from '../../api/operations.ts';
import { statisticsLimits } from '../../api/queries.ts';
import { addOperation, type RouteContext } from './add-operation.ts';
import { HttpError, notFound } from './http-error.ts';
import type { Router } from './router.ts';

const dayMs = 86_400_000;
const defaultDays = 30;

/** `GET /stats/article`, also at the doubled `/v1/v1/stats/article` of the interface, and the counting of views. */
export function addStatisticsRoutes(router: Router, { store, clock }: RouteContext): void {
  const { readStatistics, countViews } = operations;
  const statistics = [readStatistics.path, `/v1${readStatistics.path}`];
  const counting = [countViews.path, `/v1${countViews.path}`];

  addOperation(
    router,
    readStatistics,
    async ({ query }) => {
      const to = query.end_date ?? toDay(clock());
      const from = query.start_date ?? toDay(Date.parse(to) - (defaultDays - 1) * dayMs);
      if (from > to)
        throw new HttpError(400, 'invalid_parameter', `The start_date ${from} is after the end_date ${to}.`);
      const articles = await store.listTopArticles({
        from,
        to,
        limit: query.limit ?? statisticsLimits.default,
        categoryId: query.category_id,
        language: query.language_code,
      });
      return JSON.stringify({ top_articles: articles });
    },
    { paths: statistics },
  );
  addOperation(
    router,
    countViews,
    async ({ id, body }) => {
      const isCounted = await store.countViews(id, body.date ?? toDay(clock()), body.count ?? 1);
      if (!isCounted) throw notFound('article', id);
      return '{"success":true}';
    },
    { paths: counting },
  );
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
