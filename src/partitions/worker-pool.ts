import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { once } from '../foundation/concurrency.ts';
import { createPartitionMaker, type MakePartition, type PartitionSettings } from './make-partition.ts';
import { type PackedError, unpackError } from './packed-error.ts';
import type { PartitionResult } from './partition-result.ts';

/** Renders partitions, several at the same time. */
export interface WorkerPool {
  /** Starts a thread that loads the program meanwhile, where the first task is not known yet. */
  warmUp(): void;
  /**
   * Comes before the first task. With no thread, partitions are rendered in this one.
   * @param threads beside this one
   */
  start(settings: PartitionSettings, threads: number): void;
  /** How many tasks keep it busy. */
  capacity(): number;
  readonly make: MakePartition;
  stop(): Promise<void>;
}

/** What a thread answers to a task. */
export type WorkerAnswer = { readonly result: PartitionResult } | { readonly error: PackedError };

interface Pending {
  readonly resolve: (result: PartitionResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** In the order of their messages, which is the order of the answers. */
  readonly pending: Pending[];
  /** Why the thread answers nothing any more; `null` while it does. */
  failure: Error | null;
}

/** Most of what a thread makes is gone with its article: room for a whole one saves copying it. */
const youngMb = 24;

/** Tasks per thread, so that none waits for the main thread. */
const tasksPerThread = 2;

/**
 * Creates a pool without a thread; they need the compiled program beside this file. Once one has ended, every task fails, so that
 * none waits for an answer that cannot come.
 * @param script what a thread runs
 */
export function createWorkerPool(script = new URL('./worker.js', import.meta.url)): WorkerPool {
  const options = { resourceLimits: { maxYoungGenerationSizeMb: youngMb } };
  const pool: Thread[] = [];
  let isStopped = false;
  const addThread = (): void => {
    if (isStopped) throw new Error('the pool was stopped');
    pool.push(startThread(new Worker(script, options)));
  };
  let makeHere: MakePartition = () => Promise.reject(new Error('the pool was not started'));
  return {
    warmUp: addThread,
    start(settings, threads) {
      if (threads === 0) {
        const loading = once(() => createPartitionMaker(settings));
        makeHere = async (task) => (await loading())(task);
      }
      while (pool.length < threads) addThread();
      for (const { worker } of pool) worker.postMessage(settings);
    },
    capacity: () => Math.max(1, pool.length * tasksPerThread),
    make(task) {
      const [first, ...others] = pool;
      if (first === undefined) return makeHere(task);
      const thread = others.reduce(
        (least, next) => (next.pending.length < least.pending.length ? next : least),
        first,
      );
      if (thread.failure !== null) return Promise.reject(thread.failure);
      return new Promise((resolve, reject) => {
        thread.pending.push({ resolve, reject });
        thread.worker.postMessage(task);
      });
    },
    async stop() {
      isStopped = true;
      await Promise.all(pool.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(worker: Worker): Thread {
  const thread: Thread = { worker, pending: [], failure: null };
  const { pending } = thread;
  // The thread is gone, or an answer is: with it every task it had.
  const fail = (error: Error): void => {
    thread.failure ??= error;
    for (const { reject } of pending.splice(0)) reject(thread.failure);
  };
  worker.on('message', (answer: WorkerAnswer) => {
    const task = pending.shift();
    if ('error' in answer) task?.reject(unpackError(answer.error));
    else task?.resolve(answer.result);
  });
  worker.on('messageerror', fail);
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`a thread ended with ${code}`)));
  return thread;
}

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
