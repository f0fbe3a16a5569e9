import { configSchema } from '../config/schema.ts';
import type { ChunkRecord } from '../feed/records/record-schemas.ts';
import { createSignatureCheck, parseTrust } from '../feed/signature.ts';
import { LecternError } from '../foundation/errors.ts';
import { openFeed } from '../pipeline/open-feed.ts';
import type { AppliedFeed, TouchedDocument } from './applied-feed.ts';
import { applyRecords, shortHash } from './apply-records.ts';
import { openFeedCursor } from './feed-cursor.ts';
import { readChunkLine } from './parse-feed.ts';

/** A new or changed chunk. */
export interface ChangedChunk {
  readonly chunk: ChunkRecord;
  /** Whether `embed_text` is new. `false` if only other fields changed, so that the existing embedding is still valid. */
  readonly embed: boolean;
}

export interface ApplyFeedOptions {
  /** Folder of the consumer's state; one per feed and target. */
  readonly cursor: string;
  /** Stores chunks by their `id`. May receive the same chunk again after a run was killed. */
  readonly upsertChunks: (chunks: readonly ChangedChunk[]) => Promise<void> | void;
  /**
   * Sets fields of stored chunks; their text is unchanged, so no new embedding is needed. If given, files without other changes are not
   * read; otherwise, these chunks are passed to `upsertChunks`. May receive the same documents again after a run was killed.
   */
  readonly touchChunks?: (documents: readonly TouchedDocument[]) => Promise<void> | void;
  /** Deletes chunks by id. May receive an id again, or one that the target does not have. */
  readonly deleteChunks: (ids: readonly string[]) => Promise<void> | void;
  /** Chunks, touched documents or ids per call; default: 100. */
  readonly batchSize?: number;
  /** Largest loss of documents that is applied, in percent of the last run's, in total and per language; default: 20. */
  readonly maxDropPercent?: number;
  /** Applies any loss; for one run, after you checked that the loss is intended. */
  readonly allowMassDelete?: boolean;
  /** Public keys (`lectern keygen`), one of which must have signed the feed; absent: signatures are not checked. */
  readonly publicKeys?: readonly string[];
  /**
   * Address of the published site that the feed must be signed for, with `publicKeys`; default: the URL that the feed is read from. Needed for
   * a folder, and for a mirror at another address.
   */
  readonly expectedSite?: string;
  /** Milliseconds since 1970, for tests; absent: the system clock. */
  readonly now?: () => number;
}

/**
 * Brings a vector store up to date with a published feed. Reads only the files of chunks whose hash changed. It compares the files with the
 * cursor, so gaps, restarted feeds and other chunk sizes need no special treatment. A run that was killed is completed by the next one.
 * @param site folder or URL of the published site
 * @throws FEED_ADDRESS_INVALID, FEED_UNREACHABLE, FEED_INVALID, FEED_BEHIND, MASS_DELETE, CURSOR_DAMAGED, PUBLIC_KEY_INVALID, SIGNATURE_MISSING,
 * SIGNATURE_INVALID, SIGNATURE_FOREIGN, SIGNATURE_EXPIRED, OPTION_MISSING, OPTION_INVALID, and what the callbacks throw
 */
export async function applyFeed(site: string, options: ApplyFeedOptions): Promise<AppliedFeed> {
  checkOptions(options);
  const {
    cursor: folder,
    upsertChunks,
    touchChunks,
    deleteChunks,
    batchSize,
    publicKeys,
    expectedSite,
  } = options;
  const { now = Date.now, maxDropPercent = 20, allowMassDelete = false } = options;
  const trust = publicKeys === undefined ? null : parseTrust(publicKeys, site, expectedSite);
  const cursor = openFeedCursor(folder);
  const reader = await openFeed(site, async () => configSchema.parse({}), process.cwd());
  try {
    return await applyRecords(reader, cursor, {
      reads: ({ kind }) => kind === 'chunks',
      maxDropPercent: allowMassDelete ? null : maxDropPercent,
      dropHint:
        'nothing was deleted; if the loss is intended, call applyFeed once with allowMassDelete: true',
      *read(lines, path) {
        for (const line of lines) {
          const chunk = readChunkLine(line, path);
          yield {
            id: chunk.id,
            documentId: chunk.document_id,
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
      ...(trust === null ? {} : { check: createSignatureCheck(reader.read, trust, now) }),
    });
  } finally {
    await reader.close();
  }
}

/** Scripts in JavaScript may leave out what the types require. */
function checkOptions(options: Partial<ApplyFeedOptions> | undefined): void {
  const missing = (['cursor', 'upsertChunks', 'deleteChunks'] as const).find((name) => !options?.[name]);
  if (missing !== undefined) {
    throw new LecternError('OPTION_MISSING', `applyFeed needs the option ${missing}`, {
      hint: "call applyFeed('https://help.example.com', { cursor: 'cursor', upsertChunks, deleteChunks })",
      exitCode: 2,
    });
  }
  const percent: unknown = options?.maxDropPercent ?? 0;
  if (typeof percent === 'number' && percent >= 0 && percent <= 100) return;
  throw new LecternError('OPTION_INVALID', `maxDropPercent is ${percent}, not a number from 0 to 100`, {
    hint: 'pass a percentage, e.g. 20; to apply any loss once, pass allowMassDelete: true',
    exitCode: 2,
  });
}
