import type { ChunkCut } from '../chunks/chunk-document.ts';
import { type ChunkTexts, chunkTexts } from '../chunks/chunk-text.ts';
import { flagInjections } from '../guard/flag-injections.ts';
import type { CountTokens } from '../tokens/count-tokens.ts';
import type { DocumentMeta } from './document-meta.ts';
import { type ChunkRecord, chunkSchemaName, recordUuid, sha256 } from './record-schemas.ts';

/** The document that the chunks are part of. */
export interface ChunkedText {
  readonly meta: DocumentMeta;
  readonly markdown: string;
  /** Whether any of its text looks like an instruction to a language model. */
  readonly isFlagged: boolean;
}

/** Makes the chunk records of one document, in reading order. */
export function makeChunkRecords(
  { meta, markdown, isFlagged }: ChunkedText,
  cuts: readonly ChunkCut[],
  countTokens: CountTokens,
): readonly ChunkRecord[] {
  const ids = cuts.map(({ key }) => `${meta.id}-${key}`);
  const { article_id, language, title } = meta;
  const inherited = inheritedFields(meta);
  return cuts.map((cut, at): ChunkRecord => {
    const id = ids[at] ?? '';
    const passage = markdown.slice(cut.start, cut.end);
    const { text, embedText } = textsOf(meta, cut.headingPath, cut.lead, passage);
    const prev = ids[at - 1];
    const next = ids[at + 1];
    return {
      schema: chunkSchemaName,
      id,
      uuid: recordUuid(id),
      document_id: meta.id,
      article_id,
      language,
      title,
      ...inherited,
      seq: at + 1,
      n: cuts.length,
      ...(prev === undefined ? {} : { prev }),
      ...(next === undefined ? {} : { next }),
      ...(cut.anchor === null ? {} : { anchor: cut.anchor }),
      url: chunkUrl(meta.url, cut.anchor ?? undefined),
      ...listOf('heading_path', cut.headingPath),
      type: cut.type,
      tokens: text === passage ? cut.tokens : countTokens(text),
      start: cut.start,
      end: cut.end,
      hash: chunkHash(title, cut.headingPath, cut.lead, passage),
      text,
      markdown: passage,
      ...(cut.lead === '' ? {} : { lead: cut.lead }),
      embed_text: embedText,
      ...listOf('flags', isFlagged ? chunkFlags(text) : []),
    };
  });
}

/** The fields of a chunk record used to filter answers, copied from its document. */
export function inheritedFields({
  category,
  tags,
  updated_at,
  translation,
}: Pick<DocumentMeta, 'category' | 'tags' | 'updated_at' | 'translation'>): Pick<
  ChunkRecord,
  'category_path' | 'tags' | 'updated_at' | 'translation_outdated'
> {
  return {
    ...listOf('category_path', category?.path ?? []),
    ...listOf('tags', tags),
    ...(updated_at === undefined ? {} : { updated_at }),
    translation_outdated: translation.outdated,
  };
}

/** A field with a list; no field if the list is empty. */
function listOf<Name extends string>(name: Name, values: readonly string[]): { [key in Name]?: string[] } {
  return (values.length === 0 ? {} : { [name]: [...values] }) as { [key in Name]?: string[] };
}

/** The `text` and `embed_text` of a chunk record. */
export function textsOf(
  { title, url, category }: Pick<DocumentMeta, 'title' | 'url' | 'category'>,
  headingPath: readonly string[],
  lead: string,
  markdown: string,
): ChunkTexts {
  return chunkTexts({ title, url, headingPath, categoryPath: category?.path ?? [], lead, markdown });
}

/** The `hash` of a chunk record: covers its text and headings, not its category. */
export function chunkHash(
  title: string,
  headingPath: readonly string[],
  lead: string,
  markdown: string,
): string {
  return sha256(JSON.stringify([title, headingPath, lead, markdown]));
}

/** The `chunks_hash` of a document record: a line `id type tokens hash` per chunk, in order. */
export function chunksHash(chunks: readonly Pick<ChunkRecord, 'id' | 'type' | 'tokens' | 'hash'>[]): string {
  return sha256(chunks.map(({ id, type, tokens, hash }) => `${id} ${type} ${tokens} ${hash}\n`).join(''));
}

/** The `flags` of a chunk record. */
export function chunkFlags(text: string): readonly string[] {
  return [...new Set(flagInjections(text).map(({ rule }) => rule))];
}

/** The `url` of a chunk record. */
export function chunkUrl(documentUrl: string, anchor: string | undefined): string {
  return anchor === undefined ? documentUrl : `${documentUrl}#${encodeURIComponent(anchor)}`;
}
