import { hash } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import { countEach } from '../../core/group-by.ts';
import { guardLoss, guardReplaced, sumLanguages } from '../../core/guard-loss.ts';
import { manifestPath, type PublishedSite } from '../../feed/read/feed-reader.ts';
import {
  changesPath,
  findListed,
  type Manifest,
  type ManifestFile,
  recordPath,
} from '../../feed/read/manifest.ts';
import {
  invalidFeed,
  parseManifest,
  readChangeLine,
  readChunkLine,
  readDocuments,
  readFeedFile,
} from '../../feed/read/read-feed.ts';
import { linesOf } from '../../feed/records/json-lines.ts';
import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';
import { type AppliedDocument, type AppliedRun, type FeedCursor, forgetHashes } from './feed-cursor.ts';
import type { ChangedDocument, FeedFollower, FollowedFeed } from './feed-follower.ts';

interface FollowOptions {
  /**
   * Largest loss of documents that is applied, in percent of the last run's, in total and per language, as in a build; `null`: no limit. The first
   * run has nothing to compare with.
   */
  readonly maxDropPercent: number | null;
  /** What to do to apply a larger loss. */
  readonly dropHint: string;
  /** Whether a language is wanted; absent: all are. Documents of other languages are deleted from the target. */
  readonly wants?: (language: string, published: readonly string[]) => boolean;
  /** Documents per call; default: 50. */
  readonly batchSize?: number | undefined;
}

/** A run that is being applied. */
interface Following {
  readonly site: PublishedSite;
  readonly manifest: Manifest;
  readonly cursor: FeedCursor;
  readonly follower: FeedFollower;
  readonly options: FollowOptions;
  /** Wanted languages. */
  readonly languages: ReadonlySet<string>;
  /** Wanted documents that the last run left in the target; `null` before the first complete run. */
  readonly earlier: readonly Pick<AppliedDocument, 'id' | 'language'>[] | null;
  upserted: number;
  deleted: number;
  bytes: number;
}

/**
 * Brings a target up to date with a published feed: reads the manifest and the changes that the cursor has not seen or, if they do not
 * follow on the cursor, all documents and chunks. A run that was killed is completed by the next one.
 * @throws FEED_UNREACHABLE, FEED_INVALID, FEED_BEHIND, MASS_DELETE, and what the follower throws
 */
export async function followFeed(
  site: PublishedSite,
  cursor: FeedCursor,
  follower: FeedFollower,
  options: FollowOptions,
): Promise<FollowedFeed> {
  const { wants = () => true } = options;
  const before = cursor.run;
  const bytes = await site.read(manifestPath);
  const nothing = { upserted: 0, deleted: 0, bytes: 0 };
  if (bytes === null) throw invalidFeed(`${manifestPath} is missing`);
  const manifest = parseManifest(bytes);
  const published = manifest.languages.map(({ language }) => language);
  const languages = published.filter((language) => wants(language, published)).sort();
  const { seq, feed_id: feedId, state, built_at: builtAt = null } = manifest.run;
  const run: AppliedRun = { feedId, seq, state, builtAt, languages };
  if (before !== null) refuseOlder(before, run);
  const isSame = before !== null && before.languages.join() === languages.join();
  const isComplete = before?.applying === undefined;
  if (isSame && isComplete && before.feedId === feedId && before.seq === seq && before.state === state)
    return { status: 'unchanged', seq, ...nothing };

  // What is no longer asked for is deleted on purpose.
  const isWanted = ({ language }: { readonly language: string }) => wants(language, [...published, language]);
  const known = before === null ? null : [...cursor.all()].filter(isWanted);
  const following: Following = {
    ...{ site, manifest, cursor, follower, options, ...nothing },
    languages: new Set(languages),
    earlier: known?.map(({ id, language }) => ({ id, language })) ?? null,
  };
  const changes = isSame ? await readChanges(following, before) : null;
  if (changes !== null) await applyChanges(following, changes);
  const isDone = changes !== null || (await applyAll(following));
  if (isDone) cursor.finish(run);
  const { upserted, deleted, bytes: read } = following;
  return { status: isDone ? 'applied' : 'busy', seq, upserted, deleted, bytes: read };
}

/** Which feed was applied, and which of its runs. */
type FeedRun = Pick<AppliedRun, 'feedId' | 'seq' | 'builtAt'>;

/**
 * Refuses an earlier run of the applied feed, and a feed with another id that was not built later: an old copy of a feed from before it was
 * started anew.
 * @throws FEED_BEHIND
 */
