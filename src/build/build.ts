import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CachedBuild, openBuildCache } from '../cache/build-cache.ts';
import {
  describeProgram,
  fingerprintInputs,
  fingerprintRun,
  hashSource,
  stampProgram,
} from '../cache/fingerprint.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import type { FeedReader } from '../feed/feed-reader.ts';
import { readManifest } from '../feed/history/read-previous-feed.ts';
import { once } from '../foundation/concurrency.ts';
import type { BuildReport } from '../foundation/report.ts';
import { type SpillFile, withSpillFile } from '../foundation/spill-file.ts';
import type { Media } from '../media/media.ts';
import { createKeptFiles } from '../output/foreign-files.ts';
import { outputMarker } from '../output/last-output.ts';
import { lockCache } from '../output/lock-cache.ts';
import { openStaging } from '../output/staging.ts';
import { createWorkerPool, isWorthThread } from '../partitions/worker-pool.ts';
import { siteRoot } from '../plan/page-url.ts';
import { checkShards, readShard } from '../shards/shard-folder.ts';
import { createShardPool } from '../shards/shard-pool.ts';
import type { BuildOptions } from './build-options.ts';
import { type BuildFolders, describeCopies, isAsLeft, reportUnchanged } from './check-up-to-date.ts';
import { refuseWarnings } from './make-report.ts';
import { openFeed } from './open-feed.ts';
import { openMedia } from './open-media.ts';
import { openSource } from './open-source.ts';
import { isSignedAsWanted, publish, signingKeyOf } from './publish.ts';

export type { BuildOptions } from './build-options.ts';

/**
 * The whole run: source → plan → content → site + feed → output. The previous output is unchanged until the last step. With
 * `options.shards`, partitions are read from shards instead of rendered; everything else is the same.
 * @throws LecternError; the previous output is then unchanged
 */
export async function build(config: ResolvedConfig, options: BuildOptions): Promise<BuildReport> {
  const cacheFolder = resolve(options.folder, config.cache);
  return withSpillFile(cacheFolder, (spill) => buildWith(config, options, cacheFolder, spill));
}

async function buildWith(
  config: ResolvedConfig,
  options: BuildOptions,
  cacheFolder: string,
  spill: SpillFile,
): Promise<BuildReport> {
  const out = resolve(options.folder, config.out);
  const since =
    options.since === undefined ? null : await openFeed(options.since, async () => config, options.folder);
  const signingKey = signingKeyOf(options);
  const shards = options.shards?.map((folder) => readShard(resolve(options.folder, folder))) ?? null;
  const cache = openBuildCache(cacheFolder, spill);
  const base = join(cacheFolder, 'staging-base');
  // The callback runs after the clean-up, which may restore the output of a killed run.
  const findLast = once(() => cache.findBuild(out));
  const staging = await openStaging(
    out,
    () => ({
      last: findLast()?.readFiles() ?? null,
      base,
      baseFiles: cache.findBuild(base)?.readFiles() ?? null,
    }),
    { ...options, kept: createKeptFiles(config.output.keep), spill },
  );
  const cacheLock = await lockCache(cacheFolder, out, options).catch(async (error: unknown) => {
    await staging.discard();
    throw error;
  });
  const last = findLast();
  const shardPool = shards === null ? null : createShardPool(shards);
  const pool = shardPool ?? createWorkerPool();
  const opened: { close(): Promise<void> }[] = [];
  try {
    if (last === null && options.threads === undefined) {
      shardPool?.takeAhead({ workspace: staging.workspace(), compress: config.output.compress });
    }
    options.signal?.throwIfAborted();
    const source = await openSource(config, { ...options, spill, onProgress: stopReading(options) });
    opened.push(source);
    options.signal?.throwIfAborted();
    const files = await openMedia(config, siteRoot(config.siteUrl), options);
    opened.push(files);
    const { media } = files;
    options.onProblems?.(source.problems);
    const program = { description: describeProgram(), stamp: stampProgram() };
    const inputs = fingerprintInputs(config, {
      generator: options.generator,
      program: program.description,
      templatesFolder: resolve(options.folder, config.site.templates),
      publicFolder: resolve(options.folder, config.site.public),
    });
    const knowledgeBase = hashSource(source);
    if (shards !== null) {
      const previous = await readManifest((since ?? { read: staging.readPrevious }).read);
      checkShards(shards, {
        generator: options.generator,
        program: program.description,
        inputs,
        knowledgeBase,
        previousFeed: previous?.root_hash ?? null,
      });
    }
    const fingerprint = fingerprintRun(inputs, knowledgeBase);
    const folders = { cache: cacheFolder, out, keep: config.output.keep };
    if (
      last !== null &&
      isSignedAsWanted(out, signingKey, options.now, config.feed.signatureHours) &&
      (await isUpToDate(last, { fingerprint, folders, media, since, offline: options.offline }))
    ) {
      const report = { ...reportUnchanged(last.record.report, options.compareFiles ?? false), out };
      await finishReport(report, options);
      return report;
    }
    if (options.threads === undefined && isWorthThread(source.stats.bodyBytes)) pool.warmUp();
    const context = { cache, last, inputs, media, since, pool, signingKey, spill };
    const published = await unlessAborted(options.signal, publish(config, options, source, staging, context));
    await finishReport(published.report, options);
    await staging.commit((fileTable) => {
      const manifest = readFileSync(join(staging.workspace().folder, outputMarker));
      const record = {
        ...published.readRecord(),
        program,
        fingerprint,
        snapshot: source.snapshot,
        copies: describeCopies(cacheFolder),
      };
      cache.writeBuild(record, manifest, fileTable);
    });
    cache.writeLastFeed(published.feed);
    cache.removeOld();
    return published.report;
  } finally {
    await pool.stop();
    try {
      for (const resource of opened.reverse()) await resource.close();
      await since?.close();
    } finally {
      await staging.discard();
      cacheLock?.release();
    }
  }
}

interface UpToDateContext {
  readonly fingerprint: string;
  readonly folders: BuildFolders;
  readonly media: Media;
  readonly since: FeedReader | null;
  readonly offline: boolean;
}

/** Whether a build would change nothing: its inputs and its output are unchanged. */
async function isUpToDate(
  last: CachedBuild,
  { fingerprint, folders, media, since, offline }: UpToDateContext,
): Promise<boolean> {
  if (last.record.fingerprint !== fingerprint) return false;
  // The published feed is also an input and must be read to see whether it changed.
  if (since !== null) {
    const published = await readManifest(since.read);
    if (published?.root_hash !== last.record.feedRootHash) return false;
    if (published.run.feed_id !== last.record.feed.feedId) return false;
  }
  if (!isAsLeft(folders, last)) return false;
  return offline || !last.record.hasDownloads || (await media.isUnchanged());
}

async function finishReport(report: BuildReport, { onReport, strict }: BuildOptions): Promise<void> {
  await onReport?.(report);
  if (strict) refuseWarnings(report);
}

/** Aborted reading that makes no request ends at its next progress. */
function stopReading({ signal, onProgress }: BuildOptions): NonNullable<BuildOptions['onProgress']> {
  return (progress) => {
    signal?.throwIfAborted();
    onProgress?.(progress);
  };
}

/**
 * Does not wait for aborted work: after the staging folder is discarded, that work cannot write any more.
 */
async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
