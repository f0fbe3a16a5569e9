import { jsonLine } from '../../../feed/records/json-lines.ts';
import { recordUuid } from '../../../feed/records/record-schemas.ts';
import { baseLanguage, passageMetadata, stemmedLanguages } from '../fields.ts';
import type { BatchFormat, Target } from '../target.ts';

/** Entries as a list in a field of a JSON object, one entry per line. */
export function jsonList(field: string): Pick<BatchFormat, 'head' | 'separator' | 'tail'> {
  return { head: `{"${field}":[\n`, separator: ',\n', tail: '\n]}\n' };
}

/** A sparse vector that the server computes from the text, so that search works without a model. */
const sparseName = 'bm25';
/** The vector of an embedding model. Points may be without it until it is computed. */
const denseName = 'dense';

/** Languages for which the default tokenizer would read a sentence without spaces as one word. */
const withoutSpaces = new Set(['ja', 'km', 'ko', 'lo', 'my', 'th', 'zh']);

/** How a text is split into terms. By default, Qdrant treats every text as English. */
function bm25Options(tag: string): object {
  const base = baseLanguage(tag);
  if (withoutSpaces.has(base)) return { language: 'none', tokenizer: 'multilingual' };
  return { language: stemmedLanguages[base] ?? 'none' };
}

/** Fields that filters use. Qdrant Cloud refuses filters on fields without an index. */
export const qdrantIndexes = [
  ...['document_id', 'article_id', 'language', 'category_path', 'tags'].map((field_name) => ({
    field_name,
    field_schema: 'keyword',
  })),
  { field_name: 'updated_at', field_schema: 'datetime' },
];

/** Numbers in a dense vector. A user of another model edits the file before creating the collection. */
const denseSize = 1536;

/** Definition of the collection. */
export const qdrantCollection = {
  vectors: { [denseName]: { size: denseSize, distance: 'Cosine' } },
  sparse_vectors: { [sparseName]: { modifier: 'idf' } },
};

/** Qdrant: points with a sparse vector for BM25, which the server computes, and room for the dense vector of a model. */
export const qdrant: Target = {
  product: 'Qdrant',
  item(passage) {
    const id = recordUuid(passage.id);
    const payload = { chunk_id: passage.id, ...passageMetadata(passage), text: passage.text };
    const vector = {
      [sparseName]: { text: passage.text, model: 'qdrant/bm25', options: bm25Options(passage.language) },
    };
    return {
      entry: JSON.stringify({ id, vector, payload }),
      // An upsert would drop vectors that were added to the point.
      update: JSON.stringify({ overwrite_payload: { payload, points: [id] } }),
    };
  },
  // Qdrant recommends 64 to 256 points per request (“Bulk upload”); by default, a server accepts 32 MB.
  format: () => ({ extension: 'json', ...jsonList('points'), maxEntries: 256, maxBytes: 8_000_000 }),
  definitions: () => [
    ['collection.json', `${JSON.stringify(qdrantCollection, null, 2)}\n`],
    ['indexes.jsonl', qdrantIndexes.map(jsonLine).join('')],
  ],
};
