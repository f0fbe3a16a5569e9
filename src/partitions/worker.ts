import { loadTokenCounter } from '../feed/tokens/count-tokens.ts';
import { createPartitionMaker, type PartitionSettings } from './make-partition.ts';
import { blocksOf, type PartitionResult } from './partition-result.ts';
import type { PartitionTask } from './render-input.ts';
import { answerTasks } from './threads.ts';

/** A thread of `createWorkerPool`, which renders partitions. */
// Takes long to load and needs no settings. The first task meets a failure.
loadTokenCounter().catch(() => {});
answerTasks<PartitionSettings, PartitionTask, PartitionResult>(async (settings) => {
  const makePartition = await createPartitionMaker(settings);
  return async (task) => {
    const result = await makePartition(task);
    return { result, given: blocksOf(result.texts) };
  };
});
