import { join } from 'node:path';
import type { BuildReport } from '../core/report.ts';
import { isBehind } from '../feed/history/feed-position.ts';
import type { ReadFeedFile } from '../feed/read/feed-reader.ts';
import { hashDownloads } from '../site/media/downloads.ts';
import { isSettled } from '../source/snapshot/file-memory.ts';
import { checkSnapshot } from '../source/snapshot/snapshot-file.ts';
import type { Source } from '../source/source.ts';
import type { BuildOptions } from './build-options.ts';
import { type BuildRecord, type LastBuild, readStored, writeStored } from './build-record.ts';
import { coverageOf } from './make-report.ts';
import { problemsThatRemain } from './products.ts';
import type { Run, RunOutput } from './run.ts';

/**
 * The report of a build whose output already is what it would publish, because settings, knowledge base, files and feed are those of the last
 * build; `null` if it is not.
 * @param settings result of `hashInputs`
 * @param since the published site whose feed this run continues; `null`: the replaced output
 * @throws what reading the knowledge base throws
 */
export async function findUnchanged(
  run: Run,
  output: RunOutput,
  settings: string,
  since: ReadFeedFile | null,
  { offline, forget, compareFiles = false }: Pick<BuildOptions, 'offline' | 'forget' | 'compareFiles'>,
): Promise<BuildReport | null> {
  const { last, staging, database } = output;
  if (last === null || forget !== undefined || last.record.settings !== settings) return null;
  const { record } = last;
  const stats = await findSame(run, record, offline);
  if (stats === null) return null;
  if (!(await isSameFeed(last, since)) || !isUntouched(run.cache, output, last)) return null;
  const mayDiffer = !offline && record.hasDownloads;
  if (mayDiffer && !(await (await run.openMedia()).isUnchanged())) return null;
  const touchedMs = staging.previous?.touchedMs() ?? null;
  // The content of all files is right: the next build need not read them again.
  if (touchedMs !== null)
    writeStored(database, 'published', { feed: record.feed, finishedMs: touchedMs + 1 });
  return {
    ...record.report,
    ...coverageOf(stats),
    out: run.out,
    problems: problemsThatRemain(record.report.problems),
    renderedPages: 0,
    changes: 0,
    changedFiles: compareFiles ? { added: [], changed: [], removed: [] } : null,
  };
}

/**
 * What the source has now, if what it publishes is what the last build read; otherwise `null`. Offline, or if no file of the source has changed
 * since, the source itself need not be read.
 */
async function findSame(
  { cache, listSource, readSnapshot }: Run,
  { snapshot: read }: BuildRecord,
  offline: boolean,
): Promise<Pick<Source['stats'], 'listed' | 'unread'> | null> {
  if (read === null) return null;
  // A source without files has to be read: its last snapshot says nothing.
  const listing = offline ? null : await listSource();
  const last = offline || listing !== null ? await checkSnapshot(cache, read) : null;
  if (last !== null) {
    const { etag, listedAtMs, listed, unread = {} } = last.header;
    const isCurrent = listing === null || (listing.etag === etag && isSettled(listing.changedMs, listedAtMs));
    if (isCurrent) return { listed, unread };
  }
  const { snapshot, stats } = await readSnapshot();
  return snapshot === read ? stats : null;
}

/** Whether the feed that the run continues is the one that the last build published. */
async function isSameFeed({ record }: LastBuild, since: ReadFeedFile | null): Promise<boolean> {
  if (since === null) return true;
  const { readManifest } = await import('../feed/history/read-previous-feed.ts');
  const published = await readManifest(since);
  if (published === null) return false;
  const { feed_id, seq, state } = published.run;
  return state === record.feedState && feed_id === record.feed.feedId && seq === record.feed.seq;
}

/** Whether the output, and the copied images and files it used, are unchanged since its build. */
function isUntouched(cache: string, { staging, database }: RunOutput, { record }: LastBuild): boolean {
  if (record.copies !== hashCopies(cache)) return false;
  // The output was restored from an older run, so its feed must get a new id.
  if (isBehind(record.feed, readStored(database, 'published')?.feed ?? null)) return false;
  return staging.previous?.isUnchanged() ?? false;
}

/** Hash of the copied images and files in a cache folder; `null` if there are none. @param cache absolute path */
export function hashCopies(cache: string): string | null {
  return hashDownloads(join(cache, 'media/index.json'));
}
