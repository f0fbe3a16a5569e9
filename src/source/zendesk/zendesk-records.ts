import { z } from '../../foundation/schema.ts';

/**
 * The records of the Zendesk Help Center API that are read, as documented below
 * https://developer.zendesk.com/api-reference/help_center/help-center-api/ (`articles`, `sections`, `categories`, `translations`,
 * `article_attachments`; read in November 2026). Fields that decide about visibility are `unknown`: they are checked, not trusted.
 */
const id = z.int().positive();
const text = z.string().nullish();

export const zendeskArticle = z.object({
  id,
  section_id: id.nullish(),
  /** `null`: everybody; a number: a group of users. */
  user_segment_id: z.unknown().optional(),
  /** Of several groups; present in some answers only. */
  user_segment_ids: z.unknown().optional(),
  created_at: text,
  updated_at: text,
  label_names: z.array(z.string()).nullish(),
  position: z.number().nullish(),
  promoted: z.boolean().nullish(),
});

export const zendeskTranslation = z.object({
  locale: z.string(),
  title: text,
  body: text,
  /** Not published in this language. */
  draft: z.unknown().optional(),
  /** Not documented; a translation that has it and is hidden is not public. */
  hidden: z.unknown().optional(),
  updated_at: text,
  html_url: text,
});

export const zendeskSection = z.object({
  id,
  category_id: id.nullish(),
  parent_section_id: id.nullish(),
  position: z.number().nullish(),
  updated_at: text,
});

export const zendeskCategory = z.object({ id, position: z.number().nullish(), updated_at: text });

/** A file listed below the text (`block`); only `inline` ones belong to one language. */
export const zendeskAttachment = z.object({ content_url: z.string(), file_name: text });

export type ZendeskArticle = z.output<typeof zendeskArticle>;
export type ZendeskTranslation = z.output<typeof zendeskTranslation>;
export type ZendeskAttachment = z.output<typeof zendeskAttachment>;
