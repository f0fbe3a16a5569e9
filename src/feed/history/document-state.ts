import type { DocumentRecord } from '../records/document-record.ts';

/** State from which the next run sees whether and how a document changed. */
export interface DocumentState {
  /** Of the document. */
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly url: string;
  readonly hash: string;
  readonly metaHash: string;
  /** Empty where the feed of an earlier version does not say how the document was cut. */
  readonly chunksHash: string;
  /** Of its fields. */
  readonly marks: FieldMarks;
  readonly translation: DocumentRecord['translation'];
  /** `null`: the record has none. */
  readonly updatedAt: string | null;
}

/** A document of this or the previous feed. */
type KnownDocument = Omit<DocumentRecord, 'chunks_hash'> & { readonly chunks_hash?: string | undefined };

/** The state of a document. */
export function stateOf(record: KnownDocument): DocumentState {
  return {
    id: record.id,
    articleId: record.article_id,
    language: record.language,
    url: record.url,
    hash: record.hash,
    metaHash: record.meta_hash,
    chunksHash: record.chunks_hash ?? '',
    marks: markFields(record),
    translation: record.translation,
    updatedAt: record.updated_at ?? null,
  };
}

/** Fields a change names, in this order. */
const fields = [
  'title',
  'content',
  'url',
  'markdown_url',
  'category',
  'tags',
  'description',
  'created_at',
  'updated_at',
  'alternates',
  'translation',
  'headings',
  'links',
  'images',
] as const satisfies readonly (keyof DocumentRecord)[];

/** A short mark per field, so that a run can name the fields that changed without keeping the record. */
export type FieldMarks = string;

/** Marks the fields of a record. */
export function markFields(record: KnownDocument): FieldMarks {
  return fields.map((field) => mark(field === 'content' ? record.content.markdown : record[field])).join(' ');
}

/** Names the fields whose marks differ. */
export function changedFields(before: FieldMarks, now: FieldMarks): readonly string[] {
  const earlier = before.split(' ');
  const later = now.split(' ');
  return fields.filter((_, at) => earlier[at] !== later[at]);
}

/** FNV-1a over the UTF-16 units of a text, or of the JSON of anything else; empty where there is nothing. */
function mark(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
