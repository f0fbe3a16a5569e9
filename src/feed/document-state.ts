import { z } from '../schema.ts';
import { type DocumentRecord, documentRecord, hashSchema } from './document-record.ts';
import { markFields } from './field-marks.ts';

/** What is kept of a document to compare it with that of another run. */
export const documentState = z.strictObject({
  articleId: z.string(),
  language: z.string(),
  url: z.string(),
  hash: hashSchema,
  metaHash: hashSchema,
  /** Of its fields ({@link markFields}). */
  marks: z.string(),
  translation: documentRecord.shape.translation,
});

export type DocumentState = Readonly<z.output<typeof documentState>>;

/** The state of a document that was published. */
export function stateOf(record: DocumentRecord): DocumentState {
  return {
    articleId: record.article_id,
    language: record.language,
    url: record.url,
    hash: record.hash,
    metaHash: record.meta_hash,
    marks: markFields(record),
    translation: record.translation,
  };
}
