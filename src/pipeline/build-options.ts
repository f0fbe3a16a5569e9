import type { BuildProgress, BuildReport } from '../core/report.ts';
import type { SourceOptions } from './open-source.ts';

/** What a run erases from published histories. A run that finds one of these public, or not at all, fails. */
export interface Forgotten {
  /** Articles that were deleted or hidden. */
  readonly articleIds: readonly string[];
  /** Former URLs of pages: percent-encoded or decoded paths on the site's server, with the site's base path. */
  readonly paths: readonly string[];
}

/** Options of a run besides the configuration. */
export interface BuildOptions extends SourceOptions {
  /**
   * Makes only the feed of pages that exist already: each keeps its URL, and images and files are linked where they are. The source must be
   * a built site. Absent: the site is made, too.
   */
  readonly isInPlace?: boolean;
  /** Warnings fail the run. */
  readonly strict: boolean;
  /** Compares every file with the replaced output, for `changedFiles` of the report; reads both. */
  readonly compareFiles?: boolean;
  /** Folder or URL of the published site whose feed this run continues; absent: the replaced output. */
  readonly since?: string;
  /** What to erase from the histories that the output publishes; absent: nothing. */
  readonly forget?: Forgotten;
  /**
   * Environment variables of the run: no file of the user with the value of one whose name ends in KEY, TOKEN, SECRET or PASSWORD is
   * published. Absent: none.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Name and version of the program, for the feed's manifest. */
  readonly generator: string;
  /** Time of the run, ISO 8601; only the manifest contains it. */
  readonly now: string;
  /** Id of a new feed, 32 hex digits; by default a random one. */
  readonly newFeedId?: string;
  /** Number of render threads; by default chosen from the number of processors. Does not affect the output. */
  readonly threads?: number;
  /** Article pages of one part of the search index, for tests. */
  readonly pagesPerPart?: number;
  /** Called with the report before the output is swapped in, also when a strict run is about to fail. */
  readonly onReport?: (report: BuildReport) => Promise<void>;
  /** Called if the output already is what the run would publish, and is left as it is. */
  readonly onUpToDate?: () => void;
  /** Aborts the run before the output is replaced; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Called with one sentence if this run has to wait for another one. */
  readonly onWait?: (message: string) => void;
  /** Called for every article read and rendered and every page written. */
  readonly onProgress?: (progress: BuildProgress) => void;
}
