import { jsonLine } from '../../feed/records/json-lines.ts';
import { type ExportPassage, passageMetadata } from '../fields.ts';
import type { PassageTarget } from '../target.ts';

/** Flat metadata of texts and numbers, which every store behind a framework accepts. */
function flatMetadata(passage: ExportPassage) {
  const { category_path, heading_path, tags, flags, ...metadata } = passageMetadata(passage);
  return {
    ...metadata,
    category_path: category_path.join(' › '),
    heading_path: heading_path.join(' › '),
    tags: tags.join(', '),
    flags: flags.join(', '),
  };
}

const files = {
  upserts: () => ({ path: 'documents.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  deletes: () => ({ path: 'deletes.jsonl', maxEntries: Infinity, maxBytes: Infinity }),
  definitions: () => [],
};

/** LangChain: one serialised `Document` per line. */
export const langchain: PassageTarget = {
  ...files,
  product: 'LangChain',
  source:
    'LangChain reference, `Document` of langchain_core.documents and “How to save and load LangChain objects”',
  reads: 'chunks',
  prefix: 'none',
  items: (passages) =>
    passages.map((passage) => ({
      id: passage.id,
      searchText: passage.embedText,
      files: [],
      entry: jsonLine({
        lc: 1,
        type: 'constructor',
        id: ['langchain', 'schema', 'document', 'Document'],
        kwargs: {
          id: passage.id,
          page_content: passage.embedText,
          metadata: flatMetadata(passage),
          type: 'Document',
        },
      }),
      problems: [],
    })),
  deleteEntry: jsonLine,
};

/** Reference to another node (`RelatedNodeInfo`); 4: a document, 1: a text. */
const related = (id: string, kind: '1' | '4') => ({
  node_id: id,
  node_type: kind,
  metadata: {},
  hash: null,
  class_name: 'RelatedNodeInfo',
});

/** LlamaIndex: one serialised `TextNode` per line, with its document and its neighbours. */
export const llamaindex: PassageTarget = {
  ...files,
  product: 'LlamaIndex',
  source: 'LlamaIndex reference, `TextNode` and `NodeRelationship` of llama_index.core.schema',
  reads: 'chunks',
  prefix: 'none',
  items: (passages) =>
    passages.map((passage) => {
      const { title, heading_path, url, language, ...ids } = flatMetadata(passage);
      return {
        id: passage.id,
        searchText: passage.embedText,
        files: [],
        entry: jsonLine({
          id_: passage.id,
          embedding: null,
          metadata: { title, heading_path, url, language, ...ids },
          // The text already begins with the title and the headings.
          excluded_embed_metadata_keys: ['title', 'heading_path', 'url', 'language', ...Object.keys(ids)],
          excluded_llm_metadata_keys: ['title', 'heading_path', 'language', ...Object.keys(ids)],
          relationships: {
            1: related(passage.documentId, '4'),
            ...(passage.previousId === null ? {} : { 2: related(passage.previousId, '1') }),
            ...(passage.nextId === null ? {} : { 3: related(passage.nextId, '1') }),
          },
          text: passage.embedText,
          mimetype: 'text/plain',
          class_name: 'TextNode',
        }),
        problems: [],
      };
    }),
  deleteEntry: jsonLine,
};
