import { hash } from 'node:crypto';
import type { LanguageTag } from '../../foundation/model.ts';
import { z } from '../../foundation/schema.ts';

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

/** Chosen once for Lectern; every UUID of a feed is made from it and a record id (RFC 9562, version 5). */
const uuidNamespace = Buffer.from('6f0b7a5e3c4d4f0b9d3a1e8c52b7f4d1', 'hex');

/** Language tags in ids stay within this, so that chunk ids keep within 63 characters. */
const languageChars = 24;

/**
 * Id of an article in one language: `a-<article id>-<language>`, in `[a-z0-9-]`, at most 63 characters, never reused.
 * Article ids tell upper and lower case apart and platforms do not, so a bit per upper-case letter follows the `a` in hex.
 */
export function documentId(articleId: string, language: LanguageTag): string {
  let upperCase = 0n;
  for (const letter of articleId) {
    upperCase = (upperCase << 1n) | (letter >= 'A' && letter <= 'Z' ? 1n : 0n);
  }
  const mask = upperCase === 0n ? '' : upperCase.toString(16);
  return `a${mask}-${articleId.toLowerCase()}-${languagePart(language)}`;
}

/** UUID of a record for the platforms that take nothing else (Qdrant, Weaviate): version 5, from the record id. */
export function recordUuid(id: string): string {
  const hex = hash('sha1', Buffer.concat([uuidNamespace, Buffer.from(id)]));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** SHA-256 of a text in UTF-8, hex. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

function languagePart(language: LanguageTag): string {
  const tag = language.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  return tag.length <= languageChars ? tag : `x-${sha256(tag).slice(0, languageChars - 2)}`;
}
