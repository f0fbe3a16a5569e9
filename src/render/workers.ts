import { Worker } from 'node:worker_threads';
import type { ArticleTask, PreparedArticle, PrepareSettings } from './prepare-article.ts';

/** Threads that prepare batches of articles. */
export interface Workers {
  /** Gives a batch to the thread with the fewest batches. */
  prepare(batch: readonly ArticleTask[]): Promise<readonly PreparedArticle[]>;
  stop(): Promise<void>;
}

interface Pending {
  readonly resolve: (articles: readonly PreparedArticle[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** In the order of their messages, which is the order of the answers. */
  readonly pending: Pending[];
}

/** Most of what a thread makes is gone with its batch: room for a whole one saves copying it. */
const youngMb = 24;

/** Starts threads; they need the compiled program beside this file. */
export function startWorkers(threads: number, settings: PrepareSettings): Workers {
  const script = new URL('./worker.js', import.meta.url);
  const options = { workerData: settings, resourceLimits: { maxYoungGenerationSizeMb: youngMb } };
  const pool = Array.from({ length: threads }, () => startThread(new Worker(script, options)));
  return {
    prepare(batch) {
      const thread = pool.reduce((least, next) =>
        next.pending.length < least.pending.length ? next : least,
      );
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
  const pending: Pending[] = [];
  worker.on('message', (articles: readonly PreparedArticle[]) => pending.shift()?.resolve(articles));
  // The thread is gone, and with it every batch it had.
  worker.on('error', (error) => {
    for (const { reject } of pending.splice(0)) reject(error);
  });
  return { worker, pending };
}
