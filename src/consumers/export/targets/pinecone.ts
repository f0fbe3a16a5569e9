import { jsonLine } from '../../../feed/records/json-lines.ts';
import { numericMetadata } from '../fields.ts';
import { type ItemProblem, shortened, type Target, tooLarge } from '../target.ts';

/** Limits of Pinecone (“Database limits”): 40 KB of metadata a record, 96 records of 2 MB an upsert with text. */
const maxRecordBytes = 40_000;
const maxRecords = 96;
const maxRequestBytes = 2_000_000;

/** Pinecone with integrated embedding: records whose `text` the index embeds. */
export const pinecone: Target = {
  product: 'Pinecone (integrated embedding)',
  item(passage) {
    const record: Record<string, unknown> = {
      _id: passage.id,
      text: passage.text,
      ...numericMetadata(passage),
    };
    const problems: ItemProblem[] = [];
    let entry = jsonLine(record);
    const bytes = Buffer.byteLength(entry);
    for (const name of ['flags', 'tags', 'heading_path']) {
      if (Buffer.byteLength(entry) <= maxRecordBytes) break;
      if (!(name in record)) continue;
      delete record[name];
      entry = jsonLine(record);
      problems.push(shortened(`${name} was dropped: the metadata would exceed ${maxRecordBytes} bytes`));
    }
    return Buffer.byteLength(entry) <= maxRecordBytes
      ? { entry, problems }
      : tooLarge(passage.id, bytes, `a record has at most ${maxRecordBytes} bytes`);
  },
  format: () => ({ extension: 'ndjson', maxEntries: maxRecords, maxBytes: maxRequestBytes }),
};
