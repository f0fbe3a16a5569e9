import { hash } from 'node:crypto';
import { manifestPath, type PublishedSite } from '../feed/feed-reader.ts';
import type { Manifest, ManifestFile } from '../feed/manifest.ts';
import { LecternError } from '../foundation/errors.ts';
import { guardDrop } from '../foundation/guard-drop.ts';
import type { AppliedFeed, TouchedDocument } from './applied-feed.ts';
import type { AppliedFile, AppliedManifest, FeedCursor } from './feed-cursor.ts';
import { invalidFeed, linesOf, parseManifest } from './parse-feed.ts';
import { noTouches, partBitsOf, readTouched } from './touched-documents.ts';

/** A record in the form in which a consumer stores it, with its id there. */
export interface FeedItem<T> {
  readonly id: string;
  /** Id of the document that it belongs to. */
  readonly documentId: string;
  /** Hash of the embedded or searched text. */
  readonly embedHash: string;
  /** Hash of the whole item: if it is unchanged, nothing is sent. */
  readonly hash: string;
  readonly value: T;
}

/** A new or changed item. */
export interface ChangedItem<T> {
  readonly value: T;
  /** `false` if `embedHash` is unchanged, so that only other fields changed. */
  readonly embed: boolean;
}

/** Checks the bytes of a manifest; throws if it is not trusted. */
export type FeedCheck = (manifest: Uint8Array) => Promise<void>;

/** Callbacks that bring a target up to date. */
export interface RecordConsumer<T> {
  /** Whether a file is read. Items from files that are no longer read are deleted. */
  readonly reads: (file: ManifestFile, manifest: Manifest) => boolean;
  /** Returns the items of one file. @param lines without line feeds and empty lines */
  readonly read: (lines: Iterable<string>, path: string) => Iterable<FeedItem<T>>;
  /** May receive the same item again after a run was killed. */
  readonly upsert: (items: readonly ChangedItem<T>[]) => Promise<void> | void;
  /**
   * Receives the new fields of items instead of the items, so that a file without other changes need not be read. May receive the same
   * documents again. Absent: such files are read.
   */
  readonly touch?: ((documents: readonly TouchedDocument[]) => Promise<void> | void) | undefined;
  /** May receive an id again, or one that the target does not have. */
  readonly delete: (ids: readonly string[]) => Promise<void> | void;
  /** Items or ids per call; default: 100. */
  readonly batchSize?: number;
  /**
   * Largest loss of documents that is applied, in total and per language, compared with the last complete run, as in a build; `null`: any.
   * The first run has nothing to compare with.
   */
  readonly maxDropPercent: number | null;
  /** What to do to apply a larger loss. */
  readonly dropHint?: string;
  /** Whether a loss of this language counts; absent: always. For a consumer that was told to leave a language out. */
  readonly guards?: (language: string) => boolean;
  /** Called before the manifest is used; absent: every manifest is trusted. */
  readonly check?: FeedCheck;
}

/**
 * Reads the files of a consumer whose hash changed since the cursor, and passes the differences to the target.
 * @throws FEED_UNREACHABLE, FEED_INVALID, FEED_BEHIND, MASS_DELETE, and what the callbacks throw
 */
export async function applyRecords<T>(
  site: PublishedSite,
  cursor: FeedCursor,
  consumer: RecordConsumer<T>,
): Promise<AppliedFeed> {
  const { reads, batchSize = 100, check } = consumer;
  const before = cursor.manifest;
  const answer = await site.readTagged(manifestPath, check === undefined ? (before?.etag ?? null) : null);
  const nothing = { upserted: 0, touched: 0, deleted: 0, bytes: 0 };
  if (answer === 'unchanged') return { status: 'unchanged', seq: before?.seq ?? 0, ...nothing };
  if (answer === null) throw invalidFeed(`${manifestPath} is missing`);
  await check?.(answer.bytes);
  const manifest = parseManifest(answer.bytes);
  const { generator } = manifest;
  const { seq, feed_id: feedId } = manifest.run;
  const rootHash = manifest.root_hash;
  const builtAt = manifest.run.built_at ?? null;
  if (before?.rootHash === rootHash) return { status: 'unchanged', seq, ...nothing };
  if (before !== null) refuseOlder(before, { feedId, seq, builtAt });

  const done = { seq, ...nothing };
  const files = manifest.files.filter((file) => reads(file, manifest));
  // What the manifest claims is compared before anything is changed, what the files contain before anything is deleted.
  const read = new Set(files.map(({ language = '' }) => language));
  guardLoss(
    before,
    Object.fromEntries(
      manifest.languages
        .filter(({ language }) => read.has(language))
        .map(({ language, documents }) => [language, documents]),
    ),
    consumer,
  );
  const newFiles = files.filter((file) => cursor.files.get(file.path)?.sha256 !== file.sha256);
  const touched =
    consumer.touch === undefined ? noTouches : await readTouched(site, manifest, cursor, newFiles);
  done.bytes += touched.bytes;
  for (const file of newFiles) {
    const applied = cursor.files.get(file.path);
    const documents = touched.documentsOf.get(file.path);
    if (applied !== undefined && documents !== undefined) {
      for (const batch of batches(documents, batchSize)) await consumer.touch?.(batch);
      done.touched += documents.reduce((sum, { chunks }) => sum + chunks.length, 0);
      cursor.saveFile(afterTouch(applied, file, documents));
      continue;
    }
    const bytes = await site.read(file.path, file.bytes);
    if (bytes === null || hash('sha256', bytes) !== file.sha256) return { status: 'busy', ...done };
    done.bytes += bytes.length;
    const { changed, state } = compare(
      file,
      partBitsOf(manifest, file),
      consumer.read(linesOf(bytes), file.path),
      applied,
    );
    for (const batch of batches(changed, batchSize)) {
      await consumer.upsert(batch);
      done.upserted += batch.length;
    }
    cursor.saveFile(state);
  }

  const documents: Record<string, number> = {};
  for (const { path, language = '' } of files)
    documents[language] = (documents[language] ?? 0) + (cursor.files.get(path)?.documents ?? 0);
  guardLoss(before, documents, consumer);
  // An item may have moved to another file, so nothing is deleted before all files were read.
  const { stale, removed } = findStale(cursor, new Set(files.map(({ path }) => path)));
  for (const batch of batches(stale, batchSize)) {
    await consumer.delete(batch);
    done.deleted += batch.length;
  }
  for (const file of [...cursor.files.values()])
    if (file.stale.length > 0 && !removed.has(file.path)) cursor.saveFile({ ...file, stale: [] });
  for (const path of removed) cursor.removeFile(path);
  cursor.saveManifest({ etag: answer.etag, feedId, rootHash, seq, builtAt, documents, generator });
  for (const file of [...cursor.files.values()])
    if (file.isAhead) cursor.saveFile({ ...file, isAhead: false });
  return { status: 'applied', ...done };
}

