import { z } from '../foundation/schema.ts';
import { articleStatus } from './article.ts';
import { languageCode } from './fields.ts';
import { queryBoolean, queryInteger, queryMoment } from './query-values.ts';

/** Query of `GET /article`; without any, all articles of all statuses are listed. */
export const listQuery = z.object({
  category_id: z.string().optional().describe('Only articles filed under this category.'),
  tag: z.string().optional().describe('Only articles with this tag.'),
  include_body: queryBoolean.optional().describe('Gives `body` of articles and translations.'),
  updated_at_before: queryMoment.optional().describe('Only articles updated before this moment.'),
  updated_at_after: queryMoment.optional().describe('Only articles updated after this moment.'),
  status: articleStatus.optional(),
  language_code: languageCode.optional().describe('Only articles that exist in this language.'),
  permission_group_id: z
    .string()
    .optional()
    .describe('Only articles restricted to this group (among others).'),
  limit: queryInteger(1, 999_999_999).optional().describe('Maximum number of records; absent: all.'),
  skip: queryInteger(0, 999_999_999).optional().describe('Number of records to skip.'),
  format: z.literal('list').optional().describe('Answers the chatbot source page instead of records.'),
});

export type ListQuery = z.output<typeof listQuery>;
