import { openFeed } from '../build/open-feed.ts';
import { configSchema } from '../config/schema.ts';
import { signaturePath } from '../feed/manifest.ts';
import type { ChunkRecord } from '../feed/records/record-schemas.ts';
import { parsePublicKey, verifySignature } from '../feed/signature.ts';
import type { AppliedFeed, TouchedDocument } from './applied-feed.ts';
import { applyRecords, shortHash } from './apply-records.ts';
import { openFeedCursor } from './feed-cursor.ts';
import { readChunkLine } from './parse-feed.ts';

/** A new or changed chunk. */
export interface ChangedChunk {
  readonly chunk: ChunkRecord;
  /** Whether `embed_text` is new: `false` when only fields beside it changed and the embedding of before still holds. */
  readonly embed: boolean;
}

export interface ApplyFeedOptions {
  /** Folder of the consumer's state; one per feed and target. */
  readonly cursor: string;
  /** Stores chunks under their `id`. May get the same chunk again after a run that was killed. */
  readonly upsertChunks: (chunks: readonly ChangedChunk[]) => Promise<void> | void;
  /**
   * Sets the fields of chunks that are stored: they are no text, nothing is to be embedded. With it, files in which nothing else
   * is new are not read; without it, these chunks come through `upsertChunks`. May get the same again after a run that was killed.
   */
  readonly touchChunks?: (documents: readonly TouchedDocument[]) => Promise<void> | void;
  /** Deletes chunks by id. May get an id again, or one that the target does not have. */
  readonly deleteChunks: (ids: readonly string[]) => Promise<void> | void;
  /** Chunks, touched documents or ids per call; 100. */
  readonly batchSize?: number;
  /** Keys of which one must have signed the feed (`lectern keygen`); absent: signatures are not checked. */
  readonly publicKeys?: readonly string[];
  /** Milliseconds since 1970, for tests; absent: the clock. */
  readonly now?: () => number;
}

/**
 * Brings a vector store up to date with a published feed. Reads the files of chunks whose hash changed, and nothing else; what
 * counts is the difference between the files and what the cursor remembers, so that gaps, restarted feeds and other sizes of
 * chunks need no special treatment. The next run completes one that was killed.
 * @param site folder or address of the published site
 * @throws FEED_ADDRESS_INVALID, FEED_UNREACHABLE, FEED_INVALID, CURSOR_DAMAGED, PUBLIC_KEY_INVALID, SIGNATURE_MISSING, SIGNATURE_INVALID,
 *   SIGNATURE_EXPIRED, and what the callbacks throw
 */
export async function applyFeed(
  site: string,
  {
    cursor: folder,
    upsertChunks,
    touchChunks,
    deleteChunks,
    batchSize,
    publicKeys,
    now = Date.now,
  }: ApplyFeedOptions,
): Promise<AppliedFeed> {
  const keys = publicKeys?.map(parsePublicKey);
  const cursor = openFeedCursor(folder);
  const reader = await openFeed(site, async () => configSchema.parse({}), process.cwd());
  try {
    return await applyRecords(reader, cursor, {
      kind: 'chunks',
      *read(lines, path) {
        for (const line of lines) {
          const chunk = readChunkLine(line, path);
          yield {
            id: chunk.id,
            embedHash: shortHash(chunk.embed_text),
            hash: shortHash(line),
            value: chunk,
          };
        }
      },
      upsert: (items) => upsertChunks(items.map(({ value, embed }) => ({ chunk: value, embed }))),
      touch: touchChunks,
      delete: deleteChunks,
      ...(batchSize === undefined ? {} : { batchSize }),
      ...(keys === undefined
        ? {}
        : {
            check: async (manifest: Uint8Array) => {
              verifySignature(manifest, await reader.read(signaturePath), keys, now());
            },
          }),
    });
  } finally {
    await reader.close();
  }
}
