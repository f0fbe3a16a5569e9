import { availableParallelism } from 'node:os';

/** Below this, starting a thread costs more than it saves. */
const smallBytes = 1_500_000;

/** Beyond this the thread that writes is the slowest. */
const mostThreads = 6;

/** How many threads make articles beside the main one, which makes some itself. */
export function chooseThreads(bodyBytes: number): number {
  return bodyBytes < smallBytes ? 0 : Math.min(mostThreads, Math.max(1, availableParallelism() - 1));
}
