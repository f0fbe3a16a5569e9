import { hash } from 'node:crypto';
import type { PublishedSite } from '../feed/feed-reader.ts';
import { type Manifest, type ManifestFile, manifestPath, manifestSchema } from '../feed/manifest.ts';
import { type ChunkRecord, chunkRecord } from '../feed/records/chunk-record.ts';
import { type DocumentRecord, documentRecord } from '../feed/records/document-record.ts';
import { LecternError } from '../foundation/errors.ts';
import type { z } from '../foundation/schema.ts';
import type { AppliedFeed } from './applied-feed.ts';
import type { AppliedFile, FeedCursor } from './feed-cursor.ts';

/** What a consumer makes of a record and keeps under an id of its own. */
export interface FeedItem<T> {
  readonly id: string;
  /** Hash of what is embedded or searched. */
  readonly embedHash: string;
  /** Hash of all of it: with the same one, nothing is sent. */
  readonly hash: string;
  readonly value: T;
}

/** An item that is new, or not as it was. */
export interface ChangedItem<T> {
  readonly value: T;
  /** `false`: its `embedHash` is as it was, so only other fields changed. */
  readonly embed: boolean;
}

/** How the records of a feed reach a target. */
export interface RecordConsumer<T> {
  readonly kind: 'documents' | 'chunks';
  /** Whether a file of this kind is read; absent: all are. What came from a file that is read no more is deleted. */
  readonly reads?: (file: ManifestFile) => boolean;
  /** Gives the items of one file. @param lines without line feeds, none of them empty */
  readonly read: (lines: Iterable<string>, path: string) => Iterable<FeedItem<T>>;
  /** May get the same item again after a run that was killed. */
  readonly upsert: (items: readonly ChangedItem<T>[]) => Promise<void> | void;
  /** May get an id again, or one that the target does not have. */
  readonly delete: (ids: readonly string[]) => Promise<void> | void;
  /** Items or ids per call; 100. */
  readonly batchSize?: number;
  /** Checks the manifest before anything of it is used; throws where it is not to be trusted. */
  readonly check?: (manifest: Uint8Array) => Promise<void>;
}

/**
 * Reads the files of one kind whose hash changed since the cursor, and gives the target the difference.
 * @throws FEED_UNREACHABLE, FEED_INVALID, and what the callbacks throw
 */
export async function applyRecords<T>(
  site: PublishedSite,
  cursor: FeedCursor,
  consumer: RecordConsumer<T>,
): Promise<AppliedFeed> {
  const { kind, reads = () => true, batchSize = 100, check } = consumer;
  const before = cursor.manifest;
  const answer = await site.readTagged(manifestPath, check === undefined ? (before?.etag ?? null) : null);
  const nothing = { upserted: 0, deleted: 0, bytes: 0 };
  if (answer === 'unchanged') return { status: 'unchanged', seq: before?.seq ?? 0, ...nothing };
  if (answer === null) throw invalid(`${manifestPath} is missing`);
  await check?.(answer.bytes);
  const manifest = parseManifest(answer.bytes);
  const { seq, feed_id: feedId } = manifest.run;
  const rootHash = manifest.root_hash;
  if (before?.rootHash === rootHash) return { status: 'unchanged', seq, ...nothing };
  if (before?.feedId === feedId && seq < before.seq) return { status: 'older', seq, ...nothing };

  const done = { seq, ...nothing };
  const files = manifest.files.filter((file) => file.kind === kind && reads(file));
  for (const file of files) {
    const applied = cursor.files.get(file.path);
    if (applied?.sha256 === file.sha256) continue;
    const bytes = await site.read(file.path);
    if (bytes === null || hash('sha256', bytes) !== file.sha256) return { status: 'busy', ...done };
    done.bytes += bytes.length;
    const { changed, state } = compare(file, consumer.read(linesOf(bytes), file.path), applied);
    for (const batch of batches(changed, batchSize)) {
      await consumer.upsert(batch);
      done.upserted += batch.length;
    }
    cursor.saveFile(state);
  }

  // An item may have moved to another file: nothing is deleted before all files are read.
  const paths = new Set(files.map(({ path }) => path));
  const current = [...cursor.files.values()].filter(({ path }) => paths.has(path));
  const gone = [...cursor.files.values()].filter(({ path }) => !paths.has(path));
  const live = new Set(current.flatMap(({ chunks }) => Object.keys(chunks)));
  const stale = [
    ...current.flatMap((file) => file.stale),
    ...gone.flatMap((file) => [...Object.keys(file.chunks), ...file.stale]),
  ].filter((id) => !live.has(id));
  for (const batch of batches([...new Set(stale)], batchSize)) {
    await consumer.delete(batch);
    done.deleted += batch.length;
  }
  for (const file of current) if (file.stale.length > 0) cursor.saveFile({ ...file, stale: [] });
  for (const { path } of gone) cursor.removeFile(path);
  cursor.saveManifest({ etag: answer.etag, feedId, rootHash, seq });
  return { status: 'applied', ...done };
}

