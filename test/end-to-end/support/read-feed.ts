import type { Manifest } from '../../../src/feed/manifest.ts';
import type { DocumentRecord, TombstoneRecord } from '../../../src/feed/records/record-schemas.ts';
import type { FileStates } from './describe-files.ts';

/** A published feed, read as a consumer does: the manifest first, and only files that it lists. */
export interface PublishedFeed {
  readonly manifest: Manifest;
  /** By id. */
  readonly documents: ReadonlyMap<string, DocumentRecord>;
  readonly tombstones: readonly TombstoneRecord[];
  /** Lines of the changes of a run, as text; `null` if they are not published. */
  changes(seq: number): string | null;
}

/** Files of documents: one per language, or one per language and part. */
const documentsFile = /^feed\/[^/]+\/documents(?:\.jsonl|\/[0-9a-f]+\.jsonl)$/;

/** @returns `null` if no feed is published */
export function readFeed(files: FileStates): PublishedFeed | null {
  const text = (path: string): string | null => files.get(path)?.content.toString() ?? null;
  const manifestText = text('feed/manifest.json');
  if (manifestText === null) return null;
  const manifest = JSON.parse(manifestText) as Manifest;
  const paths = manifest.files.map(({ path }) => path).filter((path) => documentsFile.test(path));
  const documents = paths.flatMap((path) => parseLines<DocumentRecord>(text(path)));
  return {
    manifest,
    documents: new Map(documents.map((document) => [document.id, document])),
    tombstones: parseLines(text('feed/tombstones.jsonl')),
    changes: (seq) => text(`feed/changes/${seq}.jsonl`),
  };
}

export function parseLines<T>(text: string | null): readonly T[] {
  return (text ?? '').split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}
