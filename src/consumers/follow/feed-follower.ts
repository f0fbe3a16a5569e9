// The public types of following a feed, in a separate file, so that the package's type declarations do not include the feed reader.

import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';

/** A document that is new or changed, with all its chunks. */
export interface ChangedDocument {
  readonly document: DocumentRecord;
  /** Its chunks in reading order. */
  readonly chunks: readonly ChangedChunk[];
  /** Ids of chunks that it had before and has no longer. */
  readonly removedChunks: readonly string[];
}

export interface ChangedChunk {
  readonly chunk: ChunkRecord;
  /** Whether `text` changed or the chunk is new. If `false`, its existing embedding is still valid. */
  readonly embed: boolean;
}

/** A document that is gone. */
export interface DeletedDocument {
  readonly id: string;
  /** Ids of all chunks that the target may have of it. */
  readonly chunkIds: readonly string[];
}

/** The target of a feed, e.g. a vector store. */
export interface FeedFollower {
  /** Stores documents and their chunks by their ids, and removes `removedChunks`. May receive a document again after a run was killed. */
  readonly upsert: (documents: readonly ChangedDocument[]) => Promise<void> | void;
  /** Removes documents and their chunks. May receive one again, or one that the target does not have. */
  readonly delete: (documents: readonly DeletedDocument[]) => Promise<void> | void;
}

/** Result of following a feed. */
export interface FollowedFeed {
  /** `busy`: an upload is in progress, so try again later; what was applied so far stays. */
  readonly status: 'applied' | 'unchanged' | 'busy';
  /** Number of the feed's run. */
  readonly seq: number;
  /** Number of documents that were passed to `upsert`. */
  readonly upserted: number;
  /** Number of documents that were passed to `delete`. */
  readonly deleted: number;
  /** Size of the files that were read besides the manifest, in bytes. */
  readonly bytes: number;
}
