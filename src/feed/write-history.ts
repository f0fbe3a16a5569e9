import type { Output } from '../output/output.ts';
import type { TombstoneRecord } from './change-record.ts';
import type { ReadFeedFile } from './feed-reader.ts';
import { jsonLine } from './json-lines.ts';
import { type PreviousFeed, readListed } from './read-previous-feed.ts';
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
  read: ReadFeedFile,
  keepRuns: number,
): Promise<History> {
  const lastSeq = previous?.manifest.run.seq ?? 0;
  const seq = lastSeq === 0 || run.changes.length > 0 ? lastSeq + 1 : lastSeq;
  const firstSeq = Math.max(previous?.manifest.changes.first ?? 1, seq - keepRuns + 1);
  const records = new Map<string, number>();
  for (let earlier = firstSeq; previous !== null && earlier <= lastSeq; earlier += 1) {
    const path = changesPath(earlier);
    await output.write(path, await readListed(read, previous.manifest, path));
    records.set(path, previous.manifest.files.find((file) => file.path === path)?.records ?? 0);
  }
  if (seq > lastSeq) {
    await output.write(
      changesPath(seq),
      run.changes
        .map(({ op, id, article_id, language, ...rest }) =>
          jsonLine({ op, id, article_id, language, seq, ...rest }),
        )
        .join(''),
    );
    records.set(changesPath(seq), run.changes.length);
  }
  const tombstones = nextTombstones(previous?.tombstones ?? [], run, seq);
  await output.write('feed/tombstones.jsonl', tombstones.map(jsonLine).join(''));
  records.set('feed/tombstones.jsonl', tombstones.length);
  return { seq, firstSeq, records };
}

/** Where the changes of a run lie. */
export function changesPath(seq: number): string {
  return `feed/changes/${seq}.jsonl`;
}

/** A document that came back has no tombstone any more. */
function nextTombstones(
  earlier: readonly TombstoneRecord[],
  run: RunChanges,
  seq: number,
): readonly TombstoneRecord[] {
  const changed = new Set(run.changes.map(({ id }) => id));
  const added = run.removed.map(({ id, article_id, language, ...rest }) => ({
    id,
    article_id,
    language,
    deleted_seq: seq,
    ...rest,
  }));
  return [...earlier.filter(({ id }) => !changed.has(id)), ...added].sort((a, b) => (a.id < b.id ? -1 : 1));
}
