import { loadTokenCounter } from '../feed/tokens/count-tokens.ts';
import { openWorkspace } from '../output/staging.ts';
import { createPartitionMaker, type PartitionSettings } from './make-partition.ts';
import { blocksOf, type PartitionTask } from './partition-task.ts';
import { type SearchTask, writeSearch } from './publish-search.ts';
import { answerTasks } from './threads.ts';
import type { ThreadResult } from './worker-pool.ts';

/** A thread of `createWorkerPool`, which renders partitions. */
// Loading takes long and needs no settings. The first task throws a failure.
loadTokenCounter().catch(() => {});
answerTasks<PartitionSettings, PartitionTask | SearchTask, ThreadResult>(async (settings) => {
  const makePartition = await createPartitionMaker(settings);
  return async (task) => {
    if ('searchIndex' in task) {
      const output = openWorkspace(settings.workspace, new Map(), settings.compress);
      await writeSearch(task, output);
      return { result: output.finish(), given: [] };
    }
    const result = await makePartition(task);
    return { result, given: blocksOf(result.texts) };
  };
});
