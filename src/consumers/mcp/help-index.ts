import { setImmediate, setTimeout } from 'node:timers/promises';
import { LecternError } from '../../core/errors.ts';
import type { PublishedSite } from '../../feed/read/feed-reader.ts';
import type { FeedCopy } from './feed-copy.ts';
import { isBusy, loadCopy, loadFeed } from './load-index.ts';
import type { PassageIndex } from './passage-index.ts';

/** Which feed an answer is from. */
export interface FeedState {
  /** Number of the run. */
  readonly run: number;
  /** URL of the published site; `''` if the feed names none. */
  readonly siteUrl: string;
  /** When it was built, ISO 8601; `null` if the feed does not say. */
  readonly builtAt: string | null;
  /** When this process last compared it with the published feed, ISO 8601; `null`: not yet. */
  readonly checkedAt: string | null;
  /** Why a newer feed could not be taken over: code of the error, or `null`. */
  readonly problem: string | null;
}

/** A published feed that can be searched. */
export interface HelpIndex {
  /**
   * Calls `read` with the current feed. A feed that has not been checked for some seconds is refreshed first; if that takes long or fails, the
   * previous one answers, and `state` says so.
   * @throws INDEX_NOT_READY if there is no index yet, after some seconds; what the first refresh throws
   */
  answer<T>(read: (index: PassageIndex, state: FeedState) => Promise<T> | T): Promise<T>;
  /** Makes the index. @throws as the first refresh: FEED_INVALID, FEED_UNREACHABLE, the reason of `signal` */
  load(): Promise<void>;
}

export interface HelpIndexOptions {
  /** Copy of the files of a feed that is read from a URL; default: none. */
  readonly copy?: FeedCopy | null;
  /** Called when a refresh fails for another reason than the one before. */
  readonly onStale?: (error: LecternError) => void;
  /** Stops a refresh. */
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long a feed counts as current; default: ten seconds. */
  readonly currentMs?: number;
  /** How long an answer waits for a refresh of the index; default: two seconds. */
  readonly patienceMs?: number;
  /** How long an answer waits for the first index; default: 25 seconds, below the time limits of clients. */
  readonly firstPatienceMs?: number;
}

/** Between attempts while a feed is uploaded. */
const retryMs = 500;
/** Attempts before a feed whose files differ from its manifest fails. */
const maxAttempts = 600;

type CurrentFeed = NonNullable<Awaited<ReturnType<typeof loadCopy>>>;

/** Opens the index of a feed, which is made at the first request or by `load`. */
export function openHelpIndex(site: PublishedSite, options: HelpIndexOptions): HelpIndex {
  const { copy = null, onStale, signal, now } = options;
  const { currentMs = 10_000, patienceMs = 2_000, firstPatienceMs = 25_000 } = options;
  let feed: CurrentFeed | null = null;
  let refreshing: Promise<void> | null = null;
  let checkedAt: number | null = null;
  let attemptedAt: number | null = null;
  let problem: LecternError | null = null;
  /** Whether files of the feed were read: then its index is being made. */
  let isRead = false;

  const loading = {
    copy,
    async onTurn() {
      isRead = true;
      // Requests and the end of the program get their turn.
      await setImmediate();
      signal?.throwIfAborted();
    },
  };

  async function refreshOnce(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        feed = await loadFeed(site, feed, loading);
        checkedAt = now();
        return;
      } catch (error) {
        if (!isBusy(error) || attempt === maxAttempts) throw error;
        // What is there answers meanwhile.
        if (feed !== null) return;
      }
      await setTimeout(retryMs, undefined, signal === undefined ? {} : { signal });
    }
  }

  function refresh(): Promise<void> {
    refreshing ??= refreshOnce()
      .then(() => {
        problem = null;
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof LecternError) || signal?.aborted === true) throw error;
        feed ??= await loadCopy(loading);
        // The previous data still answers; every answer says so.
        if (problem?.code !== error.code && feed !== null) onStale?.(error);
        problem = error;
        if (feed === null) throw error;
      })
      .finally(() => {
        attemptedAt = now();
        refreshing = null;
      });
    return refreshing;
  }

  /** Waits until an index is there that is as current as it can be in the given time. */
  async function prepare(): Promise<CurrentFeed> {
    const isCurrent = attemptedAt !== null && now() - attemptedAt < currentMs;
    if (feed !== null && isCurrent && refreshing === null) return feed;
    const waiting = refresh();
    await waitFor(waiting, patienceMs);
    // The site does not answer.
    if (feed === null && !isRead) feed = await loadCopy(loading);
    if (feed === null) await waitFor(waiting, firstPatienceMs - patienceMs);
    if (feed !== null) return feed;
    throw new LecternError('INDEX_NOT_READY', 'the index of the help centre is being made', {
      hint: 'ask again in a minute',
    });
  }

  const stateOf = ({ run, site: { url } }: CurrentFeed['manifest']): FeedState => ({
    ...{ run: run.seq, siteUrl: url, builtAt: run.built_at ?? null },
    checkedAt: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    problem: problem?.code ?? null,
  });

  return {
    async answer(read) {
      const { index, manifest } = await prepare();
      return read(index, stateOf(manifest));
    },
    load: refresh,
  };
}

/** Waits for work, but not longer than this. Its error is thrown if it fails in this time. */
async function waitFor(work: Promise<void>, maxMs: number): Promise<void> {
  const ending = new AbortController();
  const late = setTimeout(maxMs, undefined, { signal: ending.signal }).catch(() => {});
  // It is thrown to whoever waits, and to the next one who asks.
  work.catch(() => {});
  await Promise.race([work, late]).finally(() => ending.abort());
}
