import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CachedBuild, openBuildCache } from '../cache/build-cache.ts';
import { describeProgram, fingerprintInputs, stampProgram } from '../cache/fingerprint.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import { signaturePath } from '../feed/feed-reader.ts';
import { isBehind } from '../feed/history/write-history.ts';
import type { BuildReport } from '../foundation/report.ts';
import { hashDownloads } from '../media/downloads.ts';
import { createKeptFiles, isAsRecorded } from '../output/foreign-files.ts';
import { checkSnapshot } from '../source/snapshot/read-index.ts';
import type { BuildOptions } from './build-options.ts';
import { refuseWarnings } from './make-report.ts';

/**
 * Handles an offline run that has nothing to do, without loading the pipeline or reading the snapshot as `build` would. It only reads, so
 * it needs no lock. `null` if only `build` can decide.
 * @throws STRICT as `build` does
 */
export async function checkUpToDate(
  config: ResolvedConfig,
  options: BuildOptions,
): Promise<BuildReport | null> {
  if (!options.offline || options.since !== undefined || options.shards !== undefined) return null;
  // Only `build` decides whether a signature must be renewed.
  if (options.signingKey || existsSync(join(resolve(options.folder, config.out), signaturePath))) return null;
  const { folder, compareFiles = false } = options;
  const out = resolve(folder, config.out);
  const folders: BuildFolders = { cache: resolve(folder, config.cache), out, keep: config.output.keep };
  const last = openBuildCache(folders.cache).findBuild(out);
  if (last === null || !isUpToDate(last, folders, config, options)) return null;
  const report = reportUnchanged({ ...last.record.report, out }, compareFiles);
  await options.onReport?.(report);
  if (options.strict) refuseWarnings(report);
  return report;
}

/** Whether program, settings, templates, the bytes of the snapshot and the output are those of the last build. */
function isUpToDate(
  last: CachedBuild,
  folders: BuildFolders,
  config: ResolvedConfig,
  { folder, generator }: BuildOptions,
): boolean {
  const { program, inputs, snapshot } = last.record;
  if (snapshot === null) return false;
  const tools = {
    generator,
    program: program.stamp === stampProgram() ? program.description : describeProgram(),
    templatesFolder: resolve(folder, config.site.templates),
    publicFolder: resolve(folder, config.site.public),
  };
  if (inputs !== fingerprintInputs(config, tools)) return false;
  return snapshot === checkSnapshot(folders.cache) && isAsLeft(folders, last);
}

/** Absolute paths, and files of the output to ignore. */
export interface BuildFolders {
  readonly cache: string;
  readonly out: string;
  /** `output.keep`: files of the user in the output. */
  readonly keep: readonly string[];
}

/** Whether an output, and the copied images and files it used, are unchanged since its build. */
export function isAsLeft({ cache, out, keep }: BuildFolders, { record, readFiles }: CachedBuild): boolean {
  if (record.copies !== describeCopies(cache)) return false;
  // The output was restored from an older run, so its feed must get a new id.
  if (isBehind(record.feed, openBuildCache(cache).lastFeed())) return false;
  const recorded = readFiles();
  return recorded !== null && isAsRecorded(out, recorded, createKeptFiles(keep).has);
}

/** Problems of the run that started a feed; a run without changes does not report them again. */
const feedProblems: readonly string[] = ['FEED_RESTARTED', 'PREVIOUS_FEED_MISSING'];

/** The report of a build without changes. */
export function reportUnchanged(last: BuildReport, compareFiles: boolean): BuildReport {
  return {
    ...last,
    problems: last.problems.filter(({ code }) => !feedProblems.includes(code)),
    renderedPages: 0,
    changes: 0,
    changedFiles: compareFiles ? { added: [], changed: [], removed: [] } : null,
  };
}

/** Hash of the copied images and files in a cache folder; `null` if there are none. */
export function describeCopies(cache: string): string | null {
  return hashDownloads(join(cache, 'media/index.json'));
}
