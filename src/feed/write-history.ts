import type { Output } from '../output/output.ts';
import type { TombstoneRecord } from './change-record.ts';
import type { FeedReader } from './feed-reader.ts';
import { jsonLine } from './json-lines.ts';
import type { Manifest } from './manifest.ts';
import { openListed, type PreviousFeed } from './read-previous-feed.ts';
import type { RunChanges } from './track-changes.ts';

/** Which runs the feed holds the changes of. */
export interface History {
  readonly seq: number;
  readonly firstSeq: number;
  /** Records by path of the files written. */
  readonly records: ReadonlyMap<string, number>;
}

/**
 * Writes `feed/changes/` and `feed/tombstones.jsonl`: what earlier runs changed is carried over, this run's changes
 * get the next number. A run that changed nothing adds nothing.
 * Throws `FEED_PREVIOUS_INVALID` when a file to carry over is damaged.
 */
export async function writeHistory(
  output: Output,
  previous: PreviousFeed | null,
  run: RunChanges,
  reader: FeedReader,
  keepRuns: number,
): Promise<History> {
  const lastSeq = previous?.manifest.run.seq ?? 0;
  const seq = lastSeq === 0 || run.changes.count > 0 ? run.seq : lastSeq;
  const firstSeq = Math.max(previous?.manifest.changes.first ?? 1, seq - keepRuns + 1);
  const records = new Map<string, number>();
  for (let earlier = firstSeq; previous !== null && earlier <= lastSeq; earlier += 1) {
    const path = changesPath(earlier);
    records.set(path, await carryOver(output, previous.manifest, reader, path));
  }
  if (seq > lastSeq) {
    const file = await output.open(changesPath(seq));
    for (const line of run.changes.lines()) await file.write(line);
    await file.close();
    records.set(changesPath(seq), run.changes.count);
  }
  const tombstones = nextTombstones(run);
  await output.write('feed/tombstones.jsonl', tombstones.map(jsonLine).join(''));
  records.set('feed/tombstones.jsonl', tombstones.length);
  return { seq, firstSeq, records };
}

/** Where the changes of a run lie. */
export function changesPath(seq: number): string {
  return `feed/changes/${seq}.jsonl`;
}

/** Publishes a file of the previous feed again; gives its number of records. */
async function carryOver(
  output: Output,
  manifest: Manifest,
  reader: FeedReader,
  path: string,
): Promise<number> {
  const listed = manifest.files.find((file) => file.path === path);
  if (listed === undefined || output.keep(path, listed) === null) {
    const blocks = openListed(reader, manifest, path);
    const file = await output.open(path);
    for await (const block of blocks) await file.write(block);
    await file.close();
  }
  return listed?.records ?? 0;
}

function nextTombstones({ buried, removed, seq }: RunChanges): readonly TombstoneRecord[] {
  const added = removed.map(({ id, article_id, language, ...rest }) => ({
    id,
    article_id,
    language,
    deleted_seq: seq,
    ...rest,
  }));
  return [...buried, ...added].sort((a, b) => (a.id < b.id ? -1 : 1));
}
