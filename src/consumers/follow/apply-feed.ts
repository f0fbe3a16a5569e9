import { resolve } from 'node:path';
import { configSchema } from '../../core/config/schema.ts';
import { LecternError } from '../../core/errors.ts';
import { usualDropPercent } from '../../core/guard-loss.ts';
import { openFeed } from '../../feed/read/open-feed.ts';
import { lockCursor, openFeedCursor } from './feed-cursor.ts';
import type { FeedFollower, FollowedFeed } from './feed-follower.ts';
import { followFeed } from './follow-feed.ts';

export interface ApplyFeedOptions extends FeedFollower {
  /** File with the consumer's state; one per feed and target. */
  readonly cursor: string;
  /** Documents per call of `upsert` and `delete`; default: 50. */
  readonly batchSize?: number;
  /** Largest loss of documents that is applied, in percent of the last run's, in total and per language; default: 20. */
  readonly maxDropPercent?: number;
  /** Applies any loss; for one run, after you checked that the loss is intended. */
  readonly allowMassDelete?: boolean;
  /** Follows redirects to other servers; by default, the feed comes from the server of `site`. */
  readonly allowRedirects?: boolean;
}

/**
 * Brings a vector store up to date with a published feed. Reads the manifest and the changes since the last run or, if they do not go back
 * far enough or the feed was started anew, all documents. A run that was killed is completed by the next one.
 * @param site folder or URL of the published site
 * @throws USAGE, FEED_UNREACHABLE, FEED_INVALID, FEED_BEHIND, MASS_DELETE, CURSOR_UNUSABLE, LOCKED if another run uses the cursor, and
 * what the callbacks throw
 */
export async function applyFeed(site: string, options: ApplyFeedOptions): Promise<FollowedFeed> {
  checkOptions(site, options);
  const { batchSize, maxDropPercent = usualDropPercent, allowMassDelete = false } = options;
  const file = resolve(options.cursor);
  // Two runs at once would write older texts over newer ones, and both note that the target is up to date.
  const lock = await lockCursor(file);
  try {
    const cursor = openFeedCursor(file, { owner: 'applyFeed', variant: '' }, lock);
    const reader = await openFeed(site, async () => configSchema.parse({}), process.cwd(), {
      anyServer: options.allowRedirects === true,
    });
    try {
      return await followFeed(reader, cursor, options, {
        maxDropPercent: allowMassDelete ? null : maxDropPercent,
        dropHint:
          'nothing was deleted; if the loss is intended, call applyFeed once with allowMassDelete: true',
        batchSize,
      });
    } finally {
      await reader.close();
    }
  } finally {
    lock.release();
  }
}

/** Scripts in JavaScript may leave out what the types require, such as a variable of the environment that is not set. */
function checkOptions(site: string | undefined, options: Partial<ApplyFeedOptions> | undefined): void {
  const missing = (['cursor', 'upsert', 'delete'] as const).find((name) => !options?.[name]);
  if (!site || missing !== undefined) {
    const what = site ? `the option ${missing}` : 'the URL or folder of a site';
    throw new LecternError('USAGE', `applyFeed needs ${what}`, {
      hint: "call applyFeed('https://help.example.com', { cursor: 'cursor.jsonl', upsert, delete })",
    });
  }
  const { maxDropPercent = 0, batchSize = 1 }: { maxDropPercent?: unknown; batchSize?: unknown } =
    options ?? {};
  if (typeof maxDropPercent !== 'number' || !(maxDropPercent >= 0 && maxDropPercent <= 100)) {
    throw new LecternError('USAGE', `maxDropPercent is ${maxDropPercent}, not a number from 0 to 100`, {
      hint: 'pass a percentage, e.g. 20; to apply any loss once, pass allowMassDelete: true',
    });
  }
  if (!Number.isSafeInteger(batchSize) || Number(batchSize) < 1) {
    throw new LecternError('USAGE', `batchSize is ${batchSize}, not a whole number from 1`, {
      hint: 'pass the number of documents that upsert and delete get at most, e.g. 50, or leave it out',
    });
  }
}
