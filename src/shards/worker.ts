import { answerTasks } from '../partitions/threads.ts';
import { runShardTask, type ShardSettings, type ShardTask, type ShardTaskResult } from './take-partition.ts';

/** A thread of `createShardPool`, which copies partitions from shards and writes the files that contain them. */
answerTasks<ShardSettings, ShardTask, ShardTaskResult>(async (settings) => async (task) => {
  const result = await runShardTask(settings, task);
  return { result, given: 'stamps' in result ? [result.stamps.buffer] : [] };
});
