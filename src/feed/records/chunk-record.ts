import { z } from '../../foundation/schema.ts';
import { apartKinds } from '../chunks/set-apart.ts';
import { hashSchema, idSchema } from './document-record.ts';

export const chunkSchemaName = 'lectern/chunk/2';

/** Lists that are omitted when empty: no tool can infer the element type of an empty list. */
const list = z.array(z.string()).min(1).optional();

/**
 * One line of `chunks.jsonl`: a passage of a document, in reading order, flat and with all that answers are filtered by. Absent
 * values are omitted, never null and never an empty list, so that every field has one type.
 */
export const chunkRecord = z.object({
  schema: z.literal(chunkSchemaName),
  id: idSchema.describe('Document id and a name made from the heading path: survives edits elsewhere.'),
  uuid: z.uuid().describe('Version 5, made from `id`.'),
  document_id: idSchema,
  article_id: z.string(),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string().describe('Of the document.'),
  category_path: list.describe('Titles of its categories in this language, outermost first.'),
  tags: list.describe('Of the article.'),
  updated_at: z.string().optional().describe('Of the document. ISO 8601, UTC.'),
  translation_outdated: z
    .boolean()
    .describe('`translation.outdated` of the document: the source language changed after it did.'),
  seq: z.int().min(1).describe('Position among the chunks of the document, from 1.'),
  n: z.int().min(1).describe('Chunks of the document.'),
  prev: idSchema.optional(),
  next: idSchema.optional(),
  anchor: z.string().optional().describe('Id of the heading it starts with or belongs to.'),
  url: z.string().describe('Address of the page, with `#anchor` where there is one.'),
  heading_path: list.describe('Headings of the section of the first paragraph, outermost first.'),
  type: z
    .enum(['text', 'list', 'steps', 'table', 'code', 'callout', ...apartKinds])
    .describe(
      'What most of it is. toc: nothing but a table of contents of the page; links: nothing but links to other pages; ' +
        'boilerplate: nothing but a callout that many articles have. These three need not be indexed.',
    ),
  tokens: z.int().min(0).describe('Of `text`.'),
  start: z
    .int()
    .min(0)
    .describe("`markdown` is content.markdown.slice(start, end), in UTF-16 units (JavaScript's)."),
  end: z.int().min(0),
  hash: hashSchema.describe(
    'SHA-256 of title, heading path, lead and Markdown: embed again when it changes.',
  ),
  text: z
    .string()
    .describe(
      'To read and to answer from: lead and Markdown, without escapes, with absolute links, images as their alt texts. Text, not HTML.',
    ),
  markdown: z.string().min(1).describe('The passage as it is in the document.'),
  lead: z
    .string()
    .optional()
    .describe(
      'Markdown before the passage that `text` repeats: the sentence that introduces the list, code or table it continues, with its header.',
    ),
  embed_text: z.string().describe('Breadcrumb and text without link addresses: what to embed and to index.'),
  flags: list.describe('Rules of the injection flags that hold for this chunk.'),
});

export type ChunkRecord = z.output<typeof chunkRecord>;
