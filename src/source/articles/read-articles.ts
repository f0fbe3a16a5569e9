import { readListing } from '../listing/read-listing.ts';
import { needsSingleRead } from '../normalise/visibility.ts';
import type { SnapshotHeader, StoredArticle } from '../snapshot/format.ts';
import { readSoundBytes } from '../snapshot/read-bodies.ts';
import type { Snapshot } from '../snapshot/read-index.ts';
import { type ArticlesRead, type Reading, timeMs, withProgress } from './articles-read.ts';
import { createCollector } from './collect-articles.ts';
import { readChangedArticles } from './read-changed-articles.ts';
import { readSingles } from './read-singles.ts';

/**
 * Reads all articles in the way that costs least and misses nothing: where the last snapshot is recent, only what the
 * list without bodies reports as changed, or nothing when the server says that the whole list is as it was; else all.
 */
export async function readArticles(reading: Reading): Promise<ArticlesRead> {
  const { previous, settings } = reading;
  const nowMs = timeMs(reading);
  const rule = { ...settings.network, generator: settings.generator };
  if (previous !== null && isRecent(previous.header, rule, nowMs)) {
    const read = isIncrementalDue(previous.header, rule, nowMs)
      ? await readChangedArticles(reading, previous)
      : await readUnlessUnchanged(reading, previous);
    if (read !== null) return read;
  }
  return (await readAllArticles(reading, null)) as ArticlesRead;
}

/** `null` where the last snapshot has no validator, or is damaged. */
async function readUnlessUnchanged(reading: Reading, previous: Snapshot): Promise<ArticlesRead | null> {
  const { header, content } = previous;
  if (header.etag === null) return null;
  const read = await readAllArticles(reading, header.etag);
  if (read !== null) return read;
  const articles: StoredArticle[] = [];
  for (const stored of content.articles) {
    const bodies = await readSoundBytes(previous.bodies, stored);
    if (bodies === null) return null;
    articles.push({ ...stored, bodyRange: await reading.store.append(bodies) });
  }
  const { excluded, listingProblems: problems } = content;
  return { ...header, mode: 'unchanged', articles, excluded, problems, singleReads: 0 };
}

export interface FullReadSettings {
  /** See `source.fullReadHours` and `source.fullReadBytes` in the configuration. */
  readonly fullReadHours: number;
  readonly fullReadBytes: number;
  /** Name and version of the program. */
  readonly generator: string;
}

/**
 * Whether what the listing does not report as changed may be taken from the last snapshot: it is recent enough, and this
 * version of the program made it, whose rules for reading records are the same.
 */
export function isRecent(
  header: SnapshotHeader,
  { fullReadHours, generator }: FullReadSettings,
  nowMs: number,
): boolean {
  const ageMs = nowMs - header.fullReadAtMs;
  return header.generator === generator && ageMs >= 0 && ageMs < fullReadHours * 3_600_000;
}

/** Whether reading only what changed is worth it: a short list is read as fast with all its bodies, if it has them. */
export function isIncrementalDue(header: SnapshotHeader, settings: FullReadSettings, nowMs: number): boolean {
  const isLong = header.bodiesBytes > settings.fullReadBytes || !header.isListWithBodies;
  return isLong && isRecent(header, settings, nowMs);
}

/** Reads the whole list with its bodies; `null` when it still matches the validator. */
export async function readAllArticles(reading: Reading, etag: string | null): Promise<ArticlesRead | null> {
  const { http, store, settings } = reading;
  const startMs = timeMs(reading);
  const collector = createCollector(store, settings.defaultLanguage, (_id, record) =>
    needsSingleRead(record) ? 'single' : 'take',
  );
  const listing = { ...settings.network, includeBody: true, etag };
  const outcome = await readListing(http, listing, withProgress(collector, reading));
  if (outcome.kind === 'unchanged') return null;
  const listedAtMs = startMs + http.clockOffsetMs();
  const singleReads = await readSingles(http, collector, settings);
  const collected = collector.finish();
  return {
    ...collected,
    mode: 'full',
    listedAtMs,
    fullReadAtMs: startMs,
    isListWithBodies: singleReads * 2 <= collected.articles.length,
    // The validator says nothing of bodies that are not in the list.
    etag: singleReads === 0 ? outcome.etag : null,
    singleReads,
  };
}
