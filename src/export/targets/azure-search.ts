import { passageMetadata } from '../fields.ts';
import { type BatchFormat, itemPerPassage, jsonList, type PassageTarget } from '../target.ts';

const batch = (path: string): BatchFormat => ({
  path,
  ...jsonList('value'),
  maxEntries: 1000,
  maxBytes: 16_000_000,
});

/** Names of indexes have hyphens in place of underscores. */
const indexName = (collection: string): string => collection.replaceAll('_', '-');

/**
 * A string field is filterable, sortable and facetable by default, and the service refuses a text of more than 32,766 bytes in such a
 * field.
 */
const plain = { searchable: false, filterable: false, sortable: false, facetable: false, retrievable: true };
const text = { ...plain, type: 'Edm.String', searchable: true };
const list = { ...plain, type: 'Collection(Edm.String)', filterable: true };
const filter = { ...plain, type: 'Edm.String', filterable: true };

/** Azure AI Search: a document per passage, in batches of the index API. */
export const azureSearch: PassageTarget = {
  product: 'Azure AI Search',
  source:
    'Azure AI Search REST API, “Documents - Index” (Add, Update or Delete Documents) and “Create Index”',
  reads: 'chunks',
  prefix: 'none',
  items: itemPerPassage((passage) => {
    // Every field is always there, so that a merge leaves nothing of before.
    const fields = {
      id: passage.id,
      ...passageMetadata(passage),
      text: passage.text,
      embed_text: passage.embedText,
    };
    return {
      entry: JSON.stringify({ '@search.action': 'upload', ...fields }),
      // Keeps the vector that was made of the same text.
      update: JSON.stringify({ '@search.action': 'mergeOrUpload', ...fields }),
    };
  }),
  upserts: () => batch('upserts/{n}.json'),
  updates: () => batch('updates/{n}.json'),
  deletes: () => batch('deletes/{n}.json'),
  deleteEntry: (id) => JSON.stringify({ '@search.action': 'delete', id }),
  definitions: ({ collection }) => [
    [
      'index.json',
      `${JSON.stringify(
        {
          name: indexName(collection),
          fields: [
            { ...filter, name: 'id', key: true },
            { ...filter, name: 'document_id' },
            { ...filter, name: 'article_id' },
            { ...filter, name: 'language' },
            { ...text, name: 'title' },
            { ...filter, name: 'url', filterable: false },
            { ...list, name: 'category_path' },
            { ...list, name: 'heading_path', searchable: true, filterable: false },
            { ...list, name: 'tags' },
            { ...filter, name: 'updated_at', sortable: true },
            { ...plain, name: 'translation_outdated', type: 'Edm.Boolean', filterable: true },
            { ...filter, name: 'type' },
            { ...plain, name: 'seq', type: 'Edm.Int32', sortable: true },
            { ...list, name: 'flags' },
            { ...text, name: 'text', searchable: false },
            { ...text, name: 'embed_text' },
          ],
        },
        null,
        2,
      )}\n`,
    ],
  ],
};
