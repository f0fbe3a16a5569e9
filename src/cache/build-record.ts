import type { PartitionRanges } from '../feed/feed.ts';
import type { FeedPosition } from '../feed/history/write-history.ts';
import type { Problem } from '../foundation/problems.ts';
import type { BuildReport } from '../foundation/report.ts';

/**
 * What the cache keeps of a build: all that the next one needs to reuse the output, which itself is the cache of the pages.
 * Written by this program alone and checked by a checksum, so its fields are not validated again.
 */
export interface BuildRecord {
  /** What `describeProgram` and `stampProgram` said. */
  readonly program: { readonly description: string; readonly stamp: string };
  /** Hash of everything the output was made of. */
  readonly fingerprint: string;
  /** Hash of everything but the knowledge base: program, settings, templates. */
  readonly inputs: string;
  /** Checksum of the snapshot the knowledge base came from; `null`: the snapshot does not hold all of it. */
  readonly snapshot: string | null;
  /** Of the index of copied images and files, after the build; `null`: there is none. */
  readonly copies: string | null;
  /** Other servers were asked for images or files. */
  readonly hasDownloads: boolean;
  readonly report: BuildReport;
  /** Id and run of the feed. */
  readonly feed: FeedPosition;
  /** `root_hash` of the feed. */
  readonly feedRootHash: string;
  /** Leading bits of an article's hash that name its partition. */
  readonly bits: number;
  readonly partitions: readonly {
    readonly key: string;
    readonly quickKey: string;
    readonly ranges: PartitionRanges;
  }[];
  /** Files that follow from something else than one partition, by the name of the group. */
  readonly groups: Readonly<Record<string, FileGroup>>;
}

/** Files that are the same as long as their key is. */
export interface FileGroup {
  readonly key: string;
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}
