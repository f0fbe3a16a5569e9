import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { readFlags } from '../foundation/file-system.ts';
import type { RecordedFile } from '../output/last-output.ts';
import type { ByteRange, FileStamp, StoredRange, WrittenFile } from '../output/output.ts';
import { openWorkspace, type WorkspaceOutput } from '../output/staging.ts';
import type { PartitionSettings } from '../partitions/make-partition.ts';
import type { PartitionResult } from '../partitions/partition-task.ts';
import { type SearchTask, type ThreadFiles, writeSearch } from '../partitions/publish-search.ts';
import { type CheckedRange, checkPartition, damaged, isSectionFile, pagesFolder } from './shard-partition.ts';

/** Settings of the threads of `createShardPool`. Plain data. */
export interface ShardSettings extends Pick<PartitionSettings, 'workspace' | 'compress'> {
  /** Permissions of new files. A file of a shard with other ones is copied, because a link would publish them. */
  readonly fileMode: number;
}

/** A partition to copy from a shard. Plain data. */
export interface TakeTask {
  /** Folder of the shard. */
  readonly folder: string;
  readonly partition: number;
  /** Records of the previous output's files, at the paths of the partition's files. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** A file of the output and its parts. Plain data, also as JSON. */
export interface PiecedFile {
  readonly path: string;
  readonly pieces: readonly FilePiece[];
}

/** Files to write. Plain data. */
export interface FileTask {
  readonly pieced: readonly PiecedFile[];
  /** Records of the previous output's files and of their compressed copies. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** A {@link ByteRange} is a part of the previous output. */
export type FilePiece = string | StoredRange | ByteRange;

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
  for (const file of task.pieced) await writeFile(file, settings, output);
  return output.finish();
}

async function writeFile(
  { path, pieces }: PiecedFile,
  { compress, fileMode }: ShardSettings,
  output: WorkspaceOutput,
): Promise<void> {
  const [only] = pieces;
  if (pieces.length === 1 && isSection(only)) {
    const { file, length: bytes, sha256, stamp } = only;
    if (isSectionFile(only) && compress.length === 0) {
      const { mode } = checkFile(file, { bytes, sha256 }, stamp);
      output.link(file, { path, bytes, sha256 }, permissions(mode) === fileMode);
    } else {
      const bytes = readSection(only);
      // Compression reads the bytes after the next read has replaced them.
      await output.write(path, compress.length === 0 ? bytes : new Uint8Array(bytes), sha256);
    }
    return;
  }
  const file = await output.open(path);
  for (const piece of pieces) {
    if (typeof piece === 'object' && 'path' in piece) await file.copy(piece);
    else await file.write(isSection(piece) ? readSection(piece) : piece);
  }
  await file.close();
}

function isSection(piece: FilePiece | undefined): piece is CheckedRange {
  return typeof piece === 'object' && 'sha256' in piece;
}

/** Checks a partition and its pages, links the pages into the staging folder, and returns the locations of the texts. */
function takePartition(
  { workspace, fileMode }: ShardSettings,
  { folder, partition, previousFiles }: TakeTask,
): TakenPartition {
  const { files, texts, stamps: written } = checkPartition(folder, partition);
  const output = openWorkspace(workspace, previousFiles, []);
  const stamps = new Float64Array(2 * files.length).fill(Number.NaN);
  for (const [at, file] of files.entries()) {
    const path = `${pagesFolder(folder)}/${file.path}`;
    const stamp = { mtimeMs: written[2 * at] ?? Number.NaN, inode: written[2 * at + 1] ?? Number.NaN };
    const { mtimeMs, ino, mode } = checkFile(path, file, stamp);
    const isLink = output.link(path, file, permissions(mode) === fileMode);
    // If there is a previous output, the main thread has to find out which files are new.
    if (isLink && workspace.previous === null) stamps.set([mtimeMs, ino], 2 * at);
  }
  return { texts, reusedFiles: output.finish().reusedFiles, stamps };
}

function permissions(mode: number): number {
  return mode & 0o777;
}

/** @returns the text, valid only until the next read, because all reads share memory @throws SHARD_DAMAGED */
export function readSection({ file, offset, length, sha256 }: CheckedRange): Uint8Array {
  return readChecked(file, offset, { bytes: length, sha256 }).content;
}

/**
 * Checks a file of a shard. A file with the inode, modification time and size with which it was written is not read; a copy of it is.
 * @param stamp of the file when it was written
 * @throws SHARD_DAMAGED if it is not as written
 * @returns its status
 */
export function checkFile(
  path: string,
  file: Pick<WrittenFile, 'sha256' | 'bytes'>,
  stamp: FileStamp | undefined,
): Stats {
  const found = statusOf(path);
  if (
    found?.isFile() &&
    found.size === file.bytes &&
    found.mtimeMs === stamp?.mtimeMs &&
    found.ino === stamp.inode
  ) {
    return found;
  }
  const { stats } = readChecked(path, 0, file);
  if (stats.size !== file.bytes) throw damaged(path);
  return stats;
}

/** `null` if there is none, or this user may not read the folder: opening the file will fail too. */
function statusOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** Shared memory for reading: allocating takes as long as reading, and is not freed before a garbage collection. */
let block = Buffer.allocUnsafeSlow(1024 * 1024);

/** A symbolic link would be published as a link that leads out of the output. */
const shardFlags = readFlags | (constants.O_NOFOLLOW ?? 0);

function readChecked(path: string, offset: number, { sha256, bytes }: Pick<WrittenFile, 'sha256' | 'bytes'>) {
  let cause: unknown;
  try {
    const descriptor = openSync(path, shardFlags);
    try {
      const stats = fstatSync(descriptor);
      const content =
        stats.isFile() && offset + bytes <= stats.size ? readAt(descriptor, offset, bytes) : null;
      if (content !== null && hash('sha256', content) === sha256) return { stats, content };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    cause = error;
  }
  throw damaged(path, cause);
}

/** @returns `null` if the file ends before */
function readAt(descriptor: number, offset: number, bytes: number): Uint8Array | null {
  if (bytes > block.length) block = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes; ) {
    const read = readSync(descriptor, block, at, bytes - at, offset + at);
    if (read === 0) return null;
    at += read;
  }
  return block.subarray(0, bytes);
}
