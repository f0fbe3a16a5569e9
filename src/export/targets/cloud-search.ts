import { jsonLine } from '../../feed/records/json-lines.ts';
import { articlePage } from '../article-html.ts';
import { articleMarkdown, articleMetadata, passageMetadata } from '../fields.ts';
import {
  type ArticleTarget,
  type BatchFormat,
  dropUntilFits,
  itemPerPassage,
  jsonList,
  type PassageTarget,
  tooLarge,
  utf8Bytes,
} from '../target.ts';

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
export const azureSearch: PassageTarget = {
  product: 'Azure AI Search',
  source:
    'Azure AI Search REST API, “Documents - Index” (Add, Update or Delete Documents) and “Create Index”',
  reads: 'chunks',
  prefix: 'none',
  items: itemPerPassage((passage) => {
    // Every field is always present, so that a merge keeps no old values.
    const fields = {
      id: passage.id,
      ...passageMetadata(passage),
      text: passage.text,
      embed_text: passage.embedText,
    };
    return {
      entry: JSON.stringify({ '@search.action': 'upload', ...fields }),
      // Preserves the vector that was computed from the same text.
      update: JSON.stringify({ '@search.action': 'mergeOrUpload', ...fields }),
    };
  }),
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

/** A metadata file has at most 10 KB, a source file 50 MB. */
const maxMetadataBytes = 10_000;
const maxFileBytes = 50_000_000;
/** Limit of `DeleteObjects`; every article has two objects. */
const maxDeletes = 500;

/** Fields that can be dropped, least useful for filters first. */
const droppable = ['description', 'flags', 'tags', 'category'];

const fileOf = (id: string): string => `articles/${id}.md`;

/** Amazon Bedrock knowledge bases with S3: a Markdown file per article, with a separate metadata file. */
export const bedrock: ArticleTarget = {
  product: 'Amazon Bedrock knowledge bases (S3)',
  source:
    'Amazon Bedrock user guide, “Prerequisites for your knowledge base data” and “Include metadata in a data source”; Amazon S3 API reference, “DeleteObjects”',
  reads: 'documents',
  prefix: 'optional',
  items(article) {
    const content = articleMarkdown(article);
    const bytes = utf8Bytes(content);
    if (bytes > maxFileBytes) return [tooLarge(article.id, bytes, `a file has at most ${maxFileBytes}`)];
    const wrap = (metadataAttributes: object): string => `${JSON.stringify({ metadataAttributes })}\n`;
    const attributes = articleMetadata(article);
    const metadata = dropUntilFits(attributes, droppable, maxMetadataBytes, wrap);
    if (metadata === null) {
      return [tooLarge(article.id, utf8Bytes(wrap(attributes)), `metadata has at most ${maxMetadataBytes}`)];
    }
    return [
      {
        id: article.id,
        searchText: content,
        files: [
          [fileOf(article.id), content],
          [`${fileOf(article.id)}.metadata.json`, metadata.text],
        ],
        entry: null,
        problems: metadata.problems,
      },
    ];
  },
  upserts: () => null,
  deletes: () => ({
    path: 'deletes/{n}.json',
    head: '{"Objects":[',
    separator: ',\n',
    tail: '],"Quiet":true}\n',
    maxEntries: maxDeletes,
    maxBytes: 1_000_000,
  }),
  deleteEntry(id, { prefix }) {
    const key = `${prefix === '' ? '' : `${prefix}/`}${fileOf(id)}`;
    return [key, `${key}.metadata.json`].map((Key) => JSON.stringify({ Key })).join(',');
  },
  definitions: () => [],
};

/** The documentation says 2.5 MB or 200 MB for HTML files, depending on the edition; the smaller limit is safe. */
const maxPageBytes = 2_500_000;
/** An import accepts 100 files of 2 GB; files of this size are read at once. */
const maxBytes = 100_000_000;
const maxEntries = 100_000;

const pageOf = (id: string): string => `html/${id}.html`;

/** Vertex AI Search: a list of documents with metadata, each leading to its HTML file in a bucket. */
export const vertex: ArticleTarget = {
  product: 'Vertex AI Search (Agentspace, Discovery Engine)',
  source:
    'Google Cloud, “Prepare data for ingesting” (unstructured data with metadata) and Discovery Engine API reference, “GcsSource” and “PurgeDocumentsRequest”',
  reads: 'documents',
  prefix: 'required',
  prefixPattern: [/^gs:\/\/[a-z0-9][^\s]*$/, 'gs://my-bucket/help'],
  items(article, { prefix }) {
    const { html: page, problems } = articlePage(article);
    const bytes = utf8Bytes(page);
    if (bytes > maxPageBytes)
      return [tooLarge(article.id, bytes, `an HTML file has at most ${maxPageBytes}`)];
    const { id, ...structData } = articleMetadata(article);
    const content = { mimeType: 'text/html', uri: `${prefix}/${pageOf(article.id)}` };
    return [
      {
        id: article.id,
        searchText: page,
        files: [[pageOf(article.id), page]],
        entry: jsonLine({ id, structData, content }),
        problems,
      },
    ];
  },
  upserts: () => ({ path: 'documents/{n}.jsonl', maxEntries, maxBytes }),
  // Schema `document_id` of a purge.
  deletes: () => ({ path: 'deletes.txt', maxEntries: Infinity, maxBytes: Infinity }),
  deleteEntry: (id) => `${id}\n`,
  definitions: () => [],
};
