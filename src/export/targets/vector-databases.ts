import { jsonLine } from '../../feed/records/json-lines.ts';
import { recordUuid } from '../../feed/records/record-schemas.ts';
import { baseLanguage, passageMetadata, stemmedLanguages } from '../fields.ts';
import {
  type BatchFormat,
  dropUntilFits,
  itemPerPassage,
  jsonList,
  type PassageTarget,
  tooLarge,
  utf8Bytes,
} from '../target.ts';

/** Limit of a record, whose fields are all metadata. */
const maxRecordBytes = 40_000;

/** Pinecone with integrated embedding: records whose `chunk_text` the index embeds. */
export const pinecone: PassageTarget = {
  product: 'Pinecone (integrated embedding)',
  source: 'Pinecone documentation, “Upsert records”, “Operation limits” and “Delete records”',
  reads: 'chunks',
  prefix: 'none',
  items: (passages) =>
    passages.map((passage) => {
      const fields = {
        _id: passage.id,
        chunk_text: passage.embedText,
        text: passage.text,
        ...passageMetadata(passage),
      };
      const record = dropUntilFits(
        fields,
        ['flags', 'tags', 'heading_path', 'text'],
        maxRecordBytes,
        jsonLine,
      );
      return record === null
        ? tooLarge(passage.id, utf8Bytes(jsonLine(fields)), `a record has at most ${maxRecordBytes}`)
        : {
            id: passage.id,
            searchText: passage.embedText,
            files: [],
            entry: record.text,
            problems: record.problems,
          };
    }),
  upserts: () => ({ path: 'records/{n}.ndjson', maxEntries: 96, maxBytes: 2_000_000 }),
  deletes: ({ collection }) => ({
    path: 'deletes/{n}.json',
    head: `{"namespace":${JSON.stringify(collection)},"ids":[`,
    separator: ',',
    tail: ']}\n',
    maxEntries: 1000,
    maxBytes: 2_000_000,
  }),
  deleteEntry: (id) => JSON.stringify(id),
  definitions: () => [],
};

/** Qdrant recommends 64 to 256 points per request; by default, a server accepts 32 MB. */
const points = (path: string, field: string): BatchFormat => ({
  path,
  ...jsonList(field),
  maxEntries: 256,
  maxBytes: 8_000_000,
});

/** A sparse vector that the server computes from the text, so that search works without a model. */
const vectorName = 'bm25';

/** Languages for which the default tokenizer would read a sentence without spaces as one word. */
const withoutSpaces = new Set(['ja', 'km', 'ko', 'lo', 'my', 'th', 'zh']);

/** How a text is split into terms. By default, Qdrant treats every text as English. */
function bm25Options(tag: string): object {
  const base = baseLanguage(tag);
  if (withoutSpaces.has(base)) return { language: 'none', tokenizer: 'multilingual' };
  return { language: stemmedLanguages[base] ?? 'none' };
}

/** Qdrant: points with a sparse vector for BM25, which the server computes. */
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
  upserts: () => points('upserts/{n}.json', 'points'),
  updates: () => points('updates/{n}.json', 'operations'),
  deletes: () => points('deletes/{n}.json', 'points'),
  deleteEntry: (id) => JSON.stringify(recordUuid(id)),
  definitions: () => [
    [
      'collection.json',
      `${JSON.stringify({ vectors: {}, sparse_vectors: { [vectorName]: { modifier: 'idf' } } }, null, 2)}\n`,
    ],
  ],
};

/** Class names start with a capital letter. */
const className = (collection: string): string =>
  `${collection.charAt(0).toUpperCase()}${collection.slice(1)}`;

/** A property that filters compare as a whole, and that vectorizers ignore. */
const exact = (name: string) => ({
  name,
  dataType: ['text'],
  tokenization: 'field',
  indexSearchable: false,
});

/** Weaviate: objects for the batch API, and a class definition. */
export const weaviate: PassageTarget = {
  product: 'Weaviate',
  source: 'Weaviate REST API reference, “batch/objects” (POST and DELETE) and “schema”',
  reads: 'chunks',
  prefix: 'none',
  items: itemPerPassage((passage, { collection }) => ({
    entry: JSON.stringify({
      class: className(collection),
      id: passage.uuid,
      properties: {
        chunk_id: passage.id,
        ...passageMetadata(passage),
        text: passage.text,
        embed_text: passage.embedText,
      },
    }),
  })),
  upserts: () => ({
    path: 'upserts/{n}.json',
    ...jsonList('objects'),
    maxEntries: 500,
    maxBytes: 8_000_000,
  }),
  // A request deletes at most QUERY_MAXIMUM_RESULTS objects, 10,000 unless configured otherwise.
  deletes: ({ collection }) => ({
    path: 'deletes/{n}.json',
    head: `{"match":{"class":"${className(collection)}","where":{"operator":"ContainsAny","path":["chunk_id"],"valueTextArray":[\n`,
    separator: ',\n',
    tail: '\n]}}}\n',
    maxEntries: 1000,
    maxBytes: 8_000_000,
  }),
  deleteEntry: (id) => JSON.stringify(id),
  definitions: ({ collection }) => [
    [
      'class.json',
      `${JSON.stringify(
        {
          class: className(collection),
          properties: [
            exact('chunk_id'),
            exact('document_id'),
            exact('article_id'),
            exact('language'),
            { name: 'title', dataType: ['text'] },
            exact('url'),
            { name: 'category_path', dataType: ['text[]'] },
            { name: 'heading_path', dataType: ['text[]'] },
            { name: 'tags', dataType: ['text[]'] },
            exact('updated_at'),
            { name: 'translation_outdated', dataType: ['boolean'] },
            exact('type'),
            { name: 'seq', dataType: ['int'] },
            { name: 'flags', dataType: ['text[]'] },
            { name: 'text', dataType: ['text'], indexSearchable: false, indexFilterable: false },
            { name: 'embed_text', dataType: ['text'] },
          ],
        },
        null,
        2,
      )}\n`,
    ],
  ],
};
