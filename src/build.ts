import { resolve } from 'node:path';
import type { BuildOptions } from './build-options.ts';
import type { ResolvedConfig } from './config/schema.ts';
import { LecternError } from './errors.ts';
import { describeEngine, stampEngine } from './last-run/engine.ts';
import { fingerprintInputs, fingerprintRun } from './last-run/fingerprint.ts';
import { nothingToDo, outputMemory, recallRun, rememberRun } from './last-run/last-run.ts';
import { openFeed } from './open-feed.ts';
import { openSource } from './open-source.ts';
import { lockCache } from './output/lock-cache.ts';
import { openStaging } from './output/staging.ts';
import { publish } from './publish.ts';
import { refuseWarnings } from './refuse-warnings.ts';
import type { BuildReport } from './report.ts';
import { openArticleRecords } from './standing/article-records.ts';

export type { BuildOptions, BuildProgress } from './build-options.ts';

/**
 * The whole run: source → plan → content → site + feed → output. The old output stands until the last step.
 * @throws LecternError with the code of whatever stopped the run; the old output is as it was
 */
export async function build(config: ResolvedConfig, options: BuildOptions): Promise<BuildReport> {
  const out = resolve(options.folder, config.out);
  const cache = resolve(options.folder, config.cache);
  const since =
    options.since === undefined ? null : await openFeed(options.since, async () => config, options.folder);
  const staging = await openStaging(out, outputMemory(cache), options);
  const cacheLock = await lockCache(cache, out, options).catch(async (error: unknown) => {
    await staging.discard();
    throw error;
  });
  const records = openArticleRecords(cache);
  try {
    const source = await unlessAborted(options.signal, openSource(config, options));
    try {
      options.onProblems?.(source.problems);
      const stamp = stampEngine();
      const engine = describeEngine();
      const inputs = fingerprintInputs(config, {
        generator: options.generator,
        engine,
        templatesFolder: resolve(options.folder, config.site.templates),
      });
      const fingerprint = fingerprintRun(inputs, source);
      const place = { cache, out };
      // What the published feed says is part of the output, and only reading it shows whether it changed.
      const last = since === null ? recallRun(place, fingerprint, options.offline) : null;
      const { report, hasCopies } =
        last === null
          ? await unlessAborted(
              options.signal,
              publish(config, options, source, staging, { engine, inputs, records, since }),
            )
          : { report: nothingToDo(last, options.compareFiles ?? false), hasCopies: false };
      await options.onReport?.(report);
      if (options.strict) refuseWarnings(report);
      if (last === null) {
        const output = await staging.commit();
        const { snapshot } = source;
        const origin = { fingerprint, inputs, snapshot, engine: { description: engine, stamp } };
        rememberRun(place, origin, { report, hasCopies, output });
        records.commit();
      }
      return report;
    } finally {
      await source.close();
    }
  } catch (error) {
    if (isUnexpected(error)) records.forget();
    throw error;
  } finally {
    records.close();
    await since?.close();
    await staging.discard();
    cacheLock?.release();
  }
}

/** Leaves work that was stopped to itself: once the staging is discarded, it can write nothing more. */
async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Nothing that the sources explain: something is not as the last run left it. */
function isUnexpected(error: unknown): boolean {
  return !(error instanceof LecternError) || error.code === 'OUTPUT_CHANGED';
}
