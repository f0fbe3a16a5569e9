import { hash } from 'node:crypto';
import { openFeed } from '../build/open-feed.ts';
import { configSchema } from '../config/schema.ts';
import type { PublishedSite } from '../feed/feed-reader.ts';
import { type Manifest, type ManifestFile, manifestPath, manifestSchema } from '../feed/manifest.ts';
import { type ChunkRecord, chunkRecord } from '../feed/records/chunk-record.ts';
import { LecternError } from '../foundation/errors.ts';
import { type AppliedFile, type FeedCursor, openFeedCursor } from './feed-cursor.ts';

/** A chunk that is new, or not as it was. */
export interface ChangedChunk {
  readonly chunk: ChunkRecord;
  /** Whether `embed_text` is new: `false` when only fields beside it changed and the embedding of before still holds. */
  readonly embed: boolean;
}

export interface ApplyFeedOptions {
  /** Folder in which the consumer remembers what it applied; one per feed and target. */
  readonly cursor: string;
  /** Stores chunks under their `id`. May get the same chunk again after a run that was killed. */
  readonly upsertChunks: (chunks: readonly ChangedChunk[]) => Promise<void> | void;
  /** Deletes chunks by id. May get an id again, or one that the target does not have. */
  readonly deleteChunks: (ids: readonly string[]) => Promise<void> | void;
  /** Chunks or ids per call; 100. */
  readonly batchSize?: number;
}

/** What a run did. */
export interface AppliedFeed {
  /** `busy`: an upload is under way, so try again later; what was applied until then is kept. `older`: a mirror that is behind. */
  readonly status: 'applied' | 'unchanged' | 'busy' | 'older';
  /** Run of the feed. */
  readonly seq: number;
  readonly upserted: number;
  readonly deleted: number;
  /** Bytes of files of chunks that were read. */
  readonly bytes: number;
}

/**
 * Brings a vector store up to date with a published feed. Reads the files of chunks whose hash changed, and nothing else; what
 * counts is the difference between the files and what the cursor remembers, so that gaps, restarted feeds and other sizes of
 * chunks need no special treatment. The next run completes one that was killed.
 * @param site folder or address of the published site
 * @throws FEED_ADDRESS_INVALID, FEED_UNREACHABLE, FEED_INVALID, CURSOR_DAMAGED, and what the callbacks throw
 */
export async function applyFeed(site: string, options: ApplyFeedOptions): Promise<AppliedFeed> {
  const cursor = openFeedCursor(options.cursor);
  const reader = await openFeed(site, async () => configSchema.parse({}), process.cwd());
  try {
    return await apply(reader, cursor, options);
  } finally {
    await reader.close();
  }
}

async function apply(
  site: PublishedSite,
  cursor: FeedCursor,
  { upsertChunks, deleteChunks, batchSize = 100 }: ApplyFeedOptions,
): Promise<AppliedFeed> {
  const before = cursor.manifest;
  const answer = await site.readTagged(manifestPath, before?.etag ?? null);
  const nothing = { upserted: 0, deleted: 0, bytes: 0 };
  if (answer === 'unchanged') return { status: 'unchanged', seq: before?.seq ?? 0, ...nothing };
  if (answer === null) throw invalid(`${manifestPath} is missing`);
  const manifest = parseManifest(answer.bytes);
  const { seq, feed_id: feedId } = manifest.run;
  const rootHash = manifest.root_hash;
  if (before?.rootHash === rootHash) return { status: 'unchanged', seq, ...nothing };
  if (before?.feedId === feedId && seq < before.seq) return { status: 'older', seq, ...nothing };

  const done = { seq, ...nothing };
  const files = manifest.files.filter(({ kind }) => kind === 'chunks');
  for (const file of files) {
    const applied = cursor.files.get(file.path);
    if (applied?.sha256 === file.sha256) continue;
    const bytes = await site.read(file.path);
    if (bytes === null || hash('sha256', bytes) !== file.sha256) return { status: 'busy', ...done };
    done.bytes += bytes.length;
    const { changed, state } = compare(file, bytes, applied);
    for (const batch of batches(changed, batchSize)) {
      await upsertChunks(batch);
      done.upserted += batch.length;
    }
    cursor.saveFile(state);
  }

  // A chunk may have moved to another file: nothing is deleted before all files are read.
  const paths = new Set(files.map(({ path }) => path));
  const current = [...cursor.files.values()].filter(({ path }) => paths.has(path));
  const gone = [...cursor.files.values()].filter(({ path }) => !paths.has(path));
  const live = new Set(current.flatMap(({ chunks }) => Object.keys(chunks)));
  const stale = [
    ...current.flatMap((file) => file.stale),
    ...gone.flatMap((file) => [...Object.keys(file.chunks), ...file.stale]),
  ].filter((id) => !live.has(id));
  for (const batch of batches([...new Set(stale)], batchSize)) {
    await deleteChunks(batch);
    done.deleted += batch.length;
  }
  for (const file of current) if (file.stale.length > 0) cursor.saveFile({ ...file, stale: [] });
  for (const { path } of gone) cursor.removeFile(path);
  cursor.saveManifest({ etag: answer.etag, feedId, rootHash, seq });
  return { status: 'applied', ...done };
}

/** What to upsert so that the target has this file, and what the cursor remembers of it then. */
function compare(
  { path, sha256 }: ManifestFile,
  bytes: Uint8Array,
  applied: AppliedFile | undefined,
): { readonly changed: readonly ChangedChunk[]; readonly state: AppliedFile } {
  const changed: ChangedChunk[] = [];
  const chunks: Record<string, readonly [string, string]> = {};
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    if (line === '') continue;
    const chunk = parseChunk(line, path);
    const hashes = [shortHash(chunk.embed_text), shortHash(line)] as const;
    const known =
      applied !== undefined && Object.hasOwn(applied.chunks, chunk.id) ? applied.chunks[chunk.id] : null;
    if (known?.[1] !== hashes[1]) changed.push({ chunk, embed: known?.[0] !== hashes[0] });
    chunks[chunk.id] = hashes;
  }
  const ids = [...(applied?.stale ?? []), ...Object.keys(applied?.chunks ?? {})];
  return { changed, state: { path, sha256, chunks, stale: ids.filter((id) => !Object.hasOwn(chunks, id)) } };
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

function parseChunk(line: string, path: string): ChunkRecord {
  try {
    const chunk = JSON.parse(line) as ChunkRecord;
    chunkRecord.parse(chunk);
    return chunk;
  } catch (cause) {
    throw invalid(`${path} holds a line that is not a chunk`, cause);
  }
}

function invalid(message: string, cause?: unknown): LecternError {
  return new LecternError('FEED_INVALID', message, {
    hint: 'check that the address is that of a site published by Lectern, then run lectern verify on it',
    cause,
  });
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 32);
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
