import type { Output } from '../output/output.ts';

/** The record files of one language. */
export interface RecordFiles {
  add(document: DocumentLines): Promise<void>;
  /** Closes them; gives the number of records by path. */
  close(): Promise<ReadonlyMap<string, number>>;
}

/** The lines of one document. */
interface DocumentLines {
  readonly document: string | Uint8Array;
  readonly chunks: string | Uint8Array;
  readonly facts: { readonly chunks: number };
}

/** Opens `<folder>/documents.jsonl` and `<folder>/chunks.jsonl`. */
export async function openRecordFiles(output: Output, folder: string): Promise<RecordFiles> {
  const documentsPath = `${folder}/documents.jsonl`;
  const chunksPath = `${folder}/chunks.jsonl`;
  const documentsFile = await output.open(documentsPath);
  const chunksFile = await output.open(chunksPath);
  let documents = 0;
  let chunks = 0;
  return {
    async add(added) {
      await documentsFile.write(added.document);
      await chunksFile.write(added.chunks);
      documents += 1;
      chunks += added.facts.chunks;
    },
    async close() {
      await documentsFile.close();
      await chunksFile.close();
      return new Map([
        [documentsPath, documents],
        [chunksPath, chunks],
      ]);
    },
  };
}
