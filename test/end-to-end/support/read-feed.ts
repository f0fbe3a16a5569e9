import type { Manifest } from '../../../src/feed/read/manifest.ts';
import type { ChunkRecord, DocumentRecord } from '../../../src/feed/records/record-schemas.ts';
import { recordsIn } from '../../support/feed-records.ts';
import type { FileStates } from './describe-files.ts';

/** A published feed, read as a consumer does: the manifest first, and only files that it lists. */
export interface PublishedFeed {
  readonly manifest: Manifest;
  /** By id. */
  readonly documents: ReadonlyMap<string, DocumentRecord>;
  /** By document id, in order. */
  readonly chunks: ReadonlyMap<string, readonly ChunkRecord[]>;
  /** Lines of the changes of a run, as text; `null` if they are not published. */
  changes(seq: number): string | null;
}

/** @returns `null` if no feed is published */
export function readFeed(files: FileStates): PublishedFeed | null {
  const text = (path: string): string | null => files.get(path)?.content.toString() ?? null;
  const manifestText = text('feed/manifest.json');
  if (manifestText === null) return null;
  const manifest = JSON.parse(manifestText) as Manifest;
  const read = <Row>(kind: string) =>
    manifest.files
      .filter((file) => file.kind === kind)
      .flatMap(({ path }) => recordsIn<Row>(text(path) ?? ''));
  const documents = read<DocumentRecord>('documents');
  const chunks = new Map<string, ChunkRecord[]>(documents.map(({ id }) => [id, []]));
  for (const chunk of read<ChunkRecord>('chunks')) chunks.get(chunk.document_id)?.push(chunk);
  return {
    manifest,
    documents: new Map(documents.map((document) => [document.id, document])),
    chunks,
    changes: (seq) => text(`feed/changes/${seq}.jsonl`),
  };
}
