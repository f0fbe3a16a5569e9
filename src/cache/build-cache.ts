import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedPosition } from '../feed/history/write-history.ts';
import { readWholeFile, removeQuietly } from '../foundation/file-system.ts';
import { type LastOutput, outputMarker, parseFileTable } from '../output/last-output.ts';
import { type LocateBlob, type RecordFile, readRecord, writeRecord } from './record-file.ts';
import type { BuildRecord, PartitionRecord } from './records.ts';

/**
 * Records of earlier builds, besides snapshot and media: a record per build, named by the manifest of the output it made,
 * and a record per partition, named by its key. A record therefore always belongs to the output that is there, whenever a
 * build was killed, and several outputs may share a cache. All of it may be lost at any time.
 */
export interface BuildCache {
  /** The build that made an output as it is now; `null` where that is not known. @param out absolute path of the output */
  findBuild(out: string): CachedBuild | null;
  /** `null` where there is none, or it is damaged. */
  readPartition(key: string): CachedPartition | null;
  /** Returns the byte ranges of its blobs; `null` if the cache cannot be written. */
  writePartition(record: PartitionRecord, blobs: ReadonlyMap<string, Uint8Array>): LocateBlob | null;
  /**
   * Saves the record of a build before its output is published. A cache that cannot be written only costs the next build its time.
   * @param manifest content of the output's manifest
   * @param fileTable what `parseFileTable` reads
   */
  writeBuild(record: BuildRecord, manifest: Uint8Array, fileTable: Uint8Array): void;
  /** The feed that the last build of any output published; `null`: not known. */
  lastFeed(): FeedPosition | null;
  /** Stores which feed was published, after the swap. */
  writeLastFeed(position: FeedPosition): void;
  /** Removes records that no recent build needs. */
  removeOld(): void;
}

export interface CachedBuild {
  readonly record: BuildRecord;
  /** The files of its output; `null` where they are not known. */
  readonly readFiles: () => LastOutput | null;
}

export interface CachedPartition {
  readonly head: PartitionRecord;
  readonly file: RecordFile;
}

/** Builds whose records are retained: the one that made the output, the one before it, and those of other outputs. */
const retainedBuilds = 4;

const filesBlob = 'files';

/** @param folder absolute path of the cache folder; it need not exist */
export function openBuildCache(folder: string): BuildCache {
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
        return { record: file.head as BuildRecord, readFiles: () => readFileTable(file) };
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

function readFileTable(file: RecordFile): LastOutput | null {
  try {
    return parseFileTable(file.blob(filesBlob));
  } catch {
    return null;
  }
}

/** Removes the records of older builds, and of partitions that no build needs. */
function removeOld(builds: string, partitions: string): void {
  const paths = readdirSync(builds).map((name) => join(builds, name));
  const isRecord = (path: string) => path.endsWith('.record');
  // Partial file of a killed build.
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
