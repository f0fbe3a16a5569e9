import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedPosition } from '../feed/history/write-history.ts';
import { once } from '../foundation/concurrency.ts';
import { makeFolder, readWholeFile, removeQuietly, renameOver } from '../foundation/file-system.ts';
import { createSpillFile, type SpillFile, storeBlocks } from '../foundation/spill-file.ts';
import { linkOrCopy } from '../output/file-operations.ts';
import { type LastOutput, outputMarker, parseFileTable } from '../output/last-output.ts';
import { type LocateBlob, type RecordFile, readRecord, writeRecord } from './record-file.ts';
import type { BuildRecord, PartitionRecord } from './records.ts';

/**
 * Records of earlier builds, in addition to snapshot and media. A build record is named by the hash of its output's manifest, a partition
 * record by its key. So a record always matches its output, even if a build was killed, and several outputs can share a cache. All records
 * may be deleted at any time.
 */
export interface BuildCache {
  /** The build that made an output in its current state; `null` if unknown. @param out absolute path of the output */
  findBuild(out: string): CachedBuild | null;
  /** `null` if it is missing or damaged. */
  readPartition(key: string): CachedPartition | null;
  /** Returns the byte ranges of the record's blobs; `null` if the cache cannot be written. */
  writePartition(record: PartitionRecord, blobs: ReadonlyMap<string, Uint8Array>): LocateBlob | null;
  /**
   * Adds a record that is already a file, as a hard link if possible.
   * @param file absolute path of what `writePartition` would write
   */
  addPartition(key: string, file: string): void;
  /**
   * Saves the record of a build before its output is published. If the cache cannot be written, the next build only takes longer.
   * @param manifest content of the output's manifest
   * @param fileTable input of `parseFileTable`, in blocks, each of which may be valid only until the next one
   */
  writeBuild(record: BuildRecord, manifest: Uint8Array, fileTable: Iterable<Uint8Array>): void;
  /** The feed that the last build of any output published; `null` if unknown. */
  lastFeed(): FeedPosition | null;
  /** Stores which feed was published, after the swap. */
  writeLastFeed(position: FeedPosition): void;
  /** Removes records that no recent build needs. */
  removeOld(): void;
}

export interface CachedBuild {
  readonly record: BuildRecord;
  /** The records of its output's files, read by the first call; `null` if unknown. */
  readonly readFiles: () => LastOutput | null;
}

export interface CachedPartition {
  readonly head: PartitionRecord;
  readonly file: RecordFile;
}

/** Number of builds whose records are kept: the build that made the output, the one before it, and those of other outputs. */
const retainedBuilds = 4;

const filesBlob = 'files';

/**
 * @param folder absolute path of the cache folder; it need not exist
 * @param spill keeps tables of files that are read; absent: memory
 */
export function openBuildCache(folder: string, spill?: SpillFile): BuildCache {
  const builds = join(folder, 'builds');
  const partitions = join(folder, 'partitions');
  const feedFile = join(folder, 'feed.record');
  const buildFile = (manifest: Uint8Array) => join(builds, `${hash('sha256', manifest).slice(0, 32)}.record`);
  const partitionFile = (key: string) => join(partitions, `${key.slice(0, 32)}.record`);
  return {
    findBuild(out) {
      try {
        const file = readRecord(buildFile(readWholeFile(join(out, outputMarker))));
        if (file === null) return null;
        return { record: file.head as BuildRecord, readFiles: once(() => readFileTable(file, spill)) };
      } catch {
        return null;
      }
    },
    readPartition(key) {
      const file = readRecord(partitionFile(key));
      const head = (file?.head ?? null) as PartitionRecord | null;
      return file !== null && head?.key === key ? { head, file } : null;
    },
    writePartition(record, blobs) {
      const path = partitionFile(record.key);
      try {
        return writeRecord(path, record, blobs);
      } catch {
        return null;
      }
    },
    addPartition(key, file) {
      const path = partitionFile(key);
      const partial = `${path}.${process.pid}.partial`;
      try {
        makeFolder(partitions);
        removeQuietly(partial);
        linkOrCopy(file, partial);
        renameOver(partial, path);
      } catch {
        // The record is not in the cache.
      }
      // Also if both were links to the same file: then rename does nothing.
      removeQuietly(partial);
    },
    writeBuild(record, manifest, fileTable) {
      try {
        writeRecord(buildFile(manifest), record, new Map([[filesBlob, fileTable]]));
      } catch {
        return;
      }
    },
    lastFeed: () => (readRecord(feedFile)?.head ?? null) as FeedPosition | null,
    writeLastFeed(position) {
      try {
        writeRecord(feedFile, position, new Map());
      } catch {
        return;
      }
    },
    removeOld() {
      try {
        removeOld(builds, partitions);
      } catch {
        return;
      }
    },
  };
}

function readFileTable(file: RecordFile, spill = createSpillFile(null)): LastOutput | null {
  try {
    // Copied, because the record may be removed at any time.
    return parseFileTable(storeBlocks(spill, file.blocks(filesBlob)));
  } catch {
    return null;
  }
}

/** Removes the records of older builds, and partition records that no build refers to. */
function removeOld(builds: string, partitions: string): void {
  const paths = readdirSync(builds).map((name) => join(builds, name));
  const isRecord = (path: string) => path.endsWith('.record');
  // Partial files of killed builds.
  for (const path of paths) if (!isRecord(path)) removeQuietly(path);
  const byAge = paths.filter(isRecord).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of byAge.slice(retainedBuilds)) removeQuietly(path);
  const needed = new Set(
    byAge.slice(0, retainedBuilds).flatMap((path) => {
      const record = readRecord(path)?.head as BuildRecord | undefined;
      return record?.partitions.map(({ key }) => `${key.slice(0, 32)}.record`) ?? [];
    }),
  );
  for (const name of readdirSync(partitions)) if (!needed.has(name)) removeQuietly(join(partitions, name));
}
