import type { Output, OutputFile } from '../../output/output.ts';
import type { FeedReader } from '../feed-reader.ts';
import type { FeedFileFacts, Manifest } from '../manifest.ts';
import { jsonLine } from '../records/json-lines.ts';
import type { TombstoneRecord } from '../records/record-schemas.ts';
import { openListed, type PreviousFeed } from './read-previous-feed.ts';
import type { FeedChanges } from './track-changes.ts';

/** Writes `feed/changes/` and `feed/tombstones.jsonl` of a run. A run without changes writes no new file. */
export interface History {
  /** Writes the changes of the run; call it once. */
  add(changes: FeedChanges): Promise<void>;
  /** Ends it and publishes the changes of earlier runs again. Throws `FEED_PREVIOUS_INVALID` if one of their files is damaged. */
  finish(): Promise<FinishedHistory>;
}

/** A run of a feed. */
export interface FeedPosition {
  readonly feedId: string;
  readonly seq: number;
}

/** The run that made a feed. */
export function positionOf({ run }: Pick<Manifest, 'run'>): FeedPosition {
  return { feedId: run.feed_id, seq: run.seq };
}

/** Where a run starts from. */
export interface FeedStart extends FeedPosition {
  /** Whether the feed has a new id, so that no consumer can continue from the previous one. */
  readonly isNew: boolean;
}

/**
 * Decides whether a run continues the previous feed. It does not if there is none, or if the last build already published a later run: then
 * consumers may have changes that the previous feed lacks. `seq` never decreases.
 * @param last the feed of the last build; `null` if unknown
 */
export function startPosition(
  previous: FeedPosition | null,
  last: FeedPosition | null,
  newFeedId: string,
): FeedStart {
  if (previous !== null && !isBehind(previous, last)) return { ...previous, isNew: false };
  return { feedId: newFeedId, seq: Math.max(previous?.seq ?? 0, last?.seq ?? 0), isNew: true };
}

/** Whether the last build published a later run of the same feed. */
export function isBehind(feed: FeedPosition, last: FeedPosition | null): boolean {
  return last?.feedId === feed.feedId && last.seq > feed.seq;
}

/** The runs whose changes the feed contains. */
export interface FinishedHistory {
  readonly feedId: string;
  /** Number of the run; if nothing changed, that of the previous run. */
  readonly seq: number;
  readonly firstSeq: number;
  /** Number of documents that changed in this run. */
  readonly changes: number;
  /** Manifest entries of the files, by path. */
  readonly facts: ReadonlyMap<string, FeedFileFacts>;
}

/** @param start position of the previous feed */
export function startHistory(
  output: Output,
  start: FeedStart,
  previous: PreviousFeed | null,
  reader: FeedReader,
  keepRuns: number,
): History {
  const { feedId, seq: lastSeq, isNew } = start;
  const nextSeq = lastSeq + 1;
  const tombstones = new Map(previous?.tombstones.map((tombstone) => [tombstone.id, tombstone]));
  let file: OutputFile | null = null;
  let count = 0;
  return {
    async add({ changes, removed }) {
      if (changes.length === 0) return;
      file ??= await output.open(changesPath(nextSeq));
      for (const { op, id, article_id, language, ...rest } of changes) {
        await file.write(jsonLine({ op, id, article_id, language, seq: nextSeq, ...rest }));
        // A document that is published again has no tombstone.
        tombstones.delete(id);
      }
      for (const { id, article_id, language, ...rest } of removed) {
        tombstones.set(id, { id, article_id, language, deleted_seq: nextSeq, ...rest });
      }
      count += changes.length;
    },
    async finish() {
      const seq = isNew || count > 0 ? nextSeq : lastSeq;
      if (seq > lastSeq) {
        file ??= await output.open(changesPath(seq));
        await file.close();
      }
      const firstSeq = isNew ? seq : Math.max(previous?.manifest.changes.first ?? 1, seq - keepRuns + 1);
      const facts = new Map<string, FeedFileFacts>();
      for (let earlier = firstSeq; previous !== null && earlier <= lastSeq; earlier += 1) {
        const path = changesPath(earlier);
        facts.set(path, await carryOver(output, previous.manifest, reader, path));
      }
      const base = isNew || previous === null ? {} : { base: previous.manifest.root_hash };
      if (seq > lastSeq) facts.set(changesPath(seq), { records: count, ...base });
      await writeTombstones(output, [...tombstones.values()]);
      facts.set(tombstonesPath, { records: tombstones.size });
      return { feedId, seq, firstSeq, changes: count, facts };
    },
  };
}

const tombstonesPath = 'feed/tombstones.jsonl';

/** Path of the changes of a run. */
export function changesPath(seq: number): string {
  return `feed/changes/${seq}.jsonl`;
}

/** Publishes a file of the previous feed again; returns its manifest facts. */
async function carryOver(
  output: Output,
  manifest: Manifest,
  reader: FeedReader,
  path: string,
): Promise<FeedFileFacts> {
  const listed = manifest.files.find((file) => file.path === path);
  if (listed === undefined || output.reuse(path, listed) === null) {
    const blocks = openListed(reader, manifest, path);
    const file = await output.open(path);
    for await (const block of blocks) await file.write(block);
    await file.close();
  }
  return { records: listed?.records ?? 0, ...(listed?.base === undefined ? {} : { base: listed.base }) };
}

async function writeTombstones(output: Output, tombstones: readonly TombstoneRecord[]): Promise<void> {
  const sorted = tombstones.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await output.write(tombstonesPath, sorted.map(jsonLine).join(''));
}
