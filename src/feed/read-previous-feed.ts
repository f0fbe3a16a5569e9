import { createHash } from 'node:crypto';
import { LecternError } from '../errors.ts';
import type { z } from '../schema.ts';
import { type TombstoneRecord, tombstoneRecord } from './change-record.ts';
import { documentRecord } from './document-record.ts';
import { type DocumentState, stateOf } from './document-state.ts';
import type { RememberedFeed } from './feed-memory.ts';
import type { ReadFeedFile } from './feed-reader.ts';
import { parseJsonLines } from './json-lines.ts';
import { type Manifest, manifestPath, manifestSchema } from './manifest.ts';

/** The state a run starts from. */
export interface PreviousFeed {
  readonly manifest: Manifest;
  /** By document id. */
  readonly documents: ReadonlyMap<string, DocumentState>;
  readonly tombstones: readonly TombstoneRecord[];
}

/**
 * Reads the state of the previous run; `null` when there was none. Documents are not parsed again where `remembered` is
 * of the very bytes that are there.
 * Throws `FEED_PREVIOUS_INVALID` when it is damaged or half uploaded: taking it for empty would make `seq` go back.
 */
export async function readPreviousFeed(
  read: ReadFeedFile,
  remembered: RememberedFeed,
): Promise<PreviousFeed | null> {
  const manifest = await readManifest(read);
  if (manifest === null) return null;
  const documents = new Map<string, DocumentState>();
  for (const { language } of manifest.languages) {
    const path = `feed/${language}/documents.jsonl`;
    const bytes = await readListed(read, manifest, path);
    const known = remembered.get(language);
    // The bytes have the hash that is listed, or reading them would have failed.
    if (known !== undefined && known.sha256 === listedHash(manifest, path)) {
      for (const [id, document] of known.documents) documents.set(id, document);
      continue;
    }
    for (const record of parseRecords(bytes, path, documentRecord)) documents.set(record.id, stateOf(record));
  }
  const path = 'feed/tombstones.jsonl';
  const tombstones = parseRecords(await readListed(read, manifest, path), path, tombstoneRecord);
  return { manifest, documents, tombstones: [...tombstones] };
}

/** Reads a file the manifest lists and checks its hash. Throws `FEED_PREVIOUS_INVALID`. */
export async function readListed(read: ReadFeedFile, manifest: Manifest, path: string): Promise<Uint8Array> {
  const listed = listedHash(manifest, path);
  const bytes = listed === null ? null : await read(path);
  if (bytes === null) throw invalid(path, 'it is missing');
  if (createHash('sha256').update(bytes).digest('hex') !== listed) {
    throw invalid(path, 'its hash is not the one the manifest lists');
  }
  return bytes;
}

/** Reads and checks the manifest; `null` when there is none. Throws `FEED_PREVIOUS_INVALID`. */
export async function readManifest(read: ReadFeedFile): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  if (bytes === null) return null;
  try {
    return manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw invalid(manifestPath, 'it is no manifest of this version', cause);
  }
}

function listedHash(manifest: Manifest, path: string): string | null {
  return manifest.files.find((file) => file.path === path)?.sha256 ?? null;
}

function* parseRecords<Schema extends z.ZodType>(
  bytes: Uint8Array,
  path: string,
  schema: Schema,
): Generator<z.output<Schema>> {
  try {
    for (const line of parseJsonLines(bytes)) yield schema.parse(line);
  } catch (cause) {
    throw invalid(path, 'a line of it is no record of this version', cause);
  }
}

function invalid(path: string, why: string, cause?: unknown): LecternError {
  return new LecternError(
    'FEED_PREVIOUS_INVALID',
    `${path} of the previous feed cannot be continued: ${why}`,
    {
      hint: 'restore the previous feed, or delete it: consumers then have to start again from a snapshot',
      cause,
    },
  );
}
