import { resolve } from 'node:path';
import { once } from '../core/concurrency.ts';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import type { BuildReport } from '../core/report.ts';
import { readManifest } from '../feed/history/read-previous-feed.ts';
import type { ReadFeedFile } from '../feed/read/feed-reader.ts';
import { openPreviousFeed } from '../feed/read/open-feed.ts';
import {
  type BuildDatabase,
  deleteBuildDatabase,
  openBuildDatabase,
} from '../output/database/build-database.ts';
import { createKeptFiles } from '../output/foreign-files.ts';
import { lockCache } from '../output/lock-cache.ts';
import { openStaging, type Staging } from '../output/staging.ts';
import { siteRoot } from '../site/plan/page-url.ts';
import { assemble, writeListings } from './assemble.ts';
import type { BuildOptions } from './build-options.ts';
import { findLastBuild, type LastBuild, writePublished } from './build-record.ts';
import { isUntouched, reportUnchanged } from './check-up-to-date.ts';
import { hashInputs, hashProgram } from './hash-inputs.ts';
import { hashSource } from './hash-source.ts';
import { coverageOf, refuseWarnings } from './make-report.ts';
import { openMedia } from './open-media.ts';
import { openSource } from './open-source.ts';
import { publish } from './publish.ts';
import { redactMetadata } from './redact-metadata.ts';
import { renderArticles } from './render-articles.ts';
import { createRenderPool } from './render-pool.ts';
import { planBuild } from './run.ts';
import { findUserFiles } from './user-files.ts';

export type { BuildOptions } from './build-options.ts';

/**
 * The whole run: source → plan → content → site + feed → output. The previous output is unchanged until the last step.
 * @throws LecternError; the previous output is then unchanged
 */
export async function build(config: ResolvedConfig, options: BuildOptions): Promise<BuildReport> {
  try {
    return await buildOnce(config, options);
  } catch (error) {
    // The database is only a cache, and nothing was published yet.
    if (!(error instanceof LecternError && error.code === 'CACHE_DAMAGED')) throw error;
    deleteBuildDatabase(resolve(options.folder, config.cache));
    return buildOnce(config, options);
  }
}

/** The folders of a run, locked for it. */
interface LockedFolders {
  readonly database: BuildDatabase;
  readonly staging: Staging;
  /** The build that made the replaced output; `null` if unknown. */
  readonly last: LastBuild | null;
}

async function buildOnce(config: ResolvedConfig, options: BuildOptions): Promise<BuildReport> {
  const cache = resolve(options.folder, config.cache);
  const out = resolve(options.folder, config.out);
  const lock = await lockCache(cache, out, options);
  try {
    const database = await openBuildDatabase(cache);
    try {
      // The callback runs after the clean-up, which may restore the output of a killed run.
      const findLast = once(() => findLastBuild(database, out));
      const staging = await openStaging(out, () => findLast()?.readOutput() ?? null, {
        ...options,
        kept: createKeptFiles(config.output.keep),
      });
      try {
        return await buildIn({ database, staging, last: findLast() }, config, options);
      } finally {
        await staging.discard();
      }
    } finally {
      database.close();
    }
  } finally {
    lock?.release();
  }
}

async function buildIn(
  { database, staging, last }: LockedFolders,
  config: ResolvedConfig,
  options: BuildOptions,
): Promise<BuildReport> {
  const out = resolve(options.folder, config.out);
  if (options.forget !== undefined && staging.previous === null) throw nothingPublished(config.out);
  const cache = resolve(options.folder, config.cache);
  const pool = createRenderPool();
  const opened: { close(): Promise<void> }[] = [];
  const open = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const resource = await opening;
    opened.push(resource);
    return resource;
  };
  try {
    const since =
      options.since === undefined
        ? null
        : (await open(openPreviousFeed(options.since, async () => config, options.folder, options.signal)))
            .read;
    options.signal?.throwIfAborted();
    const read = await open(openSource(config, { ...options, onProgress: stopReading(options) }));
    const source = redactMetadata(read, config);
    options.signal?.throwIfAborted();
    const { media } = await open(openMedia(config, siteRoot(config.siteUrl), options));
    options.onProblems?.(source.problems);
    const userFiles = findUserFiles(config, options);
    const settings = hashInputs(config, {
      generator: options.generator,
      program: hashProgram(),
      ...userFiles,
    });
    const sourceHash = hashSource(source);
    const isPublished =
      last !== null &&
      options.forget === undefined &&
      last.record.settings === settings &&
      last.record.source === sourceHash &&
      (await isSameFeed(last, since)) &&
      isUntouched(cache, staging.previous, last, database) &&
      (options.offline || !last.record.hasDownloads || (await media.isUnchanged()));
    if (isPublished) {
      const touchedMs = staging.previous?.touchedMs() ?? null;
      // The content of all files is right: the next build need not read them again.
      if (touchedMs !== null) writePublished(database, { feed: last.record.feed, finishedMs: touchedMs + 1 });
      options.onUpToDate?.();
      const report = {
        ...reportUnchanged(last.record.report, options.compareFiles ?? false),
        ...coverageOf(source.stats),
        out,
      };
      await finishReport(report, options);
      return report;
    }
    database.begin();
    const make = async () => {
      const run = await planBuild(config, options, {
        ...{ source, sourceHash, media, staging, database, last, settings, userFiles, since },
      });
      const [listings, rendered] = await Promise.all([writeListings(run), renderArticles(run, pool)]);
      return { run, assembled: await assemble(run, rendered, listings) };
    };
    const { run, assembled } = await unlessAborted(options.signal, make());
    await finishReport(assembled.report, options);
    await publish(run, assembled);
    return assembled.report;
  } finally {
    await pool.stop();
    for (const resource of opened.reverse()) await resource.close();
  }
}

function nothingPublished(out: string): LecternError {
  return new LecternError('FOLDER_MISSING', `there is no published site in ${out}`, {
    hint: 'build first, or pass the folder of the site with --out; the cache folder must be that of its build',
    exitCode: 2,
  });
}

/** Whether the feed that the run continues is the one that the last build published. */
async function isSameFeed({ record }: LastBuild, since: ReadFeedFile | null): Promise<boolean> {
  if (since === null) return true;
  const published = await readManifest(since);
  if (published === null) return false;
  const { feed_id, seq, state } = published.run;
  return state === record.feedState && feed_id === record.feed.feedId && seq === record.feed.seq;
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
