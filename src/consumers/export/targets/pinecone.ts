import { jsonLine } from '../../../feed/records/json-lines.ts';
import { numericMetadata } from '../fields.ts';
import { dropUntilFits, type Target, tooLarge, utf8Bytes } from '../target.ts';

/** Limits of Pinecone (“Database limits”): 40 KB of metadata a record, 96 records of 2 MB an upsert with text, 1,000 ids a delete. */
const maxRecordBytes = 40_000;
const maxRecords = 96;
const maxRequestBytes = 2_000_000;
const maxDeletes = 1000;

/** Pinecone with integrated embedding: records whose `text` the index embeds. */
export const pinecone: Target = {
  product: 'Pinecone (integrated embedding)',
  item(passage) {
    const fields = { _id: passage.id, text: passage.text, ...numericMetadata(passage) };
    const record = dropUntilFits(fields, ['flags', 'tags', 'heading_path'], maxRecordBytes, jsonLine);
    if (record === null) {
      return tooLarge(
        passage.id,
        utf8Bytes(jsonLine(fields)),
        `a record has at most ${maxRecordBytes} bytes`,
      );
    }
    return { entry: record.text, problems: record.problems };
  },
  upserts: () => ({ path: 'upserts/{n}.ndjson', maxEntries: maxRecords, maxBytes: maxRequestBytes }),
  deletes: {
    format: ({ collection }) => ({
      path: 'deletes/{n}.json',
      head: `{"namespace":${JSON.stringify(collection)},"ids":[`,
      separator: ',',
      tail: ']}\n',
      maxEntries: maxDeletes,
      maxBytes: maxRequestBytes,
    }),
    entry: (id) => JSON.stringify(id),
  },
  definitions: () => [],
};
