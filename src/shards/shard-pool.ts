import { LecternError } from '../foundation/errors.ts';
import type { OutputFile } from '../output/output.ts';
import type { PartitionResult } from '../partitions/partition-task.ts';
import type { ThreadFiles } from '../partitions/publish-search.ts';
import { createThreads } from '../partitions/threads.ts';
import type { DeferredOutput, WorkerPool } from '../partitions/worker-pool.ts';
import { readPartition, type Shard, type ShardPartition, shardOf } from './shard-folder.ts';
import {
  type FilePiece,
  type FileTask,
  runShardTask,
  type ShardSettings,
  type ShardTask,
  type ShardTaskResult,
  type TakenPartition,
} from './take-partition.ts';

/** Beyond this the thread that publishes is the slowest. */
const mostThreads = 2;

/** Partitions read ahead. */
const capacity = 4;

/**
 * A pool that renders nothing: it takes every partition from the shard that has it, and its pages into the staging folder.
 * Whatever else a build does is therefore the same for a merge, and so are its bytes. The texts of partitions never come
 * into memory as a whole: threads copy them from the shards to the files of the output.
 * @param shards all of a build (`checkShards`), in any order
 */
export function createShardPool(shards: readonly Shard[]): WorkerPool {
  const byNumber = new Map(shards.map((shard) => [shard.info.shard, shard]));
  const script = new URL('./worker.js', import.meta.url);
  const threads = createThreads<ShardSettings, ShardTask, ShardTaskResult>(script);
  /** Found, and not taken yet. */
  const found = new Map<number, ShardPartition>();
  let shardSettings: ShardSettings | null = null;
  const shardWith = (partition: number) => byNumber.get(shardOf(partition, shards.length)) as Shard;
  const run = async (task: ShardTask): Promise<ShardTaskResult> => {
    if (shardSettings === null) throw new Error('the pool was not started');
    return threads.count() === 0 ? runShardTask(shardSettings, task) : threads.run(task);
  };
  const runFile = (task: FileTask) => run(task) as Promise<ThreadFiles>;
  return {
    warmUp: threads.add,
    start({ workspace, compress }, count) {
      shardSettings = { workspace, compress };
      threads.start(shardSettings, Math.min(count, mostThreads));
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
      found.delete(partition);
      const taken = (await run({ folder, partition, previousFiles })) as TakenPartition;
      return { ...content.result, ...taken } satisfies PartitionResult;
    },
    writeSearch: () => (threads.count() === 0 ? null : (task) => run(task) as Promise<ThreadFiles>),
    sectionOutput: (output) => ({
      isDeferred: true,
      open: async (path) => openDeferred(path, output, runFile),
    }),
    stop: threads.stop,
  };
}

/** A file that is written once it is closed: until then, only what it is made of is kept. */
function openDeferred(
  path: string,
  output: DeferredOutput,
  writeFile: (task: FileTask) => Promise<ThreadFiles>,
): OutputFile {
  const pieces: FilePiece[] = [];
  let bytes = 0;
  const add = (piece: FilePiece): void => {
    pieces.push(piece);
    bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  };
  return {
    position: () => bytes,
    write: async (piece) => add(piece),
    copy: async (range) => add(range),
    async close() {
      const { files, reusedFiles } = await writeFile({
        path,
        pieces,
        previousFiles: output.recorded([path]),
      });
      output.adopt(files, reusedFiles);
      const written = files.find((file) => file.path === path);
      if (written === undefined) throw new Error(`${path} was not written`);
      return written;
    },
  };
}

function notRendered(folder: string, partition: number): LecternError {
  return new LecternError(
    'SHARD_MISSING',
    `${folder} reused partition ${partition} from the previous output, which has changed since`,
    { hint: 'merge into the output of --previous, or build the shards without --previous' },
  );
}
