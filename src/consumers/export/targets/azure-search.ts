import { passageMetadata } from '../fields.ts';
import { type BatchFormat, jsonList, type Target } from '../target.ts';

/** Limits of a request (REST API reference, “Documents - Index”): 1,000 documents, 16 MB. */
const documents = (path: string): BatchFormat => ({
  path,
  ...jsonList('value'),
  maxEntries: 1000,
  maxBytes: 16_000_000,
});

/** Index names must have hyphens instead of underscores. */
const indexName = (collection: string): string => collection.replaceAll('_', '-');

/**
 * A string field is filterable, sortable and facetable by default, and the service rejects texts of more than 32,766 bytes in such a field.
 */
const plain = { searchable: false, filterable: false, sortable: false, facetable: false, retrievable: true };
const text = { ...plain, type: 'Edm.String', searchable: true };
const list = { ...plain, type: 'Collection(Edm.String)', filterable: true };
const filter = { ...plain, type: 'Edm.String', filterable: true };

/** Azure AI Search: one document per passage, in batches of the index API. */
export const azureSearch: Target = {
  product: 'Azure AI Search',
  prefix: 'none',
  item(passage) {
    // Every field is always present, so that a merge keeps no old values.
    const fields = { id: passage.id, ...passageMetadata(passage), text: passage.text };
    return {
      entry: JSON.stringify({ '@search.action': 'upload', ...fields }),
      // Preserves the vector that was computed from the same text.
      update: JSON.stringify({ '@search.action': 'mergeOrUpload', ...fields }),
    };
  },
  upserts: () => documents('upserts/{n}.json'),
  updates: () => documents('updates/{n}.json'),
  deletes: () => documents('deletes/{n}.json'),
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
            { ...filter, name: 'updated_at', type: 'Edm.DateTimeOffset', sortable: true },
            { ...plain, name: 'position', type: 'Edm.Int32', sortable: true },
            { ...list, name: 'flags' },
            { ...text, name: 'text' },
          ],
        },
        null,
        2,
      )}\n`,
    ],
  ],
};
