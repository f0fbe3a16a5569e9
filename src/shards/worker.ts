import type { Workspace } from '../output/workspace.ts';
import { blocksOf } from '../partitions/partition-result.ts';
import { answerTasks } from '../partitions/threads.ts';
import { type TakenPartition, type TakeTask, takePartition } from './take-partition.ts';

/** A thread of `createShardPool`, which takes partitions from shards. */
answerTasks<Workspace, TakeTask, TakenPartition>(async (workspace) => async (task) => {
  const result = takePartition(workspace, task);
  return { result, given: blocksOf(result.texts) };
});
