import { hash } from 'node:crypto';
import type { LanguageTag } from '../../core/model.ts';
import { z } from '../../core/schema.ts';

/** A SHA-256 in hex. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** A language tag, which is also the name of a folder. */
export const languageSchema = z.string().regex(/^[A-Za-z0-9-]+$/);

/** The first 16 hex digits of a SHA-256: enough to tell versions of one text apart. */
const shortHashSchema = z.string().regex(/^[0-9a-f]{16}$/);

/** Record ids that every platform accepts. */
const idSchema = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);

/** URL of a page or file of the site; a path if the build has no `siteUrl`. */
const siteUrl = z.string().regex(/^(?:https?:\/\/|\/)/);

/** Lists are omitted if empty where platforms infer types: they cannot infer the element type of an empty list. */
const list = z.array(z.string()).min(1).optional();

/** One line of `documents.jsonl`: an article in one language. Absent values are omitted, never null. */
export const documentRecord = z.object({
  id: idSchema.describe('Stable while the article exists, and never reused.'),
  article_id: z.string().describe('Id of the article in the knowledge base, the same in every language.'),
  language: languageSchema.describe('BCP 47 tag.'),
  title: z.string(),
  url: siteUrl.describe('URL of the page.'),
  category: z
    .strictObject({
      id: z.string(),
      path: z.array(z.string()).describe('Titles in this language, outermost first.'),
    })
    .optional(),
  tags: z.array(z.string()),
  description: z.string().optional().describe('Of the author; without one, the first words of the text.'),
  updated_at: z.string().optional().describe('ISO 8601, UTC.'),
  markdown: z
    .string()
    .describe(
      'CommonMark with GFM tables; starts below the title. Links have absolute URLs, and images are their alternative texts, or images if they have none.',
    ),
  tokens: z.int().min(0).describe('Of `markdown`, in the encoding o200k_base.'),
  hash: shortHashSchema.describe(
    'The first 16 hex digits of the SHA-256 of title, line feed and `markdown`.',
  ),
  body_hash: shortHashSchema
    .optional()
    .describe('Hash of what the author wrote below the title; in articles with several languages.'),
  translation: z
    .object({
      source_language: z.string(),
      source_body_hash: shortHashSchema
        .optional()
        .describe(
          '`body_hash` of the source language when this translation last changed or appeared. If it has another one now, the translation may be ' +
            'outdated. Absent if this has not happened since the feed started.',
        ),
    })
    .optional()
    .describe('In translations only.'),
  headings: z
    .array(
      z.object({ level: z.int().min(2).max(6), id: z.string(), text: z.string(), start: z.int().min(0) }),
    )
    .describe(
      'Each `id` is an anchor of the page; empty if the page has none for the heading. `start` is the position in `markdown`. Without the ' +
        'headings in cells, quotations and lists.',
    ),
  flags: z
    .array(z.object({ rule: z.string(), severity: z.enum(['high', 'medium']), excerpt: z.string() }))
    .optional()
    .describe(
      'Signs of a prompt injection: marks of chat formats, encoded sentences. The text is published unchanged.',
    ),
});

export type DocumentRecord = z.output<typeof documentRecord>;

/** One article of `source.json`: the fields with which a record of {@link documentRecord} begins. */
export const sourceArticle = documentRecord.pick({
  id: true,
  article_id: true,
  language: true,
  title: true,
  url: true,
  category: true,
  tags: true,
  description: true,
  updated_at: true,
  markdown: true,
});

/** The `hash` of a document record. */
export function contentHash(title: string, markdown: string): string {
  return shortHash(`${title}\n${markdown}`);
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

/** Whether a document is a language of an article. */
export function isDocumentOf(id: string, articleId: string): boolean {
  return id.startsWith(documentId(articleId, 'x').slice(0, -1));
}

/** UUID (version 5) of a record id, for platforms that accept only UUIDs (Qdrant, Weaviate). No record contains it. */
export function recordUuid(id: string): string {
  const hex = hash('sha1', Buffer.concat([uuidNamespace, Buffer.from(id)]));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The first 16 hex digits of the SHA-256 of a text in UTF-8. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/** URL of a passage. @param anchor id of a heading; `null`: the page */
export function chunkUrl(url: string, anchor: string | null): string {
  return anchor === null ? url : `${url}#${encodeURIComponent(anchor)}`;
}

function languagePart(language: LanguageTag): string {
  const tag = language.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  return tag.length <= languageChars ? tag : `x-${hash('sha256', tag).slice(0, languageChars - 2)}`;
}

/**
 * One line of `chunks.jsonl`: a passage of a document, in reading order. Absent values are omitted, never null and never an empty list, so
 * that every field has one type. Dates, tags and the category are in its document.
 */
export const chunkRecord = z.object({
  id: idSchema.describe('Survives edits of other sections; unique in the feed.'),
  document_id: idSchema,
  language: languageSchema.describe('BCP 47 tag.'),
  title: z.string().describe('Of the document.'),
  url: siteUrl.describe(
    'URL of the page, with the anchor of the heading above the passage, if there is one.',
  ),
  heading_path: list.describe('Headings above it, outermost first.'),
  start: z
    .int()
    .min(0)
    .describe('The passage is `markdown.slice(start, end)` of the document, in UTF-16 code units.'),
  end: z.int().min(0),
  repeats: z
    .array(z.tuple([z.int().min(0), z.int().min(0)]).readonly())
    .min(1)
    .optional()
    .describe(
      'Earlier ranges, `[start, end]`, that `text` has before the passage: the sentence that introduces a list, code or table, its header, ' +
        'and the first cell of a row that is cut.',
    ),
  tokens: z.int().min(0).describe('Of `text`, in the encoding o200k_base.'),
  hash: shortHashSchema.describe(
    'The first 16 hex digits of the SHA-256 of `text`. If it changes, embed again.',
  ),
  text: z
    .string()
    .describe(
      'To embed, to index and to answer from: title and headings in the first line (`Title › Heading`), an empty line, then the ranges of ' +
        'the Markdown.',
    ),
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

/** One line of `changes/<seq>.jsonl`. */
export const changeRecord = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('upsert').describe('New, or changed in any field.'),
    document: documentRecord,
    chunks: z
      .array(chunkRecord)
      .describe('All its chunks, in reading order: others of this document are gone.'),
    was: hashSchema
      .optional()
      .describe('The `hash` that `run.state` of the run before had of it; absent: new.'),
  }),
  z.object({
    op: z
      .literal('delete')
      .describe(
        'Remove the document and its chunks now. The line has nothing of the text, which a URL would.',
      ),
    id: idSchema.describe('Document id.'),
    reason: removalReason,
    was: hashSchema,
  }),
]);

/** One line of `synonyms.jsonl`. */
export const synonymRecord = z.object({
  words: z.array(z.string().min(1)).min(2).describe('Equivalent search words, in any language.'),
});

export type RemovalReason = z.output<typeof removalReason>;
export type ChangeRecord = z.output<typeof changeRecord>;
export type SynonymRecord = z.output<typeof synonymRecord>;
