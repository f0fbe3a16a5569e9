import { availableParallelism } from 'node:os';
import type { SectionOutput } from '../feed/sections.ts';
import { once } from '../foundation/concurrency.ts';
import type { SpillFile } from '../foundation/spill-file.ts';
import type { Output } from '../output/output.ts';
import type { Staging } from '../output/staging.ts';
import type { MakePartition, PartitionSettings } from './make-partition.ts';
import type { PartitionResult, PartitionTask, RenderedPartition } from './partition-task.ts';
import type { SearchTask, ThreadFiles } from './publish-search.ts';
import { createThreads } from './threads.ts';

/** Renders partitions, several at the same time. */
export interface WorkerPool {
  /** Starts a thread early, so that it loads the program before the first task is known. */
  warmUp(): void;
  /**
   * Call it before the first task. With no threads, partitions are rendered in this thread.
   * @param threads number of threads besides this one
   */
  start(settings: PartitionSettings, threads: number): void;
  /** Number of tasks that use all threads. */
  capacity(): number;
  /**
   * Summary of a partition that was rendered on another machine; `null`: render it here. Its task then needs no articles.
   * @param quickKey of the partition
   */
  findRendered(partition: number, quickKey: string): RenderedPartition | null;
  readonly make: MakePartition;
  /** Writes a search index; `null` if there is no thread, so that the caller does it. */
  writeSearch(): ((task: SearchTask) => Promise<ThreadFiles>) | null;
  /**
   * Opens output files that contain sections of partitions: a thread writes each file after it is closed. `null`: the caller writes them.
   */
  readonly sectionOutput: ((output: DeferredOutput) => SectionOutput) | null;
  stop(): Promise<void>;
}

/** The part of the output that these threads need. */
export interface DeferredOutput extends Pick<Output, 'adopt'> {
  /** Keeps the descriptions of files that no thread writes yet. */
  readonly spill: SpillFile;
  /** Records of the previous output's files at these paths, and of their compressed copies. */
  readonly recorded: Staging['recorded'];
}

/** Results of the threads of `createWorkerPool`. */
export type ThreadResult = PartitionResult | ThreadFiles;

/** Large enough for the objects of one article. */
const youngMb = 24;

/** Tasks queued per thread, so that a thread never waits for the main thread. */
const tasksPerThread = 2;

/**
 * Creates a pool without threads; its threads need the compiled program next to this file. After one thread has ended, every task fails, so
 * that none waits for a reply that cannot come.
 * @param script script of the threads
 */
export function createWorkerPool(script = new URL('./worker.js', import.meta.url)): WorkerPool {
  const threads = createThreads<PartitionSettings, PartitionTask | SearchTask, ThreadResult>(script, youngMb);
  let makeHere: MakePartition = () => Promise.reject(new Error('the pool was not started'));
  return {
    warmUp: threads.add,
    start(settings, count) {
      if (count === 0) {
        const loading = once(async () => {
          // Loaded only if needed, because it loads the parsers of HTML.
          const { createPartitionMaker } = await import('./make-partition.ts');
          return createPartitionMaker(settings);
        });
        makeHere = async (task) => (await loading())(task);
      }
      threads.start(settings, count);
    },
    capacity: () => Math.max(1, threads.count() * tasksPerThread),
    findRendered: () => null,
    make: (task) =>
      threads.count() === 0 ? makeHere(task) : (threads.run(task) as Promise<PartitionResult>),
    writeSearch: () => (threads.count() === 0 ? null : (task) => threads.run(task) as Promise<ThreadFiles>),
    sectionOutput: null,
    stop: threads.stop,
  };
}

/** For less, starting a thread costs more than it saves. */
const smallBytes = 1_500_000;

/** To reuse a knowledge base of this size, the main thread needs as long as another thread to render a partition. */
const largeBytes = 6_000_000;

/** With more threads, the publishing thread is the slowest. */
const mostThreads = 6;

/** Whether even a single partition is rendered in a thread. @param bodyBytes of all partitions */
export function isWorthThread(bodyBytes: number): boolean {
  return bodyBytes >= largeBytes;
}

/**
 * Number of threads that render partitions: as many as the machine has processors, because the main thread mostly waits for them.
 * @param bodyBytes of all partitions
 */
export function chooseThreads(bodyBytes: number, stale: number, partitions: number): number {
  if ((bodyBytes * stale) / partitions < smallBytes) return isWorthThread(bodyBytes) ? 1 : 0;
  return Math.min(mostThreads, availableParallelism());
}
