import { z } from '../../foundation/schema.ts';
import { hashSchema, idSchema } from './document-record.ts';

export const chunkSchemaName = 'lectern/chunk/1';

/** One line of `chunks.jsonl`: a passage of a document, in reading order. What is absent is left out, never null. */
export const chunkRecord = z.object({
  schema: z.literal(chunkSchemaName),
  id: idSchema.describe('Document id and a name made from the heading path: survives edits elsewhere.'),
  uuid: z.uuid().describe('Version 5, made from `id`.'),
  document_id: idSchema,
  article_id: z.string(),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string().describe('Of the document.'),
  seq: z.int().min(1).describe('Place among the chunks of the document, from 1.'),
  n: z.int().min(1).describe('Chunks of the document.'),
  prev: idSchema.optional(),
  next: idSchema.optional(),
  anchor: z.string().optional().describe('Id of the heading it starts with or belongs to.'),
  url: z.string().describe('Address of the page, with `#anchor` where there is one.'),
  heading_path: z
    .array(z.string())
    .describe('Headings of the section of the first paragraph, outermost first.'),
  type: z.enum(['text', 'list', 'steps', 'table', 'code', 'callout']),
  tokens: z.int().min(0).describe('Of `text`.'),
  start: z
    .int()
    .min(0)
    .describe("`text` is content.markdown.slice(start, end), in UTF-16 units (JavaScript's)."),
  end: z.int().min(0),
  hash: hashSchema.describe('SHA-256 of title, heading path, lead and text: embed again when it changes.'),
  text: z.string().describe('Markdown.'),
  lead: z
    .string()
    .optional()
    .describe('Header rows of the table, or fence of the code, that `text` continues.'),
  embed_text: z.string().describe('Breadcrumb and text without link addresses: what to embed and to index.'),
  flags: z.array(z.string()).optional().describe('Rules of the injection flags that hold for this chunk.'),
});

export type ChunkRecord = z.output<typeof chunkRecord>;
