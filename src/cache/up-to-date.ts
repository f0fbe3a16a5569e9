import { join } from 'node:path';
import { isBehind } from '../feed/history/write-history.ts';
import type { BuildReport } from '../foundation/report.ts';
import { hashDownloads } from '../media/downloads.ts';
import { createKeptFiles, isAsRecorded } from '../output/foreign-files.ts';
import { checkSnapshot } from '../source/snapshot/read-index.ts';
import { type CachedBuild, openBuildCache } from './build-cache.ts';
import { describeProgram, stampProgram } from './program.ts';

/** Absolute paths, and what of the output does not count. */
export interface BuildFolders {
  readonly cache: string;
  readonly out: string;
  /** `output.keep`: files of the user in the output. */
  readonly keep: readonly string[];
}

/** Whether an output is as the build left it, and so are the copies of images and files it used. */
export function isAsLeft({ cache, out, keep }: BuildFolders, { record, readFiles }: CachedBuild): boolean {
  if (record.copies !== describeCopies(cache)) return false;
  // An output that was put back: its feed must get a new id.
  if (isBehind(record.feed, openBuildCache(cache).lastFeed())) return false;
  const recorded = readFiles();
  return recorded !== null && isAsRecorded(out, recorded, createKeptFiles(keep).has);
}

/**
 * The last build, where an offline one would publish the same, without opening its source: the snapshot is the one of that build
 * to the byte. `null` where it takes `build` to tell.
 * @param fingerprintInputs hash of program, settings and templates, for a description of the program
 */
export function findUpToDateBuild(
  folders: BuildFolders,
  fingerprintInputs: (program: string) => string,
): BuildReport | null {
  const last = openBuildCache(folders.cache).findBuild(folders.out);
  if (last === null || last.record.snapshot === null) return null;
  const { program, inputs, snapshot, report } = last.record;
  const description = program.stamp === stampProgram() ? program.description : describeProgram();
  if (inputs !== fingerprintInputs(description)) return null;
  if (snapshot !== checkSnapshot(folders.cache)) return null;
  return isAsLeft(folders, last) ? { ...report, out: folders.out } : null;
}

/** Problems of the run that started a feed: a run that leaves the feed as it is does not have them. */
const feedProblems: readonly string[] = ['FEED_RESTARTED', 'PREVIOUS_FEED_MISSING'];

/** What a build reports that has nothing to do. */
export function reportUnchanged(last: BuildReport, compareFiles: boolean): BuildReport {
  return {
    ...last,
    problems: last.problems.filter(({ code }) => !feedProblems.includes(code)),
    renderedPages: 0,
    changes: 0,
    changedFiles: compareFiles ? { added: [], changed: [], removed: [] } : null,
  };
}

/** Of the copied images and files in a cache folder; `null`: there are none. */
export function describeCopies(cache: string): string | null {
  return hashDownloads(join(cache, 'media/index.json'));
}
