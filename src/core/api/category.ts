import { z } from '../schema.ts';
import { languageCode, nullableText, slug, timestamp, title } from './fields.ts';
import { limits } from './record-text.ts';

/** A category in another language. Fields that are `null` are not translated. */
const categoryMultilingual = z
  .strictObject({
    language_code: languageCode,
    title: z.string().max(limits.titleCharacters).nullable(),
    description: nullableText,
    slug: slug.nullable().describe('Created from the title if none is given.'),
  })
  .meta({ id: 'CategoryMultilingual' });

const multilingualChange = categoryMultilingual
  .partial()
  .extend({
    language_code: languageCode,
    body: nullableText.optional().describe('Alias of `description` that some clients use.'),
    is_deleted: z.literal(true).optional().describe('Extension: removes this translation.'),
  })
  .meta({ id: 'CategoryMultilingualChange' });

const settable = {
  title,
  description: nullableText,
  slug: slug.nullable().describe('Created from the title if empty or `null`.'),
  parent_category_id: z.string().nullable(),
  sort_order: z.number().nullable(),
  icon: nullableText,
};

/** A category as the service returns it. */
export const category = z
  .strictObject({
    category_id: z.string(),
    account_id: z.string(),
    ...settable,
    slug: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    multilingual: z.array(categoryMultilingual),
  })
  .meta({ id: 'Category' });

/** Body of `POST /category`: a title and optional fields. */
export const categoryCreate = z
  .strictObject({
    ...settable,
    account_id: z.unknown(),
    multilingual: z.array(multilingualChange).max(limits.translations),
  })
  .partial()
  .extend({
    title: settable.title,
    category_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Extension, for imports: the id to use, if it is free.'),
    created_at: timestamp.optional().describe('Extension, for imports.'),
    updated_at: timestamp.optional().describe('Extension, for imports.'),
  })
  .meta({ id: 'CategoryCreate' });

/** Body of `PATCH /category/:category_id`: only the changed fields. */
export const categoryUpdate = z
  .strictObject({
    ...settable,
    account_id: z.unknown(),
    category_id: z.unknown(),
    created_at: z.unknown(),
    updated_at: z.unknown(),
    multilingual: z.array(multilingualChange).max(limits.translations),
  })
  .partial()
  .meta({ id: 'CategoryUpdate' });

export type CategoryRecord = z.infer<typeof category>;
export type CategoryMultilingual = z.infer<typeof categoryMultilingual>;
export type CategoryMultilingualChange = z.infer<typeof multilingualChange>;
export type CategoryCreate = z.infer<typeof categoryCreate>;
export type CategoryUpdate = z.infer<typeof categoryUpdate>;