/** What to upsert so that the target has this file, and what the cursor remembers of it then. */
function compare<T>(
  { path, sha256 }: ManifestFile,
  items: Iterable<FeedItem<T>>,
  applied: AppliedFile | undefined,
): { readonly changed: readonly ChangedItem<T>[]; readonly state: AppliedFile } {
  const changed: ChangedItem<T>[] = [];
  const chunks: Record<string, readonly [string, string]> = {};
  for (const { id, embedHash, hash: whole, value } of items) {
    const known = applied !== undefined && Object.hasOwn(applied.chunks, id) ? applied.chunks[id] : null;
    if (known?.[1] !== whole) changed.push({ value, embed: known?.[0] !== embedHash });
    chunks[id] = [embedHash, whole];
  }
  const ids = [...(applied?.stale ?? []), ...Object.keys(applied?.chunks ?? {})];
  return { changed, state: { path, sha256, chunks, stale: ids.filter((id) => !Object.hasOwn(chunks, id)) } };
}

function* linesOf(bytes: Uint8Array): Generator<string> {
  for (const line of new TextDecoder().decode(bytes).split('\n')) if (line !== '') yield line;
}

function parseManifest(bytes: Uint8Array): Manifest {
  try {
    const manifest = manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    const outside = manifest.files.find(({ path }) =>
      path.split('/').some((part) => part === '..' || part === ''),
    );
    if (outside === undefined) return manifest;
  } catch (cause) {
    throw invalid(`${manifestPath} does not follow its schema`, cause);
  }
  throw invalid(`${manifestPath} names a file outside the site`);
}

/** Parses a line of a file of chunks. @throws FEED_INVALID */
export function readChunkLine(line: string, path: string): ChunkRecord {
  return readLine<ChunkRecord>(line, path, chunkRecord, 'chunk');
}

/** Parses a line of a file of documents. @throws FEED_INVALID */
export function readDocumentLine(line: string, path: string): DocumentRecord {
  return readLine<DocumentRecord>(line, path, documentRecord, 'document');
}

/** The record as it was published: the schema would drop fields of a later version. */
function readLine<T>(line: string, path: string, schema: z.ZodType<T>, what: string): T {
  try {
    const record = JSON.parse(line) as T;
    schema.parse(record);
    return record;
  } catch (cause) {
    throw invalid(`${path} contains a line that is not a ${what}`, cause);
  }
}

function invalid(message: string, cause?: unknown): LecternError {
  return new LecternError('FEED_INVALID', message, {
    hint: 'check that the folder or URL is a site published by Lectern, and run lectern verify on it',
    cause,
  });
}

/** Half a SHA-256: enough to tell versions of one record apart, and a cursor holds two of them per item. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 32);
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
