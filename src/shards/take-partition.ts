import { hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { openFile } from '../foundation/file-system.ts';
import type { RecordedFile } from '../output/last-output.ts';
import type { WrittenFile } from '../output/output.ts';
import { openWorkspace, type Workspace } from '../output/workspace.ts';
import type { LanguageTexts } from '../partitions/partition-result.ts';
import { pagesFolder, readPartitionTexts } from './shard-folder.ts';

/** A partition that is taken from a shard. Plain data. */
export interface TakeTask {
  /** Of the shard. */
  readonly folder: string;
  readonly partition: number;
  /** Of the partition, in its order. */
  readonly languages: readonly string[];
  /** Everything that rendering it wrote. */
  readonly files: readonly WrittenFile[];
  /** What is known of the previous output's files with these paths. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** The part of a `PartitionResult` that its record does not say. */
export interface TakenPartition {
  readonly texts: readonly LanguageTexts[];
  readonly reusedFiles: number;
}

/**
 * Checks the pages of a partition, puts them into the staging folder, and reads its texts.
 * @throws SHARD_DAMAGED
 */
export function takePartition(workspace: Workspace, task: TakeTask): TakenPartition {
  const { folder, partition, languages, files, previousFiles } = task;
  const output = openWorkspace(workspace, previousFiles, []);
  for (const file of files) {
    const path = join(pagesFolder(folder), file.path);
    refuseDamaged(path, file);
    output.link(path, file);
  }
  return {
    texts: readPartitionTexts(folder, partition, languages),
    reusedFiles: output.finish().reusedFiles,
  };
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
    if (fstatSync(descriptor).size !== bytes) return false;
    if (bytes > block.length) block = Buffer.allocUnsafeSlow(bytes);
    for (let at = 0; at < bytes; ) {
      const read = readSync(descriptor, block, at, bytes - at, at);
      if (read === 0) return false;
      at += read;
    }
    return hash('sha256', block.subarray(0, bytes)) === sha256;
  } finally {
    closeSync(descriptor);
  }
}
