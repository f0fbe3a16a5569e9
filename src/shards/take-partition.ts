import { hash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { openFile } from '../foundation/file-system.ts';
import type { RecordedFile } from '../output/last-output.ts';
import type { ByteRange, StoredRange, WrittenFile } from '../output/output.ts';
import { openWorkspace } from '../output/staging.ts';
import type { PartitionSettings } from '../partitions/make-partition.ts';
import type { PartitionResult } from '../partitions/partition-task.ts';
import { type SearchTask, type ThreadFiles, writeSearch } from '../partitions/publish-search.ts';
import { checkPartition, pagesFolder, readSection } from './shard-folder.ts';

/** Settings of the threads of `createShardPool`. Plain data. */
export type ShardSettings = Pick<PartitionSettings, 'workspace' | 'compress'>;

/** A partition that is taken from a shard. Plain data. */
export interface TakeTask {
  /** Of the shard. */
  readonly folder: string;
  readonly partition: number;
  /** Records of the previous output's files at the paths of its files. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** A file of the output, and what it is made of. Plain data. */
export interface FileTask {
  readonly path: string;
  readonly pieces: readonly FilePiece[];
  /** Records of the previous output's file and of its compressed copies. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** A {@link ByteRange} is one of the previous output. */
export type FilePiece = string | Uint8Array | StoredRange | ByteRange;

export type ShardTask = TakeTask | FileTask | SearchTask;

/** The part of a `PartitionResult` that its record does not say. */
export type TakenPartition = Pick<PartitionResult, 'texts' | 'reusedFiles'>;

/** What a task gives: a {@link TakeTask} a `TakenPartition`, any other task gives files. */
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
    await output.write(task.path, readSection(only), only.sha256);
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

function isSection(piece: FilePiece | undefined): piece is StoredRange {
  return typeof piece === 'object' && 'sha256' in piece;
}

/** Checks a partition and its pages, puts these into the staging folder, and says where its texts are. */
function takePartition(
  { workspace }: ShardSettings,
  { folder, partition, previousFiles }: TakeTask,
): TakenPartition {
  const { files, texts } = checkPartition(folder, partition);
  const output = openWorkspace(workspace, previousFiles, []);
  for (const file of files) {
    const path = join(pagesFolder(folder), file.path);
    refuseDamaged(path, file);
    output.link(path, file);
  }
  return { texts, reusedFiles: output.finish().reusedFiles };
}

/** Memory that files are read into, one after the other. */
let block = Buffer.allocUnsafeSlow(256 * 1024);

/** @throws SHARD_DAMAGED */
function refuseDamaged(path: string, file: WrittenFile): void {
  let cause: unknown;
  try {
    if (isAsWritten(path, file)) return;
  } catch (error) {
    cause = error;
  }
  throw new LecternError('SHARD_DAMAGED', `${path} is missing or was changed`, {
    hint: 'build this shard again with lectern build --shard, and copy the whole folder',
    cause,
  });
}

function isAsWritten(path: string, { sha256, bytes }: WrittenFile): boolean {
  const descriptor = openFile(path);
  try {
    // Room for a byte more, which a longer file has: one call reads and measures most files.
    const most = bytes + 1;
    if (most > block.length) block = Buffer.allocUnsafeSlow(most);
    let length = 0;
    while (length < bytes) {
      const read = readSync(descriptor, block, length, most - length, length);
      if (read === 0) return false;
      length += read;
    }
    return length === bytes && hash('sha256', block.subarray(0, bytes)) === sha256;
  } finally {
    closeSync(descriptor);
  }
}
