import { hash } from 'node:crypto';
import type { LanguageTag } from '../../foundation/model.ts';
import { z } from '../../foundation/schema.ts';
import { apartKinds } from '../chunks/set-apart.ts';

export const documentSchemaName = 'lectern/document/1';

/** A SHA-256 in hex. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Record ids that every platform accepts. */
const idSchema = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);

/** One line of `documents.jsonl`: an article in one language. Absent values are omitted, never null. */
export const documentRecord = z.object({
  schema: z.literal(documentSchemaName),
  id: idSchema.describe('Stable while the article exists, and never reused.'),
  uuid: z.uuid().describe('UUID version 5 of `id`, for platforms that require UUIDs.'),
  article_id: z.string().describe('Id of the article in the knowledge base, the same in every language.'),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string(),
  url: z.string().describe('URL of the page.'),
  markdown_url: z.string().describe('URL of its Markdown twin.'),
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
    .describe('URLs of this article in other languages, by language tag.'),
  translation: z.object({
    source_language: z.string(),
    outdated: z.boolean().describe('Whether the source language changed after this translation.'),
    body_hash: hashSchema
      .optional()
      .describe('Hash of the body of this translation; absent in the source language.'),
    source_body_hash: hashSchema
      .optional()
      .describe('Hash of the source-language body when this translation last changed, if known.'),
  }),
  headings: z.array(
    z.object({
      level: z.int(),
      id: z.string(),
      text: z.string(),
      nested: z
        .literal(true)
        .optional()
        .describe('In a table, list, quotation or callout: chunks do not begin at it.'),
    }),
  ),
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
    'SHA-256 of the record without content, flags, counts and hashes (docs/feed.md).',
  ),
  chunks_hash: hashSchema.describe('SHA-256 of id, type, tokens and hash of its chunks (docs/feed.md).'),
  flags: z
    .array(z.object({ rule: z.string(), severity: z.enum(['high', 'medium']), excerpt: z.string() }))
    .optional()
    .describe('Text that reads like an instruction to a language model; published unchanged.'),
});

export type DocumentRecord = z.output<typeof documentRecord>;

/** The `hash` of a document record. */
export function contentHash(title: string, markdown: string): string {
  return sha256(`${title}\n${markdown}`);
}

/** The `meta_hash` of a record: SHA-256 of its JSON without the content and fields derived from it, in order. */
export function metaHash(record: DocumentRecord): string {
  const { schema, content, tokens, chars, hash, meta_hash, chunks_hash, flags, ...meta } = record;
  return sha256(JSON.stringify(meta));
}

/** Chosen once for Lectern; every UUID of a feed is derived from it and a record id (RFC 9562, version 5). */
const uuidNamespace = Buffer.from('6f0b7a5e3c4d4f0b9d3a1e8c52b7f4d1', 'hex');

/** Longest language tag in an id: limits chunk ids to 63 characters. */
const languageChars = 24;

/**
 * Id of an article in one language: `a-<article id>-<language>`, in `[a-z0-9-]`, at most 63 characters, never reused. Article ids are
 * case-sensitive, but platforms ignore case, so a bit per upper-case letter follows the `a` in hex.
 */
export function documentId(articleId: string, language: LanguageTag): string {
  let upperCase = 0n;
  for (const letter of articleId) {
    upperCase = (upperCase << 1n) | (letter >= 'A' && letter <= 'Z' ? 1n : 0n);
  }
  const mask = upperCase === 0n ? '' : upperCase.toString(16);
  return `a${mask}-${articleId.toLowerCase()}-${languagePart(language)}`;
}

/** UUID (version 5) of a record id, for platforms that accept only UUIDs (Qdrant, Weaviate). */
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

export const chunkSchemaName = 'lectern/chunk/2';

/** Lists are omitted if empty: tools cannot infer the element type of an empty list. */
const list = z.array(z.string()).min(1).optional();

/**
 * One line of `chunks.jsonl`: a passage of a document, in reading order, with all fields used to filter answers. Absent values are omitted,
 * never null and never an empty list, so that every field has one type.
 */
