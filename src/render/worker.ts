import { parentPort, workerData } from 'node:worker_threads';
import type { ArticleTask } from './article-task.ts';
import { createArticleMaker, type RenderSettings } from './make-article.ts';
import { packError } from './packed-error.ts';
import type { WorkerAnswer } from './workers.ts';

/** A thread of {@link startWorkers}: answers each batch of tasks with its packed articles, in order. */
const loading = createArticleMaker(workerData as RenderSettings);
// A failure is met by the first batch; until then it must not count as unhandled.
loading.catch(() => {});
parentPort?.on('message', async (tasks: readonly ArticleTask[]) => {
  try {
    const articles = tasks.map(await loading);
    answer(
      { articles },
      articles.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (error) {
    answer({ error: packError(error) }, []);
  }
});
// A batch that cannot be read must not be waited for.
parentPort?.on('messageerror', (error) => {
  throw error;
});

function answer(message: WorkerAnswer, given: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(message, given);
}
