import type { Output, OutputFile } from '../output/output.ts';
import { appendText, repeatSpan } from './append-text.ts';
import type { FeedPlaces } from './file-places.ts';

/** Where the lines of one document lie. */
type RecordPlaces = Pick<FeedPlaces, 'document' | 'chunks'>;

/** The record files of one language. */
export interface RecordFiles {
  add(document: DocumentLines): Promise<RecordPlaces>;
  /** Adds the lines of a document as they are in the previous feed. */
  repeat(places: RecordPlaces, facts: DocumentLines['facts']): Promise<RecordPlaces>;
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
export async function openRecordFiles(output: Pick<Output, 'open'>, folder: string): Promise<RecordFiles> {
  const documentsPath = `${folder}/documents.jsonl`;
  const chunksPath = `${folder}/chunks.jsonl`;
  const documentsFile: OutputFile = await output.open(documentsPath);
  const chunksFile: OutputFile = await output.open(chunksPath);
  let documents = 0;
  let chunks = 0;
  const count = (facts: DocumentLines['facts']): void => {
    documents += 1;
    chunks += facts.chunks;
  };
  return {
    async add(added) {
      count(added.facts);
      return {
        document: await appendText(documentsFile, added.document),
        chunks: await appendText(chunksFile, added.chunks),
      };
    },
    async repeat(places, facts) {
      count(facts);
      return {
        document: await repeatSpan(documentsFile, documentsPath, places.document),
        chunks: await repeatSpan(chunksFile, chunksPath, places.chunks),
      };
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
