import type { ChunkCut } from '../chunks/chunk-document.ts';
import { embedText } from '../chunks/embed-text.ts';
import { flagInjections } from '../guard/flag-injections.ts';
import { type ChunkRecord, chunkSchemaName } from './chunk-record.ts';
import type { DocumentRecord } from './document-record.ts';
import { recordUuid, sha256 } from './record-ids.ts';

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
