import { languageKey } from '../../foundation/language.ts';
import type { Blocking, StoreContext } from './article-store.ts';
import type { SqlValue } from './database.ts';
import type { Store, TopArticleRow } from './store.ts';

/** The part of the store that counts views, summed up by day as they come in. */
export function createStatisticsStore({
  database,
}: StoreContext): Blocking<Pick<Store, 'countViews' | 'listTopArticles'>> {
  return {
    countViews: (articleId, day, count) =>
      database.run(
        `INSERT INTO article_view (day, position, count)
         SELECT ?, position, ? FROM article WHERE article_id = ?
         ON CONFLICT (day, position) DO UPDATE SET count = count + excluded.count`,
        day,
        count,
        articleId,
      ) > 0,
    listTopArticles: ({ from, to, limit, categoryId, language }) => {
      const values: SqlValue[] = [languageKey(language ?? ''), from, to];
      if (categoryId !== undefined) values.push(categoryId);
      return database.rows<TopArticleRow>(
        `SELECT article.article_id, sum(article_view.count) AS count,
                coalesce(
                  (SELECT title FROM article_version AS version
                   WHERE version.position = article.position AND version.language_key = ? AND title <> ''),
                  (SELECT title FROM article_version AS version
                   WHERE version.position = article.position AND version.language = '')
                ) AS title
         FROM article_view JOIN article ON article.position = article_view.position
         WHERE day BETWEEN ? AND ? ${categoryId === undefined ? '' : 'AND category_id = ?'}
         GROUP BY article.position ORDER BY count DESC, article.position LIMIT ?`,
        ...values,
        limit,
      );
    },
  };
}
