import type { Output } from '../output/output.ts';
import type { ChunkRecord } from './chunk-record.ts';
import type { DocumentRecord } from './document-record.ts';
import { jsonLine } from './json-lines.ts';

/** The record files of one language. */
export interface RecordFiles {
  add(document: DocumentRecord, chunks: readonly ChunkRecord[]): Promise<void>;
  /** Closes them; gives the number of records by path. */
  close(): Promise<ReadonlyMap<string, number>>;
}

/** Opens `<folder>/documents.jsonl` and `<folder>/chunks.jsonl`. */
export async function openRecordFiles(output: Output, folder: string): Promise<RecordFiles> {
  const documentsPath = `${folder}/documents.jsonl`;
  const chunksPath = `${folder}/chunks.jsonl`;
  const documents = await output.open(documentsPath);
  const chunks = await output.open(chunksPath);
  const records = new Map([
    [documentsPath, 0],
    [chunksPath, 0],
  ]);
  return {
    async add(document, ofDocument) {
      await documents.write(jsonLine(document));
      await chunks.write(ofDocument.map(jsonLine).join(''));
      records.set(documentsPath, (records.get(documentsPath) ?? 0) + 1);
      records.set(chunksPath, (records.get(chunksPath) ?? 0) + ofDocument.length);
    },
    async close() {
      await documents.close();
      await chunks.close();
      return records;
    },
  };
}
