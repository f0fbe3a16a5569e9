import { z } from '../../foundation/schema.ts';
import { manifestSchema } from '../manifest.ts';
import { changeRecord, tombstoneRecord } from './change-record.ts';
import { chunkRecord } from './chunk-record.ts';
import { documentRecord } from './document-record.ts';
import { sourcePage } from './source-record.ts';

const schemas = {
  change: [changeRecord, 'A line of feed/changes/<seq>.jsonl'],
  chunk: [chunkRecord, 'A line of feed/<language>/chunks.jsonl or of a file in chunks/'],
  document: [documentRecord, 'A line of feed/<language>/documents.jsonl or of a file in documents/'],
  manifest: [manifestSchema, 'feed/manifest.json'],
  source: [sourcePage, 'feed/source.json and feed/<language>/source.json'],
  tombstone: [tombstoneRecord, 'A line of feed/tombstones.jsonl'],
} as const;

/** The JSON Schemas (2020-12) a feed publishes, by path; made from what the records are checked with. */
export function jsonSchemaFiles(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(schemas).map(([name, [schema, title]]) => [
      `feed/schema/${name}.json`,
      `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: 'input' }) }, null, 2)}\n`,
    ]),
  );
}
