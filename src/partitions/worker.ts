import { parentPort } from 'node:worker_threads';
import { loadTokenCounter } from '../feed/tokens/count-tokens.ts';
import { createPartitionMaker, type MakePartition, type PartitionSettings } from './make-partition.ts';
import { packError } from './packed-error.ts';
import type { PartitionResult } from './partition-result.ts';
import type { PartitionTask } from './render-input.ts';
import type { WorkerAnswer } from './worker-pool.ts';

/** A thread of `createWorkerPool`: its first message holds the settings, every other one a partition to render. */
let loading: Promise<MakePartition> | null = null;
let last: Promise<void> = Promise.resolve();
// Takes long to load and needs no settings.
ignoreFailure(loadTokenCounter());
parentPort?.on('message', (message: PartitionSettings | PartitionTask) => {
  if (loading === null) {
    loading = createPartitionMaker(message as PartitionSettings);
    ignoreFailure(loading);
    return;
  }
  const maker = loading;
  // Answers are in the order of the tasks.
  last = last.then(async () => {
    try {
      const makePartition = await maker;
      const result = await makePartition(message as PartitionTask);
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

/** The first task meets it; until then it must not count as unhandled. */
function ignoreFailure(work: Promise<unknown>): void {
  work.catch(() => {});
}

function answer(message: WorkerAnswer, given: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(message, given);
}

/** Memory that moves to the other thread instead of being copied. */
function blocksOf({ texts }: PartitionResult): readonly ArrayBuffer[] {
  return texts.flatMap(({ sections, terms }) =>
    [...Object.values(sections), terms].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