export function refuseOlder(before: FeedRun, { feedId, seq, builtAt }: FeedRun): void {
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

type Counts = ReadonlyMap<string, number>;

function countDocuments(documents: Iterable<{ readonly language: string }>): Counts {
  return countEach(Array.from(documents, ({ language }) => language));
}

/** What the manifest says about the wanted languages. */
function expectedCounts({ manifest, languages }: Following): Counts {
  return new Map(
    manifest.languages
      .filter(({ language }) => languages.has(language))
      .map(({ language, documents }) => [language, documents]),
  );
}

/**
 * Compares what a run leaves with what the last one left. A feed that has other documents only, however many, is refused too: it is probably
 * that of another site.
 * @param after documents by id, before the target gets anything
 * @throws MASS_DELETE
 */
function guardDocuments(
  { earlier, options: { maxDropPercent, dropHint } }: Following,
  after: ReadonlyMap<string, Pick<AppliedDocument, 'language'>>,
): void {
  if (earlier === null || maxDropPercent === null) return;
  const guard = { noun: 'document', when: 'in the last applied feed', maxDropPercent, hint: dropHint };
  const before = countDocuments(earlier);
  // An article is one document in each language.
  const few = before.size;
  guardLoss(sumLanguages(before), sumLanguages(countDocuments(after.values())), { ...guard, few });
  const isLeft = earlier.some(({ id }) => after.has(id));
  guardReplaced(earlier.length, isLeft, guard);
}

/** The last change of each document since a run. */
interface FollowedChanges {
  readonly upserts: readonly RecordPair[];
  /** Ids of documents. */
  readonly deletes: readonly string[];
}

interface RecordPair {
  readonly document: DocumentRecord;
  readonly chunks: readonly ChunkRecord[];
}

/**
 * Reads the changes since a run; `null` if they do not lead from what was applied to the published feed: then everything is read. After a
 * rollback, or with two publishing jobs at once, another feed may have had the same id and run.
 */
async function readChanges(following: Following, before: AppliedRun | null): Promise<FollowedChanges | null> {
  const { site, manifest, cursor, languages } = following;
  const { run, changes } = manifest;
  if (before === null || before.feedId !== run.feed_id || before.seq === run.seq) return null;
  if (changes === undefined || before.seq < changes.first - 1 || changes.last !== run.seq) return null;
  const files = Array.from({ length: run.seq - before.seq }, (_, at) =>
    findListed(manifest, changesPath(before.seq + 1 + at)),
  );
  if (files[0]?.base !== before.state) return null;
  // What a run that was killed applied must be among the changes.
  const states = [...files.slice(1).map((file) => file?.base), run.state];
  if (before.applying !== undefined && !states.includes(before.applying)) return null;
  const size = (listed: readonly (ManifestFile | null)[]) =>
    listed.reduce((sum, file) => sum + (file?.bytes ?? 0), 0);
  if (size(files) > size(manifest.files.filter(({ kind }) => kind === 'documents' || kind === 'chunks')))
    return null;
  const latest = new Map<string, RecordPair | null>();
  for (const file of files) {
    const bytes = file === null ? null : await readFeedFile(site.read, file);
    if (file === null || bytes === null) return null;
    following.bytes += bytes.length;
    for (const line of linesOf(bytes)) {
      const change = readChangeLine(line, file.path);
      if (change.op === 'delete') latest.set(change.id, null);
      else if (languages.has(change.document.language)) latest.set(change.document.id, change);
    }
  }
  const counts = new Map(countDocuments(cursor.all()));
  const add = (language: string, count: number) => counts.set(language, (counts.get(language) ?? 0) + count);
  for (const [id, pair] of latest) {
    const known = cursor.find(id);
    if (known !== undefined) add(known.language, -1);
    if (pair !== null) add(pair.document.language, 1);
  }
  // A run that was killed may have applied a part of the changes, but a complete one ends with the counts of the manifest.
  for (const [language, count] of expectedCounts(following)) add(language, -count);
  if ([...counts.values()].some((count) => count !== 0)) return null;
  return {
    upserts: [...latest.values()].filter((pair) => pair !== null),
    deletes: [...latest].filter(([, pair]) => pair === null).map(([id]) => id),
  };
}

async function applyChanges(following: Following, { upserts, deletes }: FollowedChanges): Promise<void> {
  const after = new Map<string, Pick<AppliedDocument, 'language'>>();
  for (const document of following.cursor.all()) after.set(document.id, document);
  for (const id of deletes) after.delete(id);
  for (const { document } of upserts) after.set(document.id, document);
  guardDocuments(following, after);
  await upsert(following, upserts);
  await remove(following, deletes);
}

/** Compares all documents with the last run, before the target gets anything. Returns whether all files could be read. */
async function guardFiles(following: Following): Promise<boolean> {
  const { site, manifest, languages } = following;
  const after = new Map<string, Pick<AppliedDocument, 'language'>>();
  for (const language of languages) {
    const file = fileOf(manifest, language, 'documents');
    const bytes = await readFeedFile(site.read, file);
    if (bytes === null) return false;
    following.bytes += bytes.length;
    for (const { id } of readDocuments(bytes, file.path)) after.set(id, { language });
  }
  guardDocuments(following, after);
  return true;
}

/** Applies the difference of all documents to the cursor, and returns whether everything could be read. */
async function applyAll(following: Following): Promise<boolean> {
  const { site, manifest, cursor, languages, options } = following;
  if (following.earlier !== null && !(await guardFiles(following))) return false;
  const found = new Set<string>();
  for (const language of languages) {
    const documents = fileOf(manifest, language, 'documents');
    const chunks = fileOf(manifest, language, 'chunks');
    const bytes = await readFeedFile(site.read, documents);
    const chunkBytes = await readFeedFile(site.read, chunks);
    if (bytes === null || chunkBytes === null) return false;
    following.bytes += bytes.length + chunkBytes.length;
    const pairs = pairsOf(readDocuments(bytes, documents.path), linesOf(chunkBytes), chunks.path);
    for (const batch of batches(pairs, options.batchSize)) {
      for (const { document } of batch) found.add(document.id);
      await upsert(following, batch);
    }
  }
  await remove(
    following,
    [...cursor.all()].map(({ id }) => id).filter((id) => !found.has(id)),
  );
  return true;
}

/** @throws FEED_INVALID if the manifest lists no such file */
export function fileOf(manifest: Manifest, language: string, kind: 'documents' | 'chunks'): ManifestFile {
  const file = findListed(manifest, recordPath(language, kind));
  if (file === null) throw invalidFeed(`${manifestPath} lists no ${kind} in ${language}`);
  return file;
}

/** Documents with their chunks: both files have the same order. @throws FEED_INVALID */
function* pairsOf(
  documents: Iterable<DocumentRecord>,
  chunkLines: Iterable<string>,
  path: string,
): Generator<RecordPair> {
  let pair: { readonly document: DocumentRecord; readonly chunks: ChunkRecord[] } | null = null;
  const rest = documents[Symbol.iterator]();
  for (const line of chunkLines) {
    const chunk = readChunkLine(line, path);
    while (pair === null || pair.document.id !== chunk.document_id) {
      if (pair !== null) yield pair;
      const next: IteratorResult<DocumentRecord> = rest.next();
      if (next.done === true)
        throw invalidFeed(`${path} has chunks of the unknown document ${chunk.document_id}`);
      pair = { document: next.value, chunks: [] };
    }
    pair.chunks.push(chunk);
  }
  if (pair !== null) yield pair;
  for (let next = rest.next(); next.done !== true; next = rest.next())
    yield { document: next.value, chunks: [] };
}

/** Notes in the cursor that the target may have a part of this run: the publisher may go back to the run before. */
function noteApplying({ cursor, manifest }: Following): void {
  const { state } = manifest.run;
  if (cursor.run !== null && cursor.run.applying !== state) cursor.finish({ ...cursor.run, applying: state });
}

/** Passes new and changed documents to the follower. The cursor notes before each call what the target may have after it. */
async function upsert(following: Following, pairs: readonly RecordPair[]): Promise<void> {
  const { cursor, follower, options } = following;
  const changed = pairs.flatMap((pair) => {
    const now = describe(pair);
    const before = cursor.find(now.id);
    return before?.hash === now.hash ? [] : [{ pair, now, before }];
  });
  for (const batch of batches(changed, options.batchSize)) {
    noteApplying(following);
    cursor.save(batch.map(({ now, before }) => forgetHashes(withChunksOf(now, before))));
    await follower.upsert(batch.map(({ pair, before }) => compare(pair, before)));
    cursor.save(batch.map(({ now }) => now));
    following.upserted += batch.length;
  }
}

/** Passes documents that the target may have to the follower's `delete`. */
async function remove(following: Following, ids: readonly string[]): Promise<void> {
  const { cursor, follower, options } = following;
  const known = ids.flatMap((id) => cursor.find(id) ?? []);
  for (const batch of batches(known, options.batchSize)) {
    noteApplying(following);
    cursor.save(batch.map(forgetHashes));
    await follower.delete(batch.map(({ id, chunks }) => ({ id, chunkIds: chunks.map(([chunk]) => chunk) })));
    cursor.remove(batch.map(({ id }) => id));
    following.deleted += batch.length;
  }
}

function describe({ document, chunks }: RecordPair): AppliedDocument {
  const { id, language } = document;
  return {
    ...{ id, language },
    hash: short(hash('sha256', JSON.stringify([document, chunks]))),
    chunks: chunks.map((chunk) => [chunk.id, short(chunk.hash)]),
  };
}

/** Part of a SHA-256: enough to distinguish versions of a record, and a cursor has one per chunk. */
function short(sha256: string): string {
  return sha256.slice(0, 24);
}

function withChunksOf(now: AppliedDocument, before: AppliedDocument | undefined): AppliedDocument {
  return { ...now, chunks: [...new Map([...(before?.chunks ?? []), ...now.chunks])] };
}

function compare({ document, chunks }: RecordPair, before: AppliedDocument | undefined): ChangedDocument {
  const earlier = new Map(before?.chunks);
  const ids = new Set(chunks.map(({ id }) => id));
  return {
    document,
    chunks: chunks.map((chunk) => ({ chunk, embed: earlier.get(chunk.id) !== short(chunk.hash) })),
    removedChunks: [...earlier.keys()].filter((id) => !ids.has(id)),
  };
}

function* batches<T>(items: Iterable<T>, size = 50): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
