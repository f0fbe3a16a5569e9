import { z } from '../../foundation/schema.ts';
import type { ChunkCut } from '../chunks/chunk-document.ts';
import { embedText } from '../chunks/embed-text.ts';
import { flagInjections } from '../guard/flag-injections.ts';
import { type DocumentRecord, hashSchema, idSchema } from './document-record.ts';
import { recordUuid, sha256 } from './record-ids.ts';

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

/** Puts the chunk records of one document together, in reading order. */
export function makeChunkRecords(
  document: DocumentRecord,
  cuts: readonly ChunkCut[],
): readonly ChunkRecord[] {
  const ids = cuts.map(({ key }) => `${document.id}-${key}`);
  return cuts.map((cut, at): ChunkRecord => {
    const id = ids[at] ?? '';
    const text = document.content.markdown.slice(cut.start, cut.end);
    const prev = ids[at - 1];
    const next = ids[at + 1];
    const flags = document.flags === undefined ? [] : chunkFlags(text);
    return {
      schema: chunkSchemaName,
      id,
      uuid: recordUuid(id),
      document_id: document.id,
      article_id: document.article_id,
      language: document.language,
      title: document.title,
      seq: at + 1,
      n: cuts.length,
      ...(prev === undefined ? {} : { prev }),
      ...(next === undefined ? {} : { next }),
      ...(cut.anchor === null ? {} : { anchor: cut.anchor }),
      url: chunkUrl(document.url, cut.anchor ?? undefined),
      heading_path: [...cut.headingPath],
      type: cut.type,
      tokens: cut.tokens,
      start: cut.start,
      end: cut.end,
      hash: chunkHash(document.title, cut.headingPath, cut.lead, text),
      text,
      ...(cut.lead === '' ? {} : { lead: cut.lead }),
      embed_text: embedText(document.title, cut.headingPath, document.category?.path ?? [], cut.lead, text),
      ...(flags.length === 0 ? {} : { flags: [...flags] }),
    };
  });
}

/** The `hash` of a chunk record: of what it says and under which headings, not of where it is filed. */
export function chunkHash(title: string, headingPath: readonly string[], lead: string, text: string): string {
  return sha256(JSON.stringify([title, headingPath, lead, text]));
}

/** The `flags` of a chunk record. */
export function chunkFlags(text: string): readonly string[] {
  return [...new Set(flagInjections(text).map(({ rule }) => rule))];
}

/** The `url` of a chunk record. */
export function chunkUrl(documentUrl: string, anchor: string | undefined): string {
  return anchor === undefined ? documentUrl : `${documentUrl}#${encodeURIComponent(anchor)}`;
}