/**
 * Refuses an earlier run of the applied feed, and a feed with another id that was not built later: an old copy of a feed from before it was
 * started anew.
 * @throws FEED_BEHIND
 */
function refuseOlder(
  before: AppliedManifest,
  { feedId, seq, builtAt }: Pick<AppliedManifest, 'feedId' | 'seq' | 'builtAt'>,
): void {
  const isSame = before.feedId === feedId;
  if (isSame && seq >= before.seq) return;
  if (!isSame && (before.builtAt === null || Date.parse(builtAt ?? '') > Date.parse(before.builtAt))) return;
  const message = isSame
    ? `the feed is at run ${seq}, older than the applied run ${before.seq}`
    : `the feed is another one (feed_id ${feedId}), built ${builtAt ?? 'at an unknown time'}, not after the applied one of ${before.builtAt}`;
  throw new LecternError('FEED_BEHIND', message, {
    hint: 'a mirror is behind, or the site was rolled back: run again later; if it stays, delete the cursor and empty the target',
  });
}

/** @param now documents per language; @throws MASS_DELETE */
function guardLoss(
  before: FeedCursor['manifest'],
  now: Readonly<Record<string, number>>,
  {
    maxDropPercent,
    dropHint,
    guards = () => true,
  }: Pick<RecordConsumer<unknown>, 'maxDropPercent' | 'dropHint' | 'guards'>,
): void {
  if (before === null || maxDropPercent === null) return;
  const counts = Object.fromEntries(
    Object.entries(before.documents).filter(([language]) => guards(language)),
  );
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  const shared = { noun: 'document', when: 'in the last applied feed' };
  const total = { ...shared, language: null, before: sum(counts), now: sum(now) };
  const perLanguage = Object.entries(counts).map(([language, count]) => ({
    ...shared,
    language,
    before: count,
    now: now[language] ?? 0,
  }));
  for (const counted of [total, ...perLanguage]) guardDrop(counted, maxDropPercent, dropHint);
}

/** The cursor entry of a file that was not read: its records are sent again when it is read, because their current state is unknown. */
function afterTouch(
  applied: AppliedFile,
  { sha256 }: ManifestFile,
  touched: readonly TouchedDocument[],
): AppliedFile {
  const chunks = touched
    .flatMap((document) => document.chunks)
    .map((id) => [id, [applied.chunks[id]?.[0] ?? '', '']] as const);
  return { ...applied, sha256, chunks: { ...applied.chunks, ...Object.fromEntries(chunks) }, isAhead: true };
}

/**
 * Ids that the target has but the feed no longer has.
 * @param paths of the files of the feed
 */
function findStale(
  cursor: FeedCursor,
  paths: ReadonlySet<string>,
): { readonly stale: readonly string[]; readonly removed: ReadonlySet<string> } {
  const files = [...cursor.files.values()];
  const current = files.filter(({ path }) => paths.has(path));
  const gone = files.filter(({ path }) => !paths.has(path));
  const live = new Set(current.flatMap(({ chunks }) => Object.keys(chunks)));
  const ids = [
    ...current.flatMap((file) => file.stale),
    ...gone.flatMap((file) => [...Object.keys(file.chunks), ...file.stale]),
  ];
  const stale = [...new Set(ids)].filter((id) => !live.has(id));
  return { stale, removed: new Set(gone.map(({ path }) => path)) };
}

/** Items of a file to upsert, and the new cursor entry of the file. */
function compare<T>(
  { path, sha256 }: ManifestFile,
  partBits: number,
  items: Iterable<FeedItem<T>>,
  applied: AppliedFile | undefined,
): { readonly changed: readonly ChangedItem<T>[]; readonly state: AppliedFile } {
  const changed: ChangedItem<T>[] = [];
  const chunks: Record<string, readonly [string, string]> = {};
  const documents = new Set<string>();
  for (const { id, documentId, embedHash, hash: whole, value } of items) {
    documents.add(documentId);
    const known = applied !== undefined && Object.hasOwn(applied.chunks, id) ? applied.chunks[id] : null;
    if (known?.[1] !== whole) changed.push({ value, embed: known?.[0] !== embedHash });
    chunks[id] = [embedHash, whole];
  }
  const ids = [...(applied?.stale ?? []), ...Object.keys(applied?.chunks ?? {})];
  const stale = ids.filter((id) => !Object.hasOwn(chunks, id));
  return {
    changed,
    state: { path, sha256, partBits, chunks, documents: documents.size, stale, isAhead: true },
  };
}

/** Half a SHA-256: enough to distinguish versions of a record, and a cursor has two of them per item. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 32);
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
