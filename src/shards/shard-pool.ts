import { hash } from 'node:crypto';
import { join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { readWholeFile } from '../foundation/file-system.ts';
import { openWorkspace } from '../output/workspace.ts';
import type { WrittenFile } from '../output/written-files.ts';
import type { PartitionSettings } from '../partitions/make-partition.ts';
import type { WorkerPool } from '../partitions/worker-pool.ts';
import { pagesFolder, readPartitionResult, type Shard, shardOf } from './shard-folder.ts';

/** Partitions read ahead: each holds its texts in memory. */
const capacity = 2;

/**
 * A pool that renders nothing: it takes every partition from the shard that has it, and its pages into the staging folder.
 * Whatever else a build does is therefore the same for a merge, and so are its bytes.
 * @param shards all of a build (`checkShards`), in any order
 */
export function createShardPool(shards: readonly Shard[]): WorkerPool {
  const byNumber = new Map(shards.map((shard) => [shard.info.shard, shard]));
  let settings: PartitionSettings | null = null;
  return {
    warmUp: () => {},
    start(given) {
      settings = given;
    },
    capacity: () => capacity,
    async make({ partition, key, previousFiles }) {
      if (settings === null) throw new Error('the pool was not started');
      const { folder, info } = byNumber.get(shardOf(partition, shards.length)) as Shard;
      if (!info.rendered.includes(partition)) throw notRendered(folder, partition);
      const result = readPartitionResult(folder, partition, key);
      const workspace = openWorkspace(settings.workspace, previousFiles, []);
      for (const file of result.files) {
        const path = join(pagesFolder(folder), file.path);
        refuseDamaged(path, file);
        workspace.link(path, file);
      }
      return { ...result, ...workspace.finish() };
    },
    stop: async () => {},
  };
}

/** @throws SHARD_DAMAGED */
function refuseDamaged(path: string, { sha256, bytes }: WrittenFile): void {
  let cause: unknown;
  try {
    const content = readWholeFile(path);
    if (content.length === bytes && hash('sha256', content) === sha256) return;
  } catch (error) {
    cause = error;
  }
  throw new LecternError('SHARD_DAMAGED', `${path} is missing or was changed`, {
    hint: 'build this shard again with lectern build --shard, and copy the whole folder',
    cause,
  });
}

function notRendered(folder: string, partition: number): LecternError {
  return new LecternError(
    'SHARD_MISSING',
    `${folder} reused partition ${partition} from the previous output, which has changed since`,
    { hint: 'merge into the output of --previous, or build the shards without --previous' },
  );
}
