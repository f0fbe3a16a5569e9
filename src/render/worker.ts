import { parentPort, workerData } from 'node:worker_threads';
import { type ArticleTask, createPreparer, type PrepareSettings } from './prepare-article.ts';

/** A thread of {@link startWorkers}: answers each batch of tasks with its prepared articles, in order. */
const preparing = createPreparer(workerData as PrepareSettings);
parentPort?.on('message', async (tasks: readonly ArticleTask[]) => {
  const prepare = await preparing;
  parentPort?.postMessage(tasks.map(prepare));
});
