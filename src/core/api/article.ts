import { z } from '../schema.ts';
import {
  languageCode,
  nullableText,
  queryBoolean,
  queryInteger,
  queryMoment,
  scheduleTime,
  slug,
  timestamp,
  title,
} from './fields.ts';
import { limits } from './record-text.ts';

/** Ten letters or digits, as in the interface document. */
export const articleId = z
  .string()
  .regex(/^[a-zA-Z0-9]{10}$/, 'must be ten letters or digits')
  .meta({ id: 'ArticleId', description: 'Unique id of an article.' });

const nullableBody = z.string().max(limits.bodyCharacters).nullable();

/** When an article or a translation is public. */
const schedule = {
  publish_at: scheduleTime.describe('Extension: not public before this time. ISO 8601 with a zone.'),
  unpublish_at: scheduleTime.describe(
    'Extension: not public from this time on; later than `publish_at`. ISO 8601 with a zone.',
  ),
};

/** An article in another language. Fields that are `null` are not translated. */
const articleMultilingual = z
  .strictObject({
    language_code: languageCode,
    title: z.string().max(limits.titleCharacters).nullable(),
    slug: slug.nullable().describe('Created from the title if none is given.'),
    description: nullableText,
    body: nullableBody.describe('HTML.'),
    is_live: z.boolean().describe('`false`: this translation is not public.'),
    ...schedule,
  })
  .meta({ id: 'ArticleMultilingual' });

/** Status is derived: not published → `draft`; published and private → `private`; else `published`. */
export const articleStatus = z.enum(['published', 'draft', 'private']);

/** Fields of an article that a client may set, with descriptions; all are optional here. */
const settable = {
  category_id: z.string().nullable().describe('Id of its category.'),
  title,
  slug: slug.nullable().describe('Created from the title if empty or `null`.'),
  description: nullableText.describe('Plain text.'),
  short_version: nullableText.describe('HTML of a shorter version of the article.'),
  tags: z.array(z.string().max(limits.tagCharacters)).max(limits.tags),
  is_published: z.boolean().describe('`false`: a draft.'),
  is_private: z
    .boolean()
    .describe('`true`: not public. The published site leaves it out, also for readers who know its link.'),
  permission_groups: z
    .array(z.string())
    .nullable()
    .describe('If not empty, only these groups may read the article.'),
  ...schedule,
  is_featured: z.boolean(),
  show_toc: z.boolean(),
  sort_order: z.number().nullable(),
  body: z
    .string()
    .max(limits.bodyCharacters)
    .describe(`HTML. The first ${limits.indexedCharacters} characters of its text can be searched.`),
};

/** Fields that the service calculates; accepted and ignored when a client sends a record back. */
const unsettable = {
  account_id: z.unknown(),
  user_id: z.unknown(),
  url: z.unknown(),
  relative_url: z.unknown(),
  version_number: z.unknown(),
  is_current_version: z.unknown(),
  editor_type: z.unknown(),
  stale_status: z.unknown(),
  author: z.unknown(),
};

const multilingualChange = articleMultilingual
  .partial()
  .extend({
    language_code: languageCode,
    is_deleted: z.literal(true).optional().describe('Extension: removes this translation.'),
  })
  .meta({ id: 'ArticleMultilingualChange' });

/** An article as the service returns it. In lists without `include_body`, `body` is absent everywhere. */
export const article = z
  .strictObject({
    article_id: articleId,
    account_id: z.string(),
    ...settable,
    slug: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    body: settable.body.optional(),
    multilingual: z.array(articleMultilingual.partial({ body: true })),
    url: z.string().describe('Calculated: URL of the site and `relative_url`.'),
    relative_url: z.string().describe('Calculated: `/article/<id>-<slug>`.'),
  })
  .meta({ id: 'Article' });

/** Body of `POST /article`: a title and optional fields. */
export const articleCreate = z
  .strictObject({
    ...settable,
    ...unsettable,
    multilingual: z.array(multilingualChange).max(limits.translations),
  })
  .partial()
  .extend({
    title: settable.title,
    article_id: articleId.optional().describe('Extension, for imports: the id to use, if it is free.'),
    created_at: timestamp.optional().describe('Extension, for imports.'),
    updated_at: timestamp.optional().describe('Extension, for imports.'),
  })
  .meta({ id: 'ArticleCreate' });

/** Body of `PATCH /article/:article_id`: only the changed fields. */
export const articleUpdate = z
  .strictObject({
    ...settable,
    ...unsettable,
    article_id: z.unknown(),
    created_at: z.unknown(),
    updated_at: z.unknown(),
    multilingual: z.array(multilingualChange).max(limits.translations),
  })
  .partial()
  .meta({ id: 'ArticleUpdate' });

export type ArticleRecord = z.infer<typeof article>;
export type ArticleMultilingual = z.infer<typeof articleMultilingual>;
export type ArticleMultilingualChange = z.infer<typeof multilingualChange>;
export type ArticleCreate = z.infer<typeof articleCreate>;
export type ArticleUpdate = z.infer<typeof articleUpdate>;
export type ArticleStatus = z.infer<typeof articleStatus>;

/** Query of `GET /article`; without parameters, all articles of all statuses are listed. */
export const listQuery = z.object({
  category_id: z.string().min(1).optional().describe('Only articles in this category.'),
  tag: z.string().min(1).optional().describe('Only articles with this tag.'),
  include_body: queryBoolean.optional().describe('Include the bodies of articles and translations.'),
  updated_at_before: queryMoment.optional().describe('Only articles updated before this time.'),
  updated_at_after: queryMoment.optional().describe('Only articles updated after this time.'),
  status: articleStatus.optional(),
  language_code: languageCode.optional().describe('Only articles that exist in this language.'),
  permission_group_id: z
    .string()
    .min(1)
    .optional()
    .describe('Only articles restricted to this group (among others).'),
  limit: queryInteger(1, 999_999_999).optional().describe('Maximum number of records; absent: all.'),
  skip: queryInteger(0, 999_999_999).optional().describe('Number of records to skip.'),
  // This response has another schema, which the OpenAPI document describes in the operation readSourcePage.
  format: z.literal('list').optional().meta({ isUndocumented: true }),
});

export type ListQuery = z.output<typeof listQuery>;
