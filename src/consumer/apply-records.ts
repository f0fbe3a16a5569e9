import { hash } from 'node:crypto';
import type { PublishedSite } from '../feed/feed-reader.ts';
import {
  type Manifest,
  type ManifestFile,
  manifestPath,
  manifestSchema,
  partOfArticle,
} from '../feed/manifest.ts';
import {
  type ChangeRecord,
  type ChunkRecord,
  changeRecord,
  chunkRecord,
  type DocumentRecord,
  documentRecord,
} from '../feed/records/record-schemas.ts';
import { LecternError } from '../foundation/errors.ts';
import type { z } from '../foundation/schema.ts';
import type { AppliedFeed, TouchedDocument } from './applied-feed.ts';
import type { AppliedFile, AppliedManifest, FeedCursor } from './feed-cursor.ts';

/** A record in the form in which a consumer stores it, under an id of its own. */
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
  /**
   * Takes the new fields of items instead of the items, so that a file in which nothing else is new need not be read. May get
   * the same again. Absent: such files are read.
   */
  readonly touch?: ((documents: readonly TouchedDocument[]) => Promise<void> | void) | undefined;
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
  const nothing = { upserted: 0, touched: 0, deleted: 0, bytes: 0 };
  if (answer === 'unchanged') return { status: 'unchanged', seq: before?.seq ?? 0, ...nothing };
  if (answer === null) throw invalid(`${manifestPath} is missing`);
  await check?.(answer.bytes);
  const manifest = parseManifest(answer.bytes);
  const { generator } = manifest;
  const { seq, feed_id: feedId } = manifest.run;
  const rootHash = manifest.root_hash;
  if (before?.rootHash === rootHash) return { status: 'unchanged', seq, ...nothing };
  if (before?.feedId === feedId && seq < before.seq) return { status: 'older', seq, ...nothing };

  const done = { seq, ...nothing };
  const files = manifest.files.filter((file) => file.kind === kind && reads(file));
  const isNew = (file: ManifestFile) => cursor.files.get(file.path)?.sha256 !== file.sha256;
  const bitsOf = new Map(manifest.languages.map(({ language, part_bits }) => [language, part_bits]));
  const changes =
    consumer.touch === undefined ? noChanges : await readChanges(site, manifest, before, files.filter(isNew));
  done.bytes += changes.bytes;
  const changesOf = new Map<string, ChangeRecord[]>();
  for (const change of changes.lines) {
    const key = fileKey(change.language, partOfArticle(change.article_id, bitsOf.get(change.language) ?? 0));
    const here = changesOf.get(key);
    if (here === undefined) changesOf.set(key, [change]);
    else here.push(change);
  }
  for (const file of files.filter(isNew)) {
    const applied = cursor.files.get(file.path);
    const partBits = bitsOf.get(file.language ?? '') ?? 0;
    const changesHere = changesOf.get(fileKey(file.language ?? '', file.part ?? '')) ?? [];
    // Files of other bits have the same names, and other articles.
    const touched = applied?.partBits === partBits ? touchedIn(applied, changesHere) : null;
    if (applied !== undefined && touched !== null) {
      for (const batch of batches(touched, batchSize)) await consumer.touch?.(batch);
      const ids = touched.flatMap(({ chunks }) => chunks);
      done.touched += ids.length;
      // What the records are now is not known: they are sent again when the file is read again.
      const chunks = ids.map((id) => [id, [applied.chunks[id]?.[0] ?? '', '']] as const);
      cursor.saveFile({
        ...applied,
        sha256: file.sha256,
        chunks: { ...applied.chunks, ...Object.fromEntries(chunks) },
        isAhead: true,
      });
      continue;
    }
    const bytes = await site.read(file.path);
    if (bytes === null || hash('sha256', bytes) !== file.sha256) return { status: 'busy', ...done };
    done.bytes += bytes.length;
    const { changed, state } = compare(file, partBits, consumer.read(linesOf(bytes), file.path), applied);
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
  cursor.saveManifest({ etag: answer.etag, feedId, rootHash, seq, generator });
  for (const file of [...cursor.files.values()])
    if (file.isAhead) cursor.saveFile({ ...file, isAhead: false });
  return { status: 'applied', ...done };
}

/** What to upsert so that the target has this file, and what the cursor remembers of it then. */
function compare<T>(
  { path, sha256 }: ManifestFile,
  partBits: number,
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
  const stale = ids.filter((id) => !Object.hasOwn(chunks, id));
  return { changed, state: { path, sha256, partBits, chunks, stale, isAhead: true } };
}

/** What happened to the documents of a feed since a cursor. */
interface ReadChanges {
  /** In the order of their runs; empty if they cannot be used. */
  readonly lines: readonly ChangeRecord[];
  readonly bytes: number;
}

const noChanges: ReadChanges = { lines: [], bytes: 0 };

/**
 * Reads the changes since the last complete run, if the same version of the program made them, they are of the very feed that
 * was applied (another one may have the same id and run: a deployment that was rolled back, or two jobs at once), and they are
 * smaller than the files that they may replace.
 */
async function readChanges(
  site: PublishedSite,
  manifest: Manifest,
  before: AppliedManifest | null,
  files: readonly ManifestFile[],
): Promise<ReadChanges> {
  const { run, generator } = manifest;
  if (before === null || before.feedId !== run.feed_id || before.generator !== generator) return noChanges;
  const listed = manifest.files.filter(({ path }) => {
    const [, number] = /^feed\/changes\/(\d+)\.jsonl$/.exec(path) ?? [];
    return Number(number) > before.seq;
  });
  const next = listed.find(({ path }) => path === `feed/changes/${before.seq + 1}.jsonl`);
  if (next?.base !== before.rootHash) return noChanges;
  const size = (of: readonly ManifestFile[]) => of.reduce((sum, { bytes }) => sum + bytes, 0);
  if (size(listed) >= size(files)) return noChanges;
  const lines: ChangeRecord[] = [];
  for (const { path, sha256 } of listed) {
    const bytes = await site.read(path);
    if (bytes === null || hash('sha256', bytes) !== sha256) return noChanges;
    for (const line of linesOf(bytes)) lines.push(readLine<ChangeRecord>(line, path, changeRecord, 'change'));
  }
  return { lines: lines.sort((a, b) => a.seq - b.seq), bytes: size(listed) };
}

function fileKey(language: string, part: string): string {
  return `${language}/${part}`;
}

/**
 * The documents of a file that were touched; `null` where anything else of it may be new.
 * @param changes of its documents
 */
function touchedIn(
  applied: AppliedFile,
  changes: readonly ChangeRecord[],
): readonly TouchedDocument[] | null {
  if (applied.isAhead !== false) return null;
  const touched = new Map<string, TouchedDocument>();
  for (const change of changes) {
    const { op, id, updated_at, translation_outdated } = change;
    if (op !== 'touch' || translation_outdated === undefined) return null;
    const chunks = Object.keys(applied.chunks).filter(
      (chunk) => chunk.startsWith(id) && /^-[0-9a-z]{8}(?:-\d+)?$/.test(chunk.slice(id.length)),
    );
    const date = updated_at === undefined ? {} : { updated_at };
    touched.set(id, { document_id: id, chunks, ...date, translation_outdated });
  }
  return touched.size === 0 ? null : [...touched.values()];
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
