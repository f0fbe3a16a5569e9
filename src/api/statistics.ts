import { z } from '../foundation/schema.ts';
import { articleId } from './article.ts';
import { languageCode, queryInteger } from './fields.ts';

/** How many entries the statistics give when nothing is said, and at most. */
export const statisticsLimits = { default: 100, maximum: 1000 };

const day = z.iso.date('must be a day such as 2026-01-31');

/** Query of `GET /stats/article`. */
export const statisticsQuery = z.object({
  language_code: languageCode.optional().describe('Gives titles in this language, where an article has one.'),
  start_date: day.optional().describe('First day (UTC), inclusive; absent: 29 days before the last.'),
  end_date: day.optional().describe('Last day (UTC), inclusive; absent: today.'),
  category_id: z.string().min(1).optional(),
  limit: queryInteger(1, statisticsLimits.maximum)
    .optional()
    .describe(`How many: ${statisticsLimits.default} when absent, at most ${statisticsLimits.maximum}.`),
});

/** Article id, views in the timeframe and title: the fields of the interface document. */
export const topArticle = z
  .strictObject({
    article_id: articleId,
    count: z.int().describe('Views in the timeframe.'),
    title: z.string(),
  })
  .meta({ id: 'TopArticle' });

/** Answer of `GET /stats/article`, most viewed first. */
export const statisticsAnswer = z.strictObject({ top_articles: z.array(topArticle) });

/** Body of the extension `POST /stats/article/:article_id`: views to add. */
export const viewCount = z
  .strictObject({
    count: z.int().min(1).max(1_000_000).optional().describe('How many views; 1 when absent.'),
    date: day.optional().describe('Day of the views (UTC); today when absent.'),
  })
  .meta({ id: 'ViewCount' });

export type StatisticsQuery = z.output<typeof statisticsQuery>;
export type TopArticle = z.output<typeof topArticle>;
export type ViewCount = z.output<typeof viewCount>;
