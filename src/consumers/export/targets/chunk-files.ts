import { jsonLine } from '../../../feed/records/json-lines.ts';
import { type ExportPassage, numericMetadata, passageMetadata } from '../fields.ts';
import {
  type BatchFormat,
  dropUntilFits,
  type ItemProblem,
  shorten,
  shortened,
  type Target,
  type TargetItem,
  tooLarge,
  utf8Bytes,
} from '../target.ts';

// Platforms that read files and would divide an article themselves, without its title in later parts. They get one file per passage.

const fileOf = (id: string): string => `chunks/${id}.txt`;

/** An item with its file. */
const fileItem = ({ id, text }: ExportPassage, rest: TargetItem): TargetItem => ({
  ...rest,
  files: [[fileOf(id), text], ...(rest.files ?? [])],
});

/** Limits of the attributes of a vector store file: 16 keys of 64 characters, texts of 512. */
const maxAttributes = 16;
const maxAttributeChars = 512;
const maxAttributeName = 64;
/** An attach request has at most 2,000 files; smaller ones lose less when they fail. */
const openaiBatch = (path: string): BatchFormat => ({ path, maxEntries: 500, maxBytes: 8_000_000 });

/** OpenAI file search: a file per passage, and its attributes for filters. */
export const openai: Target = {
  product: 'OpenAI file search (vector stores)',
  olderStore: { maxItems: 10_000, name: 'a vector store that was made before November 2025' },
  prefix: 'none',
  item(passage) {
    const { attributes, problems } = openaiAttributes(passage);
    return fileItem(passage, {
      entry: jsonLine({ id: passage.id, file: fileOf(passage.id), attributes }),
      update: jsonLine({ id: passage.id, attributes }),
      problems,
    });
  },
  upserts: () => openaiBatch('upserts/{n}.jsonl'),
  updates: () => openaiBatch('updates/{n}.jsonl'),
  deletes: () => openaiBatch('deletes/{n}.jsonl'),
  deleteEntry: (id) => jsonLine({ id }),
  definitions: () => [],
};

/** Attributes have no lists, so every tag is an attribute of its own (`tag:ink` = true), which a filter can compare. */
function openaiAttributes(passage: ExportPassage) {
  const problems: ItemProblem[] = [];
  const { updated_at, article_id, language, title, url } = numericMetadata(passage);
  const texts = {
    title,
    heading: passage.headingPath.join(' › '),
    category: passage.categoryPath.join(' › '),
    url,
  };
  const attributes: Record<string, unknown> = { id: passage.id, article_id, language };
  for (const [name, value] of Object.entries(texts)) {
    const text = String(value);
    if (text === '') continue;
    // A shortened URL would be broken.
    if (text.length <= maxAttributeChars || name !== 'url')
      attributes[name] = shorten(text, maxAttributeChars);
    if (text.length > maxAttributeChars) {
      problems.push(
        shortened(`${name} has ${text.length} characters; an attribute has at most ${maxAttributeChars}`),
      );
    }
  }
  if (updated_at !== undefined) attributes.updated_at = updated_at;
  const room = maxAttributes - Object.keys(attributes).length;
  const names = passage.tags.map((tag) => `tag:${tag}`);
  const fitting = names.filter((name) => name.length <= maxAttributeName).slice(0, room);
  for (const name of fitting) attributes[name] = true;
  if (fitting.length < names.length) {
    problems.push(
      shortened(
        `${names.length - fitting.length} of ${names.length} tags were dropped: a file has at most ${maxAttributes} attributes with names of ${maxAttributeName} characters`,
      ),
    );
  }
  return { attributes, problems };
}

/** Limits of a knowledge base: 10 KB in a metadata file, 50 MB in a source file. */
const maxMetadataBytes = 10_000;
/** Limit of S3's `DeleteObjects` is 1,000; every passage has two objects. */
const maxDeletes = 500;

/** Fields that can be dropped, least useful for filters first. */
const droppable = ['flags', 'heading_path', 'tags', 'category_path'];

/** Amazon Bedrock knowledge bases with S3 and `chunkingStrategy: NONE`: a file per passage, with a separate metadata file. */
export const bedrock: Target = {
  product: 'Amazon Bedrock knowledge bases (S3)',
  prefix: 'optional',
  item(passage) {
    const wrap = (metadataAttributes: object): string => `${JSON.stringify({ metadataAttributes })}\n`;
    const attributes = { chunk_id: passage.id, ...numericMetadata(passage) };
    const metadata = dropUntilFits(attributes, droppable, maxMetadataBytes, wrap);
    if (metadata === null) {
      return tooLarge(
        passage.id,
        utf8Bytes(wrap(attributes)),
        `metadata has at most ${maxMetadataBytes} bytes`,
      );
    }
    return fileItem(passage, {
      files: [[`${fileOf(passage.id)}.metadata.json`, metadata.text]],
      problems: metadata.problems,
    });
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

/** Vertex AI Search: a list of documents with metadata, each leading to its text file in a bucket. */
export const vertex: Target = {
  product: 'Vertex AI Search (Agentspace, Discovery Engine)',
  prefix: 'required',
  prefixPattern: [/^gs:\/\/[a-z0-9][^\s]*$/, 'gs://my-bucket/help'],
  item(passage, { prefix }) {
    const { updated_at, ...fields } = passageMetadata(passage);
    const structData = { ...fields, ...(updated_at === null ? {} : { updated_at }) };
    const content = { mimeType: 'text/plain', uri: `${prefix}/${fileOf(passage.id)}` };
    return fileItem(passage, { entry: jsonLine({ id: passage.id, structData, content }) });
  },
  // An import accepts 100 files of 2 GB; files of this size are read at once.
  upserts: () => ({ path: 'documents/{n}.jsonl', maxEntries: 100_000, maxBytes: 100_000_000 }),
  // Schema `document_id` of a purge.
  deletes: () => ({ path: 'deletes.txt', maxEntries: Infinity, maxBytes: Infinity }),
  deleteEntry: (id) => `${id}\n`,
  definitions: () => [],
};
