import { passageMetadata } from '../fields.ts';
import { itemPerPassage, jsonList, type PassageTarget } from '../target.ts';

/** Names of classes begin with a capital. */
const className = (collection: string): string =>
  `${collection.charAt(0).toUpperCase()}${collection.slice(1)}`;

/** A property that filters compare as a whole, and that no vectorizer sees. */
const exact = (name: string) => ({
  name,
  dataType: ['text'],
  tokenization: 'field',
  indexSearchable: false,
});

/** Weaviate: objects for the batch API, and the definition of a class. */
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
