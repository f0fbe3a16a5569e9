import type { Manifest } from '../read/manifest.ts';

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