export const chunkRecord = z.object({
  schema: z.literal(chunkSchemaName),
  id: idSchema.describe(
    'Document id and a key made from the heading path: survives edits of other sections.',
  ),
  uuid: z.uuid().describe('UUID version 5 of `id`.'),
  document_id: idSchema,
  article_id: z.string(),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string().describe('Of the document.'),
  category_path: list.describe('Titles of its categories in this language, outermost first.'),
  tags: list.describe('Of the article.'),
  updated_at: z.string().optional().describe('`updated_at` of the document. ISO 8601, UTC.'),
  translation_outdated: z.boolean().describe('`translation.outdated` of the document.'),
  seq: z.int().min(1).describe('Position among the chunks of the document, from 1.'),
  n: z.int().min(1).describe('Chunks of the document.'),
  prev: idSchema.optional(),
  next: idSchema.optional(),
  anchor: z.string().optional().describe('Id of the heading that it starts with or is under.'),
  url: z.string().describe('URL of the page, with `#anchor` if it has one.'),
  heading_path: list.describe('Headings above its first paragraph, outermost first.'),
  type: z
    .enum(['text', 'list', 'steps', 'table', 'code', 'callout', ...apartKinds])
    .describe(
      'Main content. toc: only a table of contents of the page; links: only links to other pages; ' +
        'boilerplate: only a callout that many articles share. Do not index these three.',
    ),
  tokens: z.int().min(0).describe('Of `text`.'),
  start: z.int().min(0).describe('`markdown` is content.markdown.slice(start, end), in UTF-16 code units.'),
  end: z.int().min(0),
  hash: hashSchema.describe('SHA-256 of title, heading path, lead and Markdown. If it changes, embed again.'),
  text: z
    .string()
    .describe(
      'To show and to answer from: lead and Markdown without escapes, with absolute links and alt texts instead of images. Text, not HTML.',
    ),
  markdown: z.string().min(1).describe('The passage of the document.'),
  lead: z
    .string()
    .optional()
    .describe(
      'Markdown that `text` repeats from before a cut: the sentence that introduces a list, code or table, and its header.',
    ),
  embed_text: z.string().describe('To embed and to index: breadcrumb and text without link URLs.'),
  flags: list.describe('Injection rules that match this chunk.'),
});

export type ChunkRecord = z.output<typeof chunkRecord>;

/** Why a document was removed. */
const removalReason = z
  .enum(['deleted', 'unpublished', 'restricted', 'translation-withdrawn', 'language-removed'])
  .describe(
    'deleted: the article does not exist any more; unpublished: it is a draft or has no content; restricted: it is not public; ' +
      'translation-withdrawn: it still exists in other languages; language-removed: the site no longer has the language.',
  );

/** One line of `changes/<seq>.jsonl`. Absent values are omitted, never null. */
export const changeRecord = z.object({
  op: z
    .enum(['upsert', 'delete', 'move', 'rechunk', 'touch'])
    .describe(
      'upsert: new or changed; move: another URL, content unchanged; delete: remove it now; ' +
        'rechunk: content unchanged, but other chunks; touch: only its date changed, or another language of the ' +
        'article changed; nothing to embed.',
    ),
  id: idSchema.describe('Document id.'),
  article_id: z.string(),
  language: z.string(),
  seq: z.int().min(1).describe('Run of the change.'),
  hash: hashSchema.optional().describe('Hash of the content; absent in a delete.'),
  previous_hash: hashSchema.optional().describe('Hash of the previous content; absent for a new document.'),
  changed: z.array(z.string()).describe('Changed fields of the document record; empty for a new document.'),
  updated_at: z.string().optional().describe('In a touch: the new value for the document and its chunks.'),
  translation_outdated: z
    .boolean()
    .optional()
    .describe('In a touch: the new value for the chunks. Nothing else of them changed but `updated_at`.'),
  reason: removalReason.optional(),
});

/** One line of `tombstones.jsonl`: a document that was published once and is no longer. */
export const tombstoneRecord = z.object({
  id: idSchema,
  article_id: z.string(),
  language: z.string(),
  deleted_seq: z.int().min(1).describe('Run that deleted it.'),
  last_url: z.string(),
  last_hash: hashSchema,
  reason: removalReason,
});

/** One line of `synonyms.jsonl`. */
export const synonymRecord = z.object({
  words: z.array(z.string().min(1)).min(2).describe('Equivalent search words, in any language.'),
});

export type RemovalReason = z.output<typeof removalReason>;
export type ChangeRecord = z.output<typeof changeRecord>;
export type TombstoneRecord = z.output<typeof tombstoneRecord>;
export type SynonymRecord = z.output<typeof synonymRecord>;
