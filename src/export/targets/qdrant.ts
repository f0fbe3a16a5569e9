import { recordUuid } from '../../feed/records/document-record.ts';
import { baseLanguage, passageMetadata, stemmedLanguages } from '../fields.ts';
import { type BatchFormat, itemPerPassage, jsonList, type PassageTarget } from '../target.ts';

/** Qdrant advises 64 to 256 points a request; a server takes 32 MB unless it is configured otherwise. */
const batch = (path: string, field: string): BatchFormat => ({
  path,
  ...jsonList(field),
  maxEntries: 256,
  maxBytes: 8_000_000,
});

/** A sparse vector that the server makes of the text, so that the points can be searched without a model. */
const vectorName = 'bm25';

/** The default tokenizer takes a sentence without spaces for one word. */
const withoutSpaces = new Set(['ja', 'km', 'ko', 'lo', 'my', 'th', 'zh']);

/** How a text becomes terms. Qdrant treats every text as English by default. */
function bm25Options(tag: string): object {
  const base = baseLanguage(tag);
  if (withoutSpaces.has(base)) return { language: 'none', tokenizer: 'multilingual' };
  return { language: stemmedLanguages[base] ?? 'none' };
}

/** Qdrant: points with a sparse vector for BM25, made by the server. */
export const qdrant: PassageTarget = {
  product: 'Qdrant',
  source:
    'Qdrant API reference, “Upsert points”, “Batch update points”, and documentation “Server-side Inference: BM25”',
  reads: 'chunks',
  prefix: 'none',
  items: itemPerPassage((passage) => {
    const payload = {
      chunk_id: passage.id,
      ...passageMetadata(passage),
      text: passage.text,
      embed_text: passage.embedText,
    };
    const vector = {
      [vectorName]: {
        text: passage.embedText,
        model: 'qdrant/bm25',
        options: bm25Options(passage.language),
      },
    };
    return {
      entry: JSON.stringify({ id: passage.uuid, vector, payload }),
      // An upsert would drop vectors that were added to the point.
      update: JSON.stringify({ overwrite_payload: { payload, points: [passage.uuid] } }),
    };
  }),
  upserts: () => batch('upserts/{n}.json', 'points'),
  updates: () => batch('updates/{n}.json', 'operations'),
  deletes: () => batch('deletes/{n}.json', 'points'),
  deleteEntry: (id) => JSON.stringify(recordUuid(id)),
  definitions: () => [
    [
      'collection.json',
      `${JSON.stringify({ vectors: {}, sparse_vectors: { [vectorName]: { modifier: 'idf' } } }, null, 2)}\n`,
    ],
  ],
};
