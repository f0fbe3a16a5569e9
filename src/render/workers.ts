import { Worker } from 'node:worker_threads';
import type { ArticleTask } from './article-task.ts';
import type { RenderSettings } from './make-article.ts';
import { type PackedError, unpackError } from './packed-error.ts';

/** Threads that make batches of articles. */
export interface Workers {
  /** Gives a batch to the thread with the fewest batches; the articles come back packed, in order. */
  make(batch: readonly ArticleTask[]): Promise<readonly Uint8Array[]>;
  stop(): Promise<void>;
}

/** What a thread answers to a batch. */
export type WorkerAnswer = { readonly articles: readonly Uint8Array[] } | { readonly error: PackedError };

interface Pending {
  readonly resolve: (articles: readonly Uint8Array[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** In the order of their messages, which is the order of the answers. */
  readonly pending: Pending[];
  /** Why the thread answers nothing any more; `null` while it does. */
  failure: Error | null;
}

/** Most of what a thread makes is gone with its batch: room for a whole one saves copying it. */
const youngMb = 24;

/**
 * Starts threads; they need the compiled program beside this file. Once one has ended, every batch fails, so that none
 * waits for an answer that cannot come.
 * @param script what a thread runs
 */
export function startWorkers(
  threads: number,
  settings: RenderSettings,
  script = new URL('./worker.js', import.meta.url),
): Workers {
  const options = { workerData: settings, resourceLimits: { maxYoungGenerationSizeMb: youngMb } };
  const pool = Array.from({ length: threads }, () => startThread(new Worker(script, options)));
  return {
    make(batch) {
      const thread = pool.reduce((least, next) =>
        next.pending.length < least.pending.length ? next : least,
      );
      if (thread.failure !== null) return Promise.reject(thread.failure);
      return new Promise((resolve, reject) => {
        thread.pending.push({ resolve, reject });
        thread.worker.postMessage(batch);
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
  // The thread is gone, or an answer is: with it every batch it had.
  const fail = (error: Error): void => {
    thread.failure ??= error;
    for (const { reject } of pending.splice(0)) reject(thread.failure);
  };
  worker.on('message', (answer: WorkerAnswer) => {
    const batch = pending.shift();
    if ('error' in answer) batch?.reject(unpackError(answer.error));
    else batch?.resolve(answer.articles);
  });
  worker.on('messageerror', fail);
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`a thread ended with ${code}`)));
  return thread;
}
