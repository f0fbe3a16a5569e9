import { hash } from 'node:crypto';
import { join } from 'node:path';
import { once } from '../core/concurrency.ts';
import { readFileOrNull } from '../core/file-system.ts';
import type { Problem } from '../core/problems.ts';
import type { BuildReport } from '../core/report.ts';
import type { FileKeys } from '../feed/feed-files.ts';
import type { FeedPosition } from '../feed/history/write-history.ts';
import type { BuildDatabase } from '../output/database/build-database.ts';
import type { Output, WrittenFile } from '../output/output.ts';
import { outputMarker, type PublishedOutput } from '../output/previous-output.ts';

/**
 * The last build: everything the next one needs, besides the rendered articles, to publish unchanged files again. Only this program writes
 * it, so its fields are not validated again.
 */
export interface BuildRecord {
  /** SHA-256 of the output's manifest: identifies the output that the record describes. */
  readonly manifest: string;
  /** Versions of the compressors that made compressed copies. */
  readonly compressors: string;
  /** Hash of program, settings, templates and public files (`hashInputs`). */
  readonly settings: string;
  /** Hash of everything read from the source. */
  readonly source: string;
  /** Hash of everything that articles show of each other (`hashSharedMetadata`). */
  readonly metadata: string;
  /** Checksum of the snapshot of the knowledge base; `null` if the snapshot does not contain all of it. */
  readonly snapshot: string | null;
  /** Hash of the index of copied images and files after the build; `null` if there is none. */
  readonly copies: string | null;
  /** Whether images or files were requested from other servers. */
  readonly hasDownloads: boolean;
  readonly report: BuildReport;
  /** Id and run of the feed. */
  readonly feed: FeedPosition;
  /** `run.state` of the feed. */
  readonly feedState: string;
  /** Keys of files with many pages, by path. */
  readonly fileKeys: FileKeys;
  /** Files that are written together, by name of the group. */
  readonly groups: Readonly<Record<string, FileGroup>>;
}

/** Files that do not change as long as their key is the same. */
export interface FileGroup {
  readonly key: string;
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** The build that made an output. */
export interface LastBuild {
  readonly record: BuildRecord;
  /** Its output as it left it, read by the first call; `null` if another version of a compressor made its compressed copies. */
  readonly readOutput: () => PublishedOutput | null;
}

/** The build that made an output in its current state; `null` if unknown. @param out absolute path of the output */
export function findLastBuild(database: BuildDatabase, out: string): LastBuild | null {
  const manifest = readFileOrNull(join(out, outputMarker));
  const stored = manifest === null ? null : database.readRun();
  if (manifest === null || stored === null) return null;
  const record = JSON.parse(stored) as BuildRecord;
  if (record.manifest !== hash('sha256', manifest)) return null;
  return {
    record,
    readOutput: once(() =>
      record.compressors === compressors
        ? {
            files: new Map(database.readFiles().map((file) => [file.path, file])),
            finishedMs: readPublished(database)?.finishedMs ?? 0,
          }
        : null,
    ),
  };
}

/** Compressed copies are identified by the hash of their original, so they must be of the same compressors. */
export const compressors = [process.versions.zlib, process.versions.brotli].join(' ');

/** What is known of the last build of any output since that is in place. */
interface PublishedFacts {
  readonly feed: FeedPosition;
  /** `PublishedOutput.finishedMs`. Older than the output if the build was killed directly after the swap: then all files are checked. */
  readonly finishedMs: number;
}

/** Returns `null` if nothing is known. */
export function readPublished(database: BuildDatabase): PublishedFacts | null {
  const stored = database.readPublished();
  return stored === null ? null : (JSON.parse(stored) as PublishedFacts);
}

export function writePublished(database: BuildDatabase, facts: PublishedFacts): void {
  database.writePublished(JSON.stringify(facts));
}

/** Problems of one run: a run that finds everything unchanged does not report them again. */
const problemsOfOneRun: readonly string[] = ['ADDRESSES_FORGOTTEN', 'FEED_RESTARTED'];

/** The problems that a run reports which changes nothing about their files. */
export function problemsThatRemain<Found extends Pick<Problem, 'code'>>(problems: readonly Found[]): Found[] {
  return problems.filter(({ code }) => !problemsOfOneRun.includes(code));
}

/**
 * Publishes files that do not change as long as `key` is the same: those of the previous output again, or what `write` writes.
 * @returns `group` for the next build
 */
export async function unlessUnchanged(
  last: FileGroup | undefined,
  key: string,
  output: Pick<Output, 'reuseAll'>,
  write: () => Promise<{
    readonly files: readonly Pick<WrittenFile, 'path'>[];
    readonly problems?: readonly Problem[];
  }>,
): Promise<FileGroup> {
  if (last?.key === key && (await output.reuseAll(last.files)) !== null) {
    return { ...last, problems: problemsThatRemain(last.problems) };
  }
  const { files, problems = [] } = await write();
  return { key, files: files.map(({ path }) => path), problems };
}
