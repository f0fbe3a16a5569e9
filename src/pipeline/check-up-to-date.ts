import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import type { BuildReport } from '../core/report.ts';
import { isBehind } from '../feed/history/write-history.ts';
import {
  type BuildDatabase,
  buildDatabaseName,
  openBuildDatabase,
} from '../output/database/build-database.ts';
import { createKeptFiles, isIgnoredFile } from '../output/foreign-files.ts';
import { openPreviousOutput, type PreviousOutput } from '../output/previous-output.ts';
import { hashDownloads } from '../site/media/downloads.ts';
import { checkSnapshot } from '../source/snapshot/read-index.ts';
import type { BuildOptions } from './build-options.ts';
import { findLastBuild, type LastBuild, problemsThatRemain, readPublished } from './build-record.ts';
import { hashInputs, hashProgram } from './hash-inputs.ts';
import { refuseWarnings } from './make-report.ts';
import { findUserFiles } from './user-files.ts';

/**
 * Handles an offline run that has nothing to do, without loading the pipeline or reading the snapshot as `build` would. It only reads, so
 * it needs no lock. `null` if only `build` can decide.
 * @throws STRICT as `build` does
 */
export async function checkUpToDate(
  config: ResolvedConfig,
  options: BuildOptions,
): Promise<BuildReport | null> {
  if (!options.offline || options.since !== undefined || options.forget !== undefined) return null;
  const { folder, compareFiles = false } = options;
  const out = resolve(folder, config.out);
  const folders: BuildFolders = { cache: resolve(folder, config.cache), out, keep: config.output.keep };
  const found = await findReport(folders, config, options);
  if (found === null) return null;
  options.onUpToDate?.();
  const report = reportUnchanged({ ...found, out }, compareFiles);
  await options.onReport?.(report);
  if (options.strict) refuseWarnings(report);
  return report;
}

/** The report of the last build if nothing has changed since; otherwise `null`. */
async function findReport(
  folders: BuildFolders,
  config: ResolvedConfig,
  options: BuildOptions,
): Promise<BuildReport | null> {
  if (!existsSync(join(folders.cache, buildDatabaseName))) return null;
  try {
    const database = await openBuildDatabase(folders.cache, { isReadOnly: true });
    try {
      const last = findLastBuild(database, folders.out);
      return last !== null && isUpToDate(last, database, folders, config, options)
        ? last.record.report
        : null;
    } finally {
      database.close();
    }
  } catch (error) {
    // `build` waits for another run, deletes a damaged database, and reports everything else.
    if (error instanceof LecternError) return null;
    throw error;
  }
}

/** Whether program, settings, templates, the bytes of the snapshot and the output are those of the last build. */
function isUpToDate(
  last: LastBuild,
  database: BuildDatabase,
  folders: BuildFolders,
  config: ResolvedConfig,
  options: BuildOptions,
): boolean {
  const { settings, snapshot } = last.record;
  if (snapshot === null) return false;
  const tools = {
    generator: options.generator,
    program: hashProgram(),
    ...findUserFiles(config, options),
  };
  if (settings !== hashInputs(config, tools)) return false;
  if (snapshot !== checkSnapshot(folders.cache)) return false;
  const kept = createKeptFiles(folders.keep);
  const output = openPreviousOutput(folders.out, last.readOutput(), (path) => isIgnoredFile(path, kept));
  // Only `build` can store that the files of a restored output were checked.
  return output.touchedMs() === null && isUntouched(folders.cache, output, last, database);
}

/** Absolute paths, and files of the output to ignore. */
interface BuildFolders {
  readonly cache: string;
  readonly out: string;
  /** `output.keep`: files of the user in the output. */
  readonly keep: readonly string[];
}

/** Whether an output, and the copied images and files it used, are unchanged since its build. @param cache absolute path of the cache folder */
export function isUntouched(
  cache: string,
  output: PreviousOutput | null,
  { record }: LastBuild,
  database: BuildDatabase,
): boolean {
  if (record.copies !== hashCopies(cache)) return false;
  // The output was restored from an older run, so its feed must get a new id.
  if (isBehind(record.feed, readPublished(database)?.feed ?? null)) return false;
  return output?.isUnchanged() ?? false;
}

/** The report of a build without changes. */
export function reportUnchanged(last: BuildReport, compareFiles: boolean): BuildReport {
  return {
    ...last,
    problems: problemsThatRemain(last.problems),
    renderedPages: 0,
    changes: 0,
    changedFiles: compareFiles ? { added: [], changed: [], removed: [] } : null,
  };
}

/** Hash of the copied images and files in a cache folder; `null` if there are none. */
export function hashCopies(cache: string): string | null {
  return hashDownloads(join(cache, 'media/index.json'));
}
