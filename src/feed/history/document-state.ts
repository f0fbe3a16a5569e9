import { type FieldMarks, markFields } from '../chunks/field-marks.ts';
import type { DocumentRecord } from '../records/document-record.ts';

/** What tells whether a document changed since the previous run, and how. */
export interface DocumentState {
  /** Of the document. */
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly url: string;
  readonly hash: string;
  readonly metaHash: string;
  /** Of its fields. */
  readonly marks: FieldMarks;
  readonly translation: DocumentRecord['translation'];
}

/** The state of a document. */
export function stateOf(record: DocumentRecord): DocumentState {
  return {
    id: record.id,
    articleId: record.article_id,
    language: record.language,
    url: record.url,
    hash: record.hash,
    metaHash: record.meta_hash,
    marks: markFields(record),
    translation: record.translation,
  };
}
