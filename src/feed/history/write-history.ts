import type { Output } from '../../output/output.ts';
import type { ReadFeedFile } from '../read/feed-reader.ts';
import { changesPath, findListed, type Manifest } from '../read/manifest.ts';
import { jsonLine } from '../records/json-lines.ts';
import { isDocumentOf } from '../records/record-schemas.ts';
import type { FeedStart } from './feed-position.ts';
import { type PreviousFeed, readListed } from './read-previous-feed.ts';
import type { DocumentState, FeedChanges } from './track-changes.ts';

/** The runs whose changes the feed contains. */
export interface FinishedHistory {
  readonly feedId: string;
  /** Number of the run; if nothing changed, that of the previous run. */
  readonly seq: number;
  /** First run whose changes are published; `seq + 1` if there is none. */
  readonly firstSeq: number;
  /** Number of documents that changed in this run. */
  readonly changes: number;
  /** URLs of the documents that were removed. */
  readonly removed: readonly string[];
  /** For each file of changes, by path: `run.state` of the feed before them. */
  readonly bases: ReadonlyMap<string, string>;
}

/** What a run changes, and how large the feed is. */
interface RunChanges extends FeedChanges {
  /** Size of all files of documents and chunks. */
  readonly feedBytes: number;
  /** Size of the upserted records. */
  readonly recordBytes: number;
  /** Reads the lines of an upserted document, with line feeds. */
  readonly readRecords: (state: DocumentState) => { readonly document: string; readonly chunks: string };
  /** Articles whose deletion is erased: changes up to the latest one that names such an article are no longer published. */
  readonly forget: readonly string[];
}

/**
 * Writes `feed/changes/` of a run, and publishes the changes of earlier runs again that no later run replaced. A run without changes gets no
 * number. The first run writes no changes: its consumers read everything. Changes of at most `keepRuns` runs are published, and together they
 * are never larger than all documents and chunks: then reading everything is cheaper.
 * @throws FEED_PREVIOUS_INVALID if a file of earlier changes is damaged
 */
export async function writeHistory(
  output: Output,
  start: FeedStart,
  previous: PreviousFeed | null,
  read: ReadFeedFile,
  keepRuns: number,
  changes: RunChanges,
): Promise<FinishedHistory> {
  const { feedId, seq: lastSeq, isNew } = start;
  const { upserted, removed, feedBytes } = changes;
  const isForgotten = (id: string): boolean =>
    changes.forget.some((articleId) => isDocumentOf(id, articleId));
  const count = upserted.length + removed.length;
  const seq = isNew || count > 0 ? lastSeq + 1 : lastSeq;
  const changedIds = new Set([...upserted, ...removed].map(({ id }) => id));
  const bases = new Map<string, string>();

  let firstSeq = seq + 1;
  let room = feedBytes;
  const isKept = (number: number, bytes: number): boolean => {
    room -= bytes;
    if (room < 0) return false;
    firstSeq = number;
    return true;
  };
  if (!isNew && previous !== null && (seq === lastSeq || isKept(seq, changesBytes(changes)))) {
    const { run, changes: published } = previous.manifest;
    if (seq > lastSeq) {
      await writeChanges(output, seq, changes);
      bases.set(changesPath(seq), run.state);
    }
    const oldest = Math.max(published?.first ?? seq + 1, seq - keepRuns + 1);
    for (let earlier = lastSeq; earlier >= oldest; earlier -= 1) {
      const path = changesPath(earlier);
      // Changes that do not say what they build on lead nowhere.
      const base = findListed(previous.manifest, path)?.base;
      if (base === undefined) break;
      const kept = await keptChanges(previous.manifest, read, path, changedIds);
      // Followers that are behind read everything, and delete what is not there.
      if (changes.forget.length > 0 && kept.split('\n').some((line) => isForgotten(idOfLine(line)))) break;
      if (!isKept(earlier, Buffer.byteLength(kept))) break;
      await output.write(path, kept);
      bases.set(path, base);
    }
  }
  return { feedId, seq, firstSeq, changes: count, removed: removed.map(({ url }) => url), bases };
}

function upsertLine(
  { was }: FeedChanges['upserted'][number],
  { document, chunks }: ReturnType<RunChanges['readRecords']>,
): string {
  const list = chunks.trimEnd().replaceAll('\n', ',');
  const before = was === undefined ? '' : `,"was":"${was}"`;
  return `{"op":"upsert","document":${document.trimEnd()},"chunks":[${list}]${before}}\n`;
}

function deleteLine({ id, reason, was }: FeedChanges['removed'][number]): string {
  return jsonLine({ op: 'delete', id, reason, was });
}

/** Size of a file of changes, without reading the records. */
function changesBytes({ upserted, removed, recordBytes }: RunChanges): number {
  const around = upserted.map((state) => upsertLine(state, { document: '', chunks: '' }));
  return recordBytes + Buffer.byteLength([...around, ...removed.map(deleteLine)].join(''));
}

async function writeChanges(
  output: Output,
  seq: number,
  { upserted, removed, readRecords }: RunChanges,
): Promise<void> {
  const file = await output.open(changesPath(seq));
  for (const state of upserted) await file.write(upsertLine(state, readRecords(state)));
  for (const document of removed) await file.write(deleteLine(document));
  await file.close();
}

/**
 * The changes of an earlier run, without documents that changed since: only their last change counts, and what was withdrawn or removed from
 * an article must not stay public in an older change.
 */
async function keptChanges(
  manifest: Manifest,
  read: ReadFeedFile,
  path: string,
  changedIds: ReadonlySet<string>,
): Promise<string> {
  const bytes = await readListed(read, manifest, path);
  const lines = Buffer.from(bytes).toString().split('\n');
  return lines.filter((line) => !changedIds.has(idOfLine(line))).join('\n');
}

/** The first id of a line is that of the document. */
function idOfLine(line: string): string {
  return /"id":"([^"]*)"/.exec(line)?.[1] ?? '';
}
