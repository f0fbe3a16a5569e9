import { inParallel } from '../../core/concurrency.ts';
import type { NetworkSettings } from '../../core/config/source-settings.ts';
import type { Http } from '../../core/net/http.ts';
import { readJson } from '../../core/net/read-json.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import type { AdapterReading, ArticlesRead } from '../adapter.ts';
import { mayBePublic, needsSingleRead } from '../normalise/visibility.ts';
import { type ListSink, readListing } from '../read-listing.ts';
import { type SnapshotHeader, sumBodyBytes } from '../snapshot/format.ts';
import { type ArticleCollector, createCollector, type Decision } from './collect-articles.ts';
import { fingerprintRecord } from './fingerprint-record.ts';

type LastReading = NonNullable<AdapterReading['previous']>;

/** Context for reading articles through the API. */
interface ApiReading extends AdapterReading {
  readonly http: Http;
  readonly network: NetworkSettings;
}

/**
 * Reads all articles in the cheapest way that misses nothing. If the last snapshot is recent, it reads only articles that the list without
 * bodies reports as changed, or nothing if the server says that the whole list is unchanged. Otherwise it reads everything.
 */
export async function readArticles(reading: ApiReading): Promise<ArticlesRead> {
  const { previous, network } = reading;
  if (previous !== null && isRecent(previous.header, reading)) {
    const { isListWithBodies } = previous.header;
    // A short list that contains bodies is read just as fast as a whole.
    const isLong = sumBodyBytes(previous.content.articles) > network.fullReadBytes || !isListWithBodies;
    const read = isLong
      ? await readChangedArticles(reading, previous)
      : await readUnlessUnchanged(reading, previous);
    if (read !== null) return read;
  }
  return (await readAllArticles(reading, null)) as ArticlesRead;
}

/** `null` if the last snapshot has no validator or is damaged. */
async function readUnlessUnchanged(reading: ApiReading, previous: LastReading): Promise<ArticlesRead | null> {
  const { header, content } = previous;
  // The validator may not cover that an article becomes public, or stops being public, by its schedule.
  const { scheduleMs = Number.POSITIVE_INFINITY } = header;
  if (header.etag === null || timeMs(reading) >= scheduleMs) return null;
  const read = await readAllArticles(reading, header.etag);
  if (read !== null) return read;
  if (!content.articles.every(({ article }) => reading.store.has(article))) return null;
  const { articles, excluded, hiddenNames, listingProblems: problems } = content;
  return { ...header, mode: 'unchanged', articles, excluded, hiddenNames, problems, singleReads: 0 };
}

/**
 * Whether articles that the list does not report as changed may be reused from the last snapshot: it is recent enough, and the same version
 * of the program made it, with the same rules for reading records.
 */
function isRecent(header: SnapshotHeader, reading: ApiReading): boolean {
  const ageMs = timeMs(reading) - header.fullReadAtMs;
  const isOwn = header.generator === reading.settings.generator;
  return isOwn && ageMs >= 0 && ageMs < reading.network.fullReadHours * 3_600_000;
}

/** Reads the whole list with its bodies; `null` if the server says that it is unchanged. */
async function readAllArticles(reading: ApiReading, etag: string | null): Promise<ArticlesRead | null> {
  const { http, store, settings, network } = reading;
  const startMs = timeMs(reading);
  const collector = createCollector(store, settings, startMs, (_id, record) =>
    needsSingleRead(record) ? 'single' : 'take',
  );
  const listing = { ...network, includeBody: true, etag };
  const read = await readListing(http, listing, withProgress(collector, reading));
  if (read === null) return null;
  const listedAtMs = startMs + http.clockOffsetMs();
  const singleReads = await readSingles(reading, collector);
  const collected = collector.finish();
  return {
    ...collected,
    mode: 'full',
    listedAtMs,
    fullReadAtMs: startMs,
    isListWithBodies: singleReads * 2 <= collected.articles.length,
    // The validator does not cover bodies that are not in the list.
    etag: singleReads === 0 ? read.etag : null,
    singleReads,
  };
}

