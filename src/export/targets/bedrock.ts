import { articleMarkdown, articleMetadata } from '../fields.ts';
import { type ArticleTarget, dropUntilFits, tooLarge, utf8Bytes } from '../target.ts';

/** A metadata file has at most 10 KB, a source file 50 MB. */
const maxMetadataBytes = 10_000;
const maxFileBytes = 50_000_000;
/** Of `DeleteObjects`; every article is two objects. */
const maxDeletes = 500;

/** Fields that filters can do without, the least useful first. */
const droppable = ['description', 'flags', 'tags', 'category'];

const fileOf = (id: string): string => `articles/${id}.md`;

/** Amazon Bedrock knowledge bases with S3: a file of Markdown per article, and a file of metadata beside it. */
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
