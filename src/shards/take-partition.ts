import type { RecordedFile } from '../output/last-output.ts';
import type { ByteRange, StoredRange } from '../output/output.ts';
import { openWorkspace } from '../output/staging.ts';
import type { PartitionSettings } from '../partitions/make-partition.ts';
import type { PartitionResult } from '../partitions/partition-task.ts';
import { type SearchTask, type ThreadFiles, writeSearch } from '../partitions/publish-search.ts';
import {
  type CheckedRange,
  checkFile,
  checkPartition,
  isSectionFile,
  pagesFolder,
  readSection,
} from './shard-partition.ts';

/** Settings of the threads of `createShardPool`. Plain data. */
export type ShardSettings = Pick<PartitionSettings, 'workspace' | 'compress'>;

/** A partition to copy from a shard. Plain data. */
export interface TakeTask {
  /** Folder of the shard. */
  readonly folder: string;
  readonly partition: number;
  /** Records of the previous output's files, at the paths of the partition's files. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** A file of the output and its parts. Plain data. */
export interface FileTask {
  readonly path: string;
  readonly pieces: readonly FilePiece[];
  /** Records of the previous output's file and of its compressed copies. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** A {@link ByteRange} is a part of the previous output. */
export type FilePiece = string | Uint8Array | StoredRange | ByteRange;

export type ShardTask = TakeTask | FileTask | SearchTask;

/** The part of a `PartitionResult` that is not in its record. */
export type TakenPartition = Pick<PartitionResult, 'texts' | 'reusedFiles' | 'stamps'>;

/** Result of a task: a `TakenPartition` for a {@link TakeTask}, otherwise files. */
export type ShardTaskResult = TakenPartition | ThreadFiles;

/** Runs a task. @throws SHARD_DAMAGED, and what writing files throws */
export async function runShardTask(settings: ShardSettings, task: ShardTask): Promise<ShardTaskResult> {
  if ('partition' in task) return takePartition(settings, task);
  const { workspace, compress } = settings;
  if ('searchIndex' in task) {
    const output = openWorkspace(workspace, new Map(), compress);
    await writeSearch(task, output);
    return output.finish();
  }
  const output = openWorkspace(workspace, task.previousFiles, compress);
  const [only] = task.pieces;
  if (task.pieces.length === 1 && isSection(only)) {
    const { file, length: bytes, sha256, stamp } = only;
    if (isSectionFile(only) && compress.length === 0) {
      checkFile(file, { bytes, sha256 }, stamp);
      output.link(file, { path: task.path, bytes, sha256 });
    } else {
      const bytes = readSection(only);
      // Compression reads the bytes after the next read has replaced them.
      await output.write(task.path, compress.length === 0 ? bytes : new Uint8Array(bytes), sha256);
    }
    return output.finish();
  }
  const file = await output.open(task.path);
  for (const piece of task.pieces) {
    if (typeof piece === 'object' && 'path' in piece) await file.copy(piece);
    else await file.write(isSection(piece) ? readSection(piece) : piece);
  }
  await file.close();
  return output.finish();
}

function isSection(piece: FilePiece | undefined): piece is CheckedRange {
  return typeof piece === 'object' && 'sha256' in piece;
}

/** Checks a partition and its pages, links the pages into the staging folder, and returns the locations of the texts. */
function takePartition(
  { workspace }: ShardSettings,
  { folder, partition, previousFiles }: TakeTask,
): TakenPartition {
  const { files, texts, stamps: written } = checkPartition(folder, partition);
  const output = openWorkspace(workspace, previousFiles, []);
  const stamps = new Float64Array(2 * files.length).fill(Number.NaN);
  for (const [at, file] of files.entries()) {
    const path = `${pagesFolder(folder)}/${file.path}`;
    const stamp = { mtimeMs: written[2 * at] ?? Number.NaN, inode: written[2 * at + 1] ?? Number.NaN };
    const { mtimeMs, ino } = checkFile(path, file, stamp);
    const isLink = output.link(path, file);
    // If there is a previous output, the main thread has to find out which files are new.
    if (isLink && workspace.previous === null) stamps.set([mtimeMs, ino], 2 * at);
  }
  return { texts, reusedFiles: output.finish().reusedFiles, stamps };
}
