import { availableParallelism } from 'node:os';

/** Below this, starting a thread costs more than it saves. */
const smallBytes = 1_500_000;

/** A knowledge base of such a size takes the main thread as long to reuse as another one to render a partition. */
const largeBytes = 6_000_000;

/** Beyond this the thread that publishes is the slowest. */
const mostThreads = 6;

/** Whether even a single partition is rendered in a thread. @param bodyBytes of all partitions */
export function isWorthThread(bodyBytes: number): boolean {
  return bodyBytes >= largeBytes;
}

/**
 * How many threads render partitions. They are as many as the processor runs at once: the main thread, which plans and
 * publishes, mostly waits for them.
 * @param bodyBytes of all partitions
 */
export function chooseThreads(bodyBytes: number, stale: number, partitions: number): number {
  if ((bodyBytes * stale) / partitions < smallBytes) return isWorthThread(bodyBytes) ? 1 : 0;
  return Math.min(mostThreads, availableParallelism());
}
