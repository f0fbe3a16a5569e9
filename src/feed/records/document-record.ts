import { z } from '../../foundation/schema.ts';
import { sha256 } from './record-ids.ts';

export const documentSchemaName = 'lectern/document/1';

/** A SHA-256 in hex. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Ids of records: what every platform accepts. */
export const idSchema = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);

/** One line of `documents.jsonl`: an article in one language. Absent values are omitted, never null. */
export const documentRecord = z.object({
  schema: z.literal(documentSchemaName),
  id: idSchema.describe('Stable as long as the article exists, and never used again after it.'),
  uuid: z.uuid().describe('Version 5, made from `id`, for platforms that only take UUIDs.'),
  article_id: z.string().describe('Id of the article in the knowledge base, the same in every language.'),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string(),
  url: z.string().describe('Address of the page.'),
  markdown_url: z.string().describe('Address of its Markdown twin.'),
  category: z
    .object({
      id: z.string(),
      path: z.array(z.string()).describe('Titles in this language, outermost first.'),
    })
    .optional(),
  tags: z.array(z.string()),
  description: z.string().optional(),
  created_at: z.string().optional().describe('ISO 8601, UTC.'),
  updated_at: z.string().optional().describe('ISO 8601, UTC.'),
  alternates: z
    .record(z.string(), z.string())
    .describe('Address of this article in its other languages, by tag.'),
  translation: z.object({
    source_language: z.string(),
    outdated: z.boolean().describe('Whether the source language changed after this translation last did.'),
    body_hash: hashSchema
      .optional()
      .describe('Of the body of this translation; absent in the source language.'),
    source_body_hash: hashSchema
      .optional()
      .describe('Of the source-language body when this translation last changed, as far as known.'),
  }),
  headings: z.array(z.object({ level: z.int(), id: z.string(), text: z.string() })),
  links: z.object({
    internal: z.array(idSchema).describe('Ids of documents.'),
    external: z.array(z.string()),
  }),
  images: z.array(z.object({ src: z.string(), alt: z.string().optional() })),
  content: z.object({
    markdown: z.string().describe('CommonMark with GFM tables; starts below the title.'),
    text: z.string().describe('Plain text, one block per line.'),
  }),
  tokens: z.int().min(0).describe('Of `content.markdown`.'),
  chars: z.int().min(0).describe('UTF-16 units of `content.markdown`.'),
  hash: hashSchema.describe('SHA-256 of title, line feed and `content.markdown`.'),
  meta_hash: hashSchema.describe(
    'SHA-256 of everything but content, flags, counts and hashes (docs/feed.md).',
  ),
  chunks_hash: hashSchema.describe(
    'SHA-256 of id, type, tokens and hash of its chunks: changes when it is cut otherwise (docs/feed.md).',
  ),
  flags: z
    .array(z.object({ rule: z.string(), severity: z.enum(['high', 'medium']), excerpt: z.string() }))
    .optional()
    .describe('Text that reads like an order to a language model; published unchanged.'),
});

export type DocumentRecord = z.output<typeof documentRecord>;

/** The `hash` of a document record. */
export function contentHash(title: string, markdown: string): string {
  return sha256(`${title}\n${markdown}`);
}

/** The `meta_hash` of a record: SHA-256 of its JSON without the content and what follows from it, fields in order. */
export function metaHash(record: DocumentRecord): string {
  const { schema, content, tokens, chars, hash, meta_hash, chunks_hash, flags, ...meta } = record;
  return sha256(JSON.stringify(meta));
}
