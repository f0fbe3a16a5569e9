import { Worker } from 'node:worker_threads';
import { createPartitionMaker, type MakePartition, type PartitionSettings } from './make-partition.ts';
import { type PackedError, unpackError } from './packed-error.ts';
import type { PartitionResult } from './partition-result.ts';

/** Renders partitions, several at the same time. */
export interface WorkerPool {
  /** How many tasks keep it busy. */
  readonly capacity: number;
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
 * A pool whose threads start with the first task; with no thread, partitions are rendered in this one.
 * @param threads beside this one
 */
export function createWorkerPool(settings: PartitionSettings, threads: number): WorkerPool {
  if (threads === 0) {
    let loading: Promise<MakePartition> | null = null;
    return {
      capacity: 1,
      async make(task) {
        loading ??= createPartitionMaker(settings);
        return (await loading)(task);
      },
      stop: async () => {},
    };
  }
  let pool: Pick<WorkerPool, 'make' | 'stop'> | null = null;
  return {
    capacity: threads * tasksPerThread,
    make(task) {
      pool ??= startWorkers(threads, settings);
      return pool.make(task);
    },
    stop: async () => pool?.stop(),
  };
}

/**
 * Starts threads; they need the compiled program beside this file. Once one has ended, every task fails, so that none
 * waits for an answer that cannot come.
 * @param script what a thread runs
 */
export function startWorkers(
  threads: number,
  settings: PartitionSettings,
  script = new URL('./worker.js', import.meta.url),
): Pick<WorkerPool, 'make' | 'stop'> {
  const options = { workerData: settings, resourceLimits: { maxYoungGenerationSizeMb: youngMb } };
  const pool = Array.from({ length: threads }, () => startThread(new Worker(script, options)));
  return {
    make(task) {
      const thread = pool.reduce((least, next) =>
        next.pending.length < least.pending.length ? next : least,
      );
      if (thread.failure !== null) return Promise.reject(thread.failure);
      return new Promise((resolve, reject) => {
        thread.pending.push({ resolve, reject });
        thread.worker.postMessage(task);
      });
    },
    async stop() {
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
