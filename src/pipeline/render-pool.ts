import { once } from '../core/concurrency.ts';
import { LecternError } from '../core/errors.ts';
import { countThreads, startThreads, type ThreadPool } from '../core/threads.ts';
import type { RenderArticles, RenderSettings } from './render-article.ts';
import type { RenderResult, RenderTask } from './rendered-article.ts';

/** Renders articles, in several threads or in this one. */
export interface RenderPool {
  /**
   * Call it before the first task. With no threads, articles are rendered in this thread.
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
 * Creates a pool without threads; its threads need the compiled program next to this file.
 * @param script script of the threads
 */
export function createRenderPool(script = new URL('./worker.js', import.meta.url)): RenderPool {
  let threads: ThreadPool<RenderTask, RenderResult> | null = null;
  let isStopped = false;
  let renderHere: RenderArticles = () => Promise.reject(new Error('the pool was not started'));
  return {
    start(settings, count) {
      if (isStopped) throw new Error('the pool was stopped');
      if (count > 0) {
        const options = { settings, errors: [LecternError], resourceLimits: { maxYoungGenerationSizeMb } };
        threads = startThreads(script, count, options);
        return;
      }
      const loading = once(async () => {
        // Loaded only if needed, because it loads the parsers of HTML.
        const { createArticlesRenderer } = await import('./render-article.ts');
        return createArticlesRenderer(settings);
      });
      renderHere = async (task) => (await loading())(task);
    },
    capacity: () => threads?.capacity ?? 1,
    render: (task) => threads?.call(task) ?? renderHere(task),
    async stop() {
      isStopped = true;
      await threads?.terminate();
    },
  };
}

/** For less, starting a thread costs more than it saves. */
const smallBytes = 1_500_000;

/** Number of threads. @param bodyBytes to render */
export function chooseThreads(bodyBytes: number): number {
  return bodyBytes < smallBytes ? 0 : countThreads();
}
