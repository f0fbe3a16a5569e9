import { setImmediate, setTimeout } from 'node:timers/promises';
import { LecternError } from '../../core/errors.ts';
import type { PublishedSite } from '../../feed/read/feed-reader.ts';
import { followIntoIndex, readRun } from './follow-index.ts';
import { deletePassageIndex, openPassageIndex, type PassageIndex } from './passage-index.ts';

/** Which feed an answer is from. */
export interface FeedState {
  /** Number of the run. */
  readonly run: number;
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
  /** Makes the index, or finds that it exists. @throws as the first refresh: FEED_INVALID, FEED_UNREACHABLE, the reason of `signal` */
  load(): Promise<void>;
  close(): void;
}

export interface HelpIndexOptions {
  /** Absolute path of the index; other servers may use the same. */
  readonly file: string;
  /** Largest loss of documents that a refresh applies, in percent; `null`: no limit; default: 20. */
  readonly maxDropPercent?: number | null;
  /** Called when a refresh fails for another reason than the one before. */
  readonly onStale?: (error: LecternError) => void;
  /** Stops a refresh. */
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long a feed counts as current; default: ten seconds. */
  readonly currentMs?: number;
  /** How long an answer waits for a refresh of an existing index; default: two seconds. */
  readonly patienceMs?: number;
  /** How long an answer waits for the first index; default: 25 seconds, below the time limits of clients. */
  readonly firstPatienceMs?: number;
}

/** Between attempts while another process makes the index, or a feed is uploaded. */
const retryMs = 500;
/** Attempts before a feed whose files differ from its manifest fails. */
const maxAttempts = 600;

/** Opens the index of a feed. @throws CACHE_UNUSABLE, CACHE_LOCKED, DRIVER_MISSING */
export async function openHelpIndex(site: PublishedSite, options: HelpIndexOptions): Promise<HelpIndex> {
  const { file, maxDropPercent = 20, onStale, signal, now } = options;
  const { currentMs = 10_000, patienceMs = 2_000, firstPatienceMs = 25_000 } = options;
  let index = await openPassageIndex(file);
  let refreshing: Promise<void> | null = null;
  let checkedAt: number | null = null;
  let attemptedAt: number | null = null;
  let problem: LecternError | null = null;
  /** Documents of the index that is being made. */
  let progress = 0;

  const follow = () =>
    followIntoIndex(site, index, {
      maxDropPercent,
      async onProgress(documents) {
        progress = documents;
        // Between two batches, requests and the end of the program get their turn.
        await setImmediate();
        signal?.throwIfAborted();
      },
    });

  /** Makes a damaged index again. */
  const reopen = async (): Promise<void> => {
    index.close();
    deletePassageIndex(file);
    index = await openPassageIndex(file);
    checkedAt = null;
  };

  async function refreshOnce(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const status = await follow();
      if (status === 'current') {
        checkedAt = now();
        return;
      }
      // What is there answers meanwhile.
      if (readRun(index) !== null) return;
      if (attempt === maxAttempts) {
        throw new LecternError('FEED_BUSY', 'files of the feed differ from its manifest', {
          hint: 'the site is probably being uploaded; try again in a few minutes',
        });
      }
      await setTimeout(retryMs, undefined, signal === undefined ? {} : { signal });
    }
  }

  function refresh(): Promise<void> {
    refreshing ??= refreshOnce()
      .catch(async (error: unknown) => {
        if (!isDamage(error)) throw error;
        await reopen();
        await refreshOnce();
      })
      .then(() => {
        problem = null;
      })
      .catch((error: unknown) => {
        if (!(error instanceof LecternError) || error === signal?.reason) throw error;
        // The previous data still answers; every answer says so.
        if (problem?.code !== error.code && readRun(index) !== null) onStale?.(error);
        problem = error;
        if (readRun(index) === null) throw error;
      })
      .finally(() => {
        attemptedAt = now();
        refreshing = null;
      });
    return refreshing;
  }

  /** Waits until an index is there that is as current as it can be in the given time. */
  async function prepare(): Promise<void> {
    const isCurrent = attemptedAt !== null && now() - attemptedAt < currentMs;
    const isThere = readRun(index) !== null;
    if (isThere && isCurrent && refreshing === null) return;
    const waiting = refresh();
    await waitFor(waiting, isThere ? patienceMs : firstPatienceMs);
    if (readRun(index) !== null) return;
    throw new LecternError(
      'INDEX_NOT_READY',
      `the index of the help centre is being made, ${progress} documents so far`,
      {
        hint: 'ask again in a minute',
      },
    );
  }

  const stateOf = (): FeedState => {
    const run = readRun(index);
    return {
      run: run?.seq ?? 0,
      builtAt: run?.builtAt ?? null,
      checkedAt: checkedAt === null ? null : new Date(checkedAt).toISOString(),
      problem: problem?.code ?? null,
    };
  };

  return {
    async answer(read) {
      const act = async () => {
        await prepare();
        return read(index, stateOf());
      };
      try {
        return await act();
      } catch (error) {
        if (!isDamage(error)) throw error;
        // A refresh that is still running uses the damaged file.
        await refreshing?.catch(() => {});
        await reopen();
        attemptedAt = null;
        return act();
      }
    },
    async load() {
      await refresh();
    },
    close: () => index.close(),
  };
}

function isDamage(error: unknown): boolean {
  return error instanceof LecternError && error.code === 'CACHE_DAMAGED';
}

/** Waits for work, but not longer than this. Its error is thrown if it fails in this time. */
async function waitFor(work: Promise<void>, maxMs: number): Promise<void> {
  const ending = new AbortController();
  const late = setTimeout(maxMs, undefined, { signal: ending.signal }).catch(() => {});
  // It is thrown to whoever waits, and to the next one who asks.
  work.catch(() => {});
  await Promise.race([work, late]).finally(() => ending.abort());
}
