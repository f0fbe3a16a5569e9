import { z } from '../../foundation/schema.ts';
import { hashSchema, idSchema } from './document-record.ts';

/** Why a document was removed. */
const removalReason = z
  .enum(['deleted', 'unpublished', 'restricted', 'translation-withdrawn', 'language-removed'])
  .describe(
    'deleted: the article is gone; unpublished: it is a draft or has no content; restricted: it is not public; ' +
      'translation-withdrawn: it is still there in other languages; language-removed: the site no longer has the language.',
  );

/** One line of `changes/<seq>.jsonl`. Absent values are omitted, never null. */
export const changeRecord = z.object({
  op: z
    .enum(['upsert', 'delete', 'move', 'rechunk', 'touch'])
    .describe(
      'upsert: new or changed; move: only at another address, content unchanged; delete: remove it now; ' +
        'rechunk: content unchanged, but cut into other chunks; touch: only its date changed, or another language of the ' +
        'article did: nothing to embed.',
    ),
  id: idSchema.describe('Document id.'),
  article_id: z.string(),
  language: z.string(),
  seq: z.int().min(1).describe('Run of the change.'),
  hash: hashSchema.optional().describe('Of the content now; absent in a delete.'),
  previous_hash: hashSchema.optional().describe('Of the content before; absent for a new document.'),
  changed: z
    .array(z.string())
    .describe('Fields of the document record that differ; empty for a new document.'),
  updated_at: z.string().optional().describe('Of a touch: of the document and its chunks now.'),
  translation_outdated: z
    .boolean()
    .optional()
    .describe('Of a touch: of the chunks now. With `updated_at`, all that is new in them.'),
  reason: removalReason.optional(),
});

/** One line of `tombstones.jsonl`: a document that was published once and is not now. */
export const tombstoneRecord = z.object({
  id: idSchema,
  article_id: z.string(),
  language: z.string(),
  deleted_seq: z.int().min(1).describe('Run in which it went.'),
  last_url: z.string(),
  last_hash: hashSchema,
  reason: removalReason,
});

export type RemovalReason = z.output<typeof removalReason>;
export type ChangeRecord = z.output<typeof changeRecord>;
export type TombstoneRecord = z.output<typeof tombstoneRecord>;
