import type { ChunkCut } from '../chunks/chunk-document.ts';
import { chunkText } from '../chunks/chunk-text.ts';
import { flagInjections } from '../guard/flag-injections.ts';
import type { CountTokens } from '../tokens/count-tokens.ts';
import type { DocumentMeta } from './document-meta.ts';
import { type ChunkRecord, chunkSchemaName, sha256 } from './record-schemas.ts';

/** The document that the chunks are part of. */
interface ChunkedText {
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
  const { id, article_id, language, title, url } = meta;
  const categoryPath = meta.category?.path ?? [];
  return cuts.map(({ key, type, anchor, headingPath, lead, start, end }): ChunkRecord => {
    const source = { title, headingPath, categoryPath, lead, markdown: markdown.slice(start, end) };
    const text = chunkText(source);
    return {
      schema: chunkSchemaName,
      id: `${id}-${key}`,
      document_id: id,
      article_id,
      language,
      title,
      url: anchor === null ? url : `${url}#${encodeURIComponent(anchor)}`,
      ...listOf('heading_path', headingPath),
      type,
      start,
      end,
      ...(lead === '' ? {} : { lead }),
      tokens: countTokens(text),
      hash: sha256(text),
      text,
      ...listOf('flags', isFlagged ? injectionRules(text) : []),
    };
  });
}

function injectionRules(text: string): readonly string[] {
  return [...new Set(flagInjections(text).map(({ rule }) => rule))];
}

/** A field with a list; no field if the list is empty. */
function listOf<Name extends string>(name: Name, values: readonly string[]): { [key in Name]?: string[] } {
  return (values.length === 0 ? {} : { [name]: [...values] }) as { [key in Name]?: string[] };
}
