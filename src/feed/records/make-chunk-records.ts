import type { ChunkCut } from '../chunks/chunk-document.ts';
import { chunkText } from '../chunks/chunk-text.ts';
import { flagInjections } from '../guard/flag-injections.ts';
import { beginsToken, type CountRange } from '../tokens/count-ranges.ts';
import type { CountTokens } from '../tokens/count-tokens.ts';
import type { DocumentMeta } from './document-meta.ts';
import { type ChunkRecord, chunkUrl, shortHash } from './record-schemas.ts';

/** The document that the chunks are part of. */
interface ChunkedText {
  readonly meta: DocumentMeta;
  readonly markdown: string;
  /** Counts a range of the Markdown. */
  readonly count: CountRange;
  /** Whether any of its text looks like an instruction to a language model. */
  readonly isFlagged: boolean;
}

/** Makes the chunk records of one document, in reading order. */
export function makeChunkRecords(
  { meta, markdown, count, isFlagged }: ChunkedText,
  cuts: readonly ChunkCut[],
  countTokens: CountTokens,
): readonly ChunkRecord[] {
  const { id, language, title, url } = meta;
  return cuts.map(({ key, anchor, headingPath, repeats, start, end }): ChunkRecord => {
    const text = chunkText(markdown, { title, headingPath, repeats, start, end });
    const before = text.slice(0, text.length - (end - start));
    const isSum = before.endsWith('\n') && beginsToken(markdown, start);
    return {
      id: `${id}-${key}`,
      document_id: id,
      language,
      title,
      url: chunkUrl(url, anchor),
      ...listOf('heading_path', headingPath),
      start,
      end,
      ...listOf('repeats', repeats),
      tokens: isSum ? countTokens(before) + count(start, end) : countTokens(text),
      hash: shortHash(text),
      text,
      ...listOf('flags', isFlagged ? injectionRules(text) : []),
    };
  });
}

function injectionRules(text: string): readonly string[] {
  return [...new Set(flagInjections(text).map(({ rule }) => rule))];
}

/** A field with a list; no field if the list is empty. */
function listOf<Name extends string, Item>(name: Name, values: readonly Item[]): { [key in Name]?: Item[] } {
  return (values.length === 0 ? {} : { [name]: [...values] }) as { [key in Name]?: Item[] };
}
