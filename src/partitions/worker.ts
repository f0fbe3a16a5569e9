import { parentPort, workerData } from 'node:worker_threads';
import { createPartitionMaker, type PartitionSettings } from './make-partition.ts';
import { packError } from './packed-error.ts';
import type { PartitionResult } from './partition-result.ts';
import type { PartitionTask } from './render-input.ts';
import type { WorkerAnswer } from './worker-pool.ts';

/** A thread of {@link startWorkers}: renders one partition after another. */
const loading = createPartitionMaker(workerData as PartitionSettings);
// A failure is met by the first task; until then it must not count as unhandled.
loading.catch(() => {});
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (task: PartitionTask) => {
  // Answers are in the order of the tasks.
  last = last.then(async () => {
    try {
      const makePartition = await loading;
      const result = await makePartition(task);
      answer({ result }, blocksOf(result));
    } catch (error) {
      answer({ error: packError(error) }, []);
    }
  });
});
// A task that cannot be read must not be waited for.
parentPort?.on('messageerror', (error) => {
  throw error;
});

function answer(message: WorkerAnswer, given: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(message, given);
}

/** Memory that moves to the other thread instead of being copied. */
function blocksOf({ texts }: PartitionResult): readonly ArrayBuffer[] {
  return texts.flatMap(({ sections, terms, articles }) =>
    [...Object.values(sections), terms, articles].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
