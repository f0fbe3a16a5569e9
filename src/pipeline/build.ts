import { resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import type { BuildReport } from '../core/report.ts';
import type { ReadFeedFile } from '../feed/read/feed-reader.ts';
import { deleteBuildDatabase } from '../output/database/build-database.ts';
import type { BuildOptions } from './build-options.ts';
import { findUnchanged } from './find-unchanged.ts';
import { hashInputs, hashProgram } from './hash-inputs.ts';
import { finishReport } from './make-report.ts';
import { openRun, type Run } from './run.ts';

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

async function buildOnce(config: ResolvedConfig, options: BuildOptions): Promise<BuildReport> {
  const run = await openRun(config, { ...options, onProgress: stopReading(options) });
  try {
    const output = await run.openOutput();
    if (options.forget !== undefined && output.staging.previous === null) throw nothingPublished(config.out);
    const since = options.since === undefined ? null : await readSince(run, options.since, options);
    const settings = hashInputs(config, {
      generator: options.generator,
      program: hashProgram(),
      ...run.userFiles,
      // A generator may have folders with these names, too.
      ...(options.isInPlace ? { templatesFolder: null, publicFolder: null } : {}),
    });
    const report = await findUnchanged(run, output, settings, since, options);
    if (report === null) {
      // Loaded only now, because it takes longer than finding that nothing changed.
      const { makeOutput } = await import('./make-output.ts');
      return await makeOutput(run, output, settings, since, options);
    }
    options.onUpToDate?.();
    await finishReport(report, options);
    return report;
  } finally {
    await run.close();
  }
}

/** Opens the published feed that the build continues. */
async function readSince(run: Run, place: string, { folder, signal }: BuildOptions): Promise<ReadFeedFile> {
  if (place === '') {
    throw new LecternError('USAGE', '--since is empty', {
      hint: 'pass the URL or the folder of the published site, or leave it out to continue the feed of the output',
    });
  }
  const { openPreviousFeed } = await import('../feed/read/open-feed.ts');
  return (await run.keep(openPreviousFeed(place, async () => run.config, folder, signal))).read;
}

function nothingPublished(out: string): LecternError {
  return new LecternError('PATH_UNUSABLE', `there is no published site in ${out}`, {
    hint: 'build first, or pass the folder of the site with --out; the cache folder must be that of its build',
    exitCode: 2,
  });
}

/** Aborted reading that makes no request ends at its next progress. */
function stopReading({ signal, onProgress }: BuildOptions): NonNullable<BuildOptions['onProgress']> {
  return (progress) => {
    signal?.throwIfAborted();
    onProgress?.(progress);
  };
}
