import { LecternError } from '../foundation/errors.ts';
import type { Workspace } from '../output/workspace.ts';
import { createThreads } from '../partitions/threads.ts';
import type { WorkerPool } from '../partitions/worker-pool.ts';
import { readPartition, type Shard, type ShardPartition, shardOf } from './shard-folder.ts';
import { type TakenPartition, type TakeTask, takePartition } from './take-partition.ts';

/** Beyond this the thread that publishes is the slowest. */
const mostThreads = 2;

/** Partitions read ahead: each holds its texts in memory. */
const capacity = 3;

/**
 * A pool that renders nothing: it takes every partition from the shard that has it, and its pages into the staging folder.
 * Whatever else a build does is therefore the same for a merge, and so are its bytes.
 * @param shards all of a build (`checkShards`), in any order
 */
export function createShardPool(shards: readonly Shard[]): WorkerPool {
  const byNumber = new Map(shards.map((shard) => [shard.info.shard, shard]));
  const threads = createThreads<Workspace, TakeTask, TakenPartition>(new URL('./worker.js', import.meta.url));
  /** Found, and not taken yet. */
  const found = new Map<number, ShardPartition>();
  let workspace: Workspace | null = null;
  const shardWith = (partition: number) => byNumber.get(shardOf(partition, shards.length)) as Shard;
  return {
    warmUp: threads.add,
    start(settings, count) {
      workspace = settings.workspace;
      threads.start(workspace, Math.min(count, mostThreads));
    },
    capacity: () => capacity,
    findRendered(partition, quickKey) {
      const { folder, info } = shardWith(partition);
      if (!info.rendered.includes(partition)) return null;
      const content = readPartition(folder, partition, quickKey);
      found.set(partition, content);
      const { key, mediaRequests, mediaHash, result } = content;
      return { key, mediaRequests, mediaHash, folder, paths: result.files.map(({ path }) => path) };
    },
    async make({ partition, previousFiles }) {
      const { folder } = shardWith(partition);
      const content = found.get(partition);
      if (content === undefined) throw notRendered(folder, partition);
      if (workspace === null) throw new Error('the pool was not started');
      found.delete(partition);
      const { result } = content;
      const languages = result.languages.map(({ language }) => language);
      const task: TakeTask = { folder, partition, languages, files: result.files, previousFiles };
      const taken = threads.count() === 0 ? takePartition(workspace, task) : await threads.run(task);
      return { ...result, ...taken };
    },
    stop: threads.stop,
  };
}

function notRendered(folder: string, partition: number): LecternError {
  return new LecternError(
    'SHARD_MISSING',
    `${folder} reused partition ${partition} from the previous output, which has changed since`,
    { hint: 'merge into the output of --previous, or build the shards without --previous' },
  );
}