/**
 * An article edited this short before the last list is read again: it may have been edited again within the same second, or clocks may
 * differ.
 */
const racyMs = 5 * 60_000;

/** If more than this part of the articles changed, reading them one by one is slower than reading everything. */
const maxSingles = { part: 0.1, atLeast: 20 } as const;

/**
 * Reads the list without bodies, then the articles it reports as changed. Returns `null` if those are too many, or if an id is listed
 * twice, because only whole records can tell which one counts.
 */
async function readChangedArticles(reading: ApiReading, previous: LastReading): Promise<ArticlesRead | null> {
  const { http, store, settings, network } = reading;
  const startMs = timeMs(reading);
  const collector = createCollector(store, settings, startMs, decideBy(previous));
  await readListing(http, { ...network, includeBody: false }, withProgress(collector, reading));
  const listedAtMs = startMs + http.clockOffsetMs();
  const maxPending = Math.max(maxSingles.atLeast, previous.content.articles.length * maxSingles.part);
  if (collector.hasDuplicates() || collector.pending().length > maxPending) return null;
  collector.checkReused();
  const singleReads = await readSingles(reading, collector);
  const { fullReadAtMs, isListWithBodies } = previous.header;
  const known = { mode: 'incremental', listedAtMs, fullReadAtMs, isListWithBodies, etag: null } as const;
  return { ...collector.finish(), ...known, singleReads };
}

function decideBy({ header, content }: LastReading): (id: string, record: UnknownRecord) => Decision {
  const known = new Map(content.articles.map((stored) => [stored.article.id, stored]));
  return (id, record) => {
    if (!mayBePublic(record)) return 'take';
    const stored = known.get(id);
    const editedAt = stored?.article.updatedAt ?? null;
    if (stored === undefined || editedAt === null) return 'single';
    const isOld = Date.parse(editedAt) < header.listedAtMs - racyMs;
    return isOld && stored.fingerprint === fingerprintRecord(record) ? stored : 'single';
  };
}

/** Reads every article that the collector needs, several at a time; returns their number. */
async function readSingles(
  { http, settings, network }: ApiReading,
  collector: ArticleCollector,
): Promise<number> {
  const ids = collector.pending();
  let done = 0;
  await inParallel(ids, network.concurrency, async (id) => {
    const path = `/article/${encodeURIComponent(id)}`;
    await collector.takeSingle(id, await readRecord(http, path, 'article', [404, 410]));
    done += 1;
    settings.onProgress?.({ kind: 'bodies', done, total: ids.length });
  });
  return ids.length;
}

/**
 * Reads one record, unchanged from the server; `null` if it does not exist.
 * @param key field of the response that some servers have around the record
 * @param absent status codes for a record that does not exist
 */
export async function readRecord(
  http: Http,
  path: string,
  key: 'article' | 'category',
  absent: readonly number[],
): Promise<unknown> {
  return http.request({ method: 'GET', path, accept: absent }, async (response) => {
    if (response.status >= 400) return null;
    const value = await readJson(response);
    return isRecord(value) && key in value ? value[key] : value;
  });
}

/** The time by our clock, in milliseconds since 1970. */
function timeMs({ settings }: ApiReading): number {
  return (settings.ports?.now ?? Date.now)();
}

/** A sink that reports the number of records it has passed on, and the number in the last snapshot if known. */
function withProgress(sink: ListSink, { settings, previous }: ApiReading): ListSink {
  const { onProgress = () => {} } = settings;
  const expected = previous?.header.listed ?? null;
  let done = 0;
  return {
    async restart() {
      done = 0;
      await sink.restart();
    },
    async take(record) {
      await sink.take(record);
      done += 1;
      onProgress({ kind: 'articles', done, total: expected === null ? null : Math.max(expected, done) });
    },
  };
}
