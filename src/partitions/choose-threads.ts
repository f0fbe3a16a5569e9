import { availableParallelism } from 'node:os';

/** Below this, starting a thread costs more than it saves. */
const smallBytes = 1_500_000;

/** With so many partitions to reuse, the main thread has something to do while another one renders. */
const manyPartitions = 16;

/** Beyond this the thread that publishes is the slowest. */
const mostThreads = 6;

/**
 * How many threads render partitions. They are as many as the processor runs at once: the main thread, which plans and
 * publishes, mostly waits for them.
 * @param bodyBytes of all partitions
 */
export function chooseThreads(bodyBytes: number, stale: number, partitions: number): number {
  const bytes = (bodyBytes * stale) / partitions;
  if (bytes < smallBytes) return stale > 0 && partitions >= manyPartitions ? 1 : 0;
  return Math.min(mostThreads, availableParallelism());
}
