import { jsonLine } from '../../feed/records/json-lines.ts';
import { passageMetadata } from '../fields.ts';
import { dropUntilFits, type PassageTarget, tooLarge, utf8Bytes } from '../target.ts';

/** Of a record: all its fields are metadata. */
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
