import { jsonLine } from '../../feed/records/json-lines.ts';
import { articlePage } from '../article-html.ts';
import { articleMetadata } from '../fields.ts';
import { type ArticleTarget, tooLarge, utf8Bytes } from '../target.ts';

/** Editions of the documentation give HTML files 2.5 MB or 200 MB; the smaller is safe. */
const maxFileBytes = 2_500_000;
/** An import takes 100 files of 2 GB; a file of this size is read at once. */
const maxBytes = 100_000_000;
const maxEntries = 100_000;

const fileOf = (id: string): string => `html/${id}.html`;

/** Vertex AI Search: a list of documents with metadata, each leading to its HTML file in a bucket. */
export const vertex: ArticleTarget = {
  product: 'Vertex AI Search (Agentspace, Discovery Engine)',
  source:
    'Google Cloud, “Prepare data for ingesting” (unstructured data with metadata) and Discovery Engine API reference, “GcsSource” and “PurgeDocumentsRequest”',
  reads: 'documents',
  prefix: 'required',
  prefixPattern: [/^gs:\/\/[a-z0-9][^\s]*$/, 'gs://my-bucket/help'],
  items(article, { prefix }) {
    const page = articlePage(article);
    const bytes = utf8Bytes(page);
    if (bytes > maxFileBytes)
      return [tooLarge(article.id, bytes, `an HTML file has at most ${maxFileBytes}`)];
    const { id, ...structData } = articleMetadata(article);
    const content = { mimeType: 'text/html', uri: `${prefix}/${fileOf(article.id)}` };
    return [
      {
        id: article.id,
        searchText: page,
        files: [[fileOf(article.id), page]],
        entry: jsonLine({ id, structData, content }),
        problems: [],
      },
    ];
  },
  upserts: () => ({ path: 'documents/{n}.jsonl', maxEntries, maxBytes }),
  // Schema `document_id` of a purge.
  deletes: () => ({ path: 'deletes.txt', maxEntries: Infinity, maxBytes: Infinity }),
  deleteEntry: (id) => `${id}\n`,
  definitions: () => [],
};
