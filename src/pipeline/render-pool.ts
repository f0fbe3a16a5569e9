import { availableParallelism } from 'node:os';
import { once } from '../core/concurrency.ts';
import { LecternError } from '../core/errors.ts';
import { startThread, type Thread } from '../core/threads.ts';
import type { RenderArticles, RenderSettings } from './render-article.ts';
import type { RenderResult, RenderTask } from './rendered-article.ts';

/** Renders articles, in several threads or in this one. */
export interface RenderPool {
  /**
   * Call it before the first task. With no threads, articles are rendered in this thread, and extremely long ones always are.
   * @param threads number of threads besides this one
   */
  start(settings: RenderSettings, threads: number): void;
  /** Number of tasks that use all threads. */
  capacity(): number;
  readonly render: RenderArticles;
  stop(): Promise<void>;
}

/** V8's young generation of a thread, in MB: large enough for the objects of one article. Objects that outlive it are copied. */
const maxYoungGenerationSizeMb = 24;

/**
 * V8's old generation of a thread, in MB. From 2 GB on, which Node allows on large machines, V8 lets it grow fourfold before it collects it: a quarter more
 * memory for the same work.
 */
const maxOldGenerationSizeMb = 2000;

/**
 * The longest body that a thread renders, in UTF-16 units; some 100 bytes of memory are needed for each. A longer one is rendered in the main
 * thread, which may use as much memory as Node allows on the machine.
 */
const maxThreadBody = 4_000_000;

/** Tasks queued per thread, so that a thread never waits for the main thread. */
const tasksPerThread = 2;

/**
 * Creates a pool without threads; its threads need the compiled program next to this file. After one thread has ended, every task fails, so
 * that none waits for a reply that cannot come.
 * @param script script of the threads
 */
export function createRenderPool(script = new URL('./worker.js', import.meta.url)): RenderPool {
  const threads: Thread<RenderTask, RenderResult>[] = [];
  let isStopped = false;
  let renderHere: RenderArticles = () => Promise.reject(new Error('the pool was not started'));
  const isForThreads = ({ articles }: RenderTask): boolean =>
    articles.every(({ bodies }) => bodies.every(({ length }) => length <= maxThreadBody));
  return {
    start(settings, count) {
      if (isStopped) throw new Error('the pool was stopped');
      const loading = once(async () => {
        // Loaded only if needed, because it loads the parsers of HTML.
        const { createArticlesRenderer } = await import('./render-article.ts');
        return createArticlesRenderer(settings);
      });
      renderHere = async (task) => (await loading())(task);
      const resourceLimits = { maxYoungGenerationSizeMb, maxOldGenerationSizeMb };
      const options = { settings, errors: [LecternError], resourceLimits };
      for (let at = 0; at < count; at++) threads.push(startThread(script, options));
    },
    capacity: () => Math.max(1, threads.length * tasksPerThread),
    render(task) {
      const [first] = threads;
      if (first === undefined || !isForThreads(task)) return renderHere(task);
      const ended = threads.find((thread) => thread.failure() !== null);
      const idlest = threads.reduce(
        (least, next) => (next.pending() < least.pending() ? next : least),
        first,
      );
      return (ended ?? idlest).call(task);
    },
    async stop() {
      isStopped = true;
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** For less, starting a thread costs more than it saves. */
const smallBytes = 1_500_000;

/** With more threads, the main thread is the slowest. */
const maxThreads = 6;

/** Number of threads: as many as the machine has processors, because the main thread mostly waits for them. @param bodyBytes to render */
export function chooseThreads(bodyBytes: number): number {
  return bodyBytes < smallBytes ? 0 : Math.min(maxThreads, availableParallelism());
}
