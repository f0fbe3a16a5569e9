import {
  type ArticleTask,
  createPreparer,
  type PreparedArticle,
  type PrepareSettings,
} from './prepare-article.ts';
import { startWorkers, type Workers } from './workers.ts';

/** What a run knows of earlier runs; both are asked in the order of the tasks. */
export interface Memory {
  recall(task: ArticleTask): PreparedArticle | null;
  remember(task: ArticleTask, article: PreparedArticle): void;
}

/** A batch ends with the article that fills it: large enough to be worth a message, small enough to keep many in flight. */
const batchChars = 150_000;

/** Batches per thread that wait, work or are waited for: bounds the memory. */
const batchesPerThread = 2;

/** Recalled articles that may wait for a batch before them. */
const mostWaiting = 500;

type Prepare = Workers['prepare'];

/**
 * Prepares articles in threads beside this one, or recalls them, and gives them back in the order of the tasks,
 * whichever is ready first.
 * @param threads 0 prepares in this thread
 */
export async function* prepareArticles(
  tasks: AsyncIterable<ArticleTask>,
  settings: PrepareSettings,
  threads: number,
  memory: Memory,
): AsyncGenerator<PreparedArticle, void, undefined> {
  let workers: Workers | null = null;
  // Where everything is recalled, no thread and no tokenizer is needed.
  const prepare: Prepare = (batch) => {
    workers ??= threads === 0 ? createInlineWorker(settings) : startWorkers(threads, settings);
    return workers.prepare(batch);
  };
  const mostBatches = Math.max(1, threads * batchesPerThread);
  const queue = createQueue(prepare, memory);
  try {
    for await (const task of tasks) {
      queue.add(task);
      while (queue.batches() >= mostBatches || queue.length() >= mostWaiting) yield await queue.next();
    }
    while (queue.length() > 0) yield await queue.next();
  } finally {
    await (workers as Workers | null)?.stop();
  }
}

/** Articles on their way, in order: batches with the threads, recalled ones between them. */
function createQueue(prepare: Prepare, memory: Memory) {
  const waiting: { readonly article: Promise<PreparedArticle>; readonly endsBatch: boolean }[] = [];
  let batch: ArticleTask[] = [];
  let size = 0;
  let batches = 0;

  function send(): void {
    const sent = batch;
    const answer = prepare(sent);
    sent.forEach((task, at) => {
      const article = answer.then((articles) => {
        const prepared = articles[at];
        if (prepared === undefined) throw new Error(`article ${task.id} was not prepared`);
        memory.remember(task, prepared);
        return prepared;
      });
      // A failure is met when its turn comes; until then it must not count as unhandled.
      article.catch(() => {});
      waiting.push({ article, endsBatch: at === sent.length - 1 });
    });
    batches += 1;
    [batch, size] = [[], 0];
  }

  return {
    length: () => waiting.length + batch.length,
    batches: () => batches,
    add(task: ArticleTask): void {
      const recalled = memory.recall(task);
      if (recalled === null) {
        batch.push(task);
        size += sizeOf(task);
        if (size >= batchChars) send();
        return;
      }
      if (batch.length > 0) send();
      waiting.push({ article: Promise.resolve(recalled), endsBatch: false });
    },
    async next(): Promise<PreparedArticle> {
      if (waiting.length === 0) send();
      const first = waiting.shift();
      if (first === undefined) throw new Error('no article is waiting');
      const article = await first.article;
      if (first.endsBatch) batches -= 1;
      return article;
    },
  };
}

function createInlineWorker(settings: PrepareSettings): Workers {
  const preparing = createPreparer(settings);
  preparing.catch(() => {});
  return {
    async prepare(batch: readonly ArticleTask[]): Promise<readonly PreparedArticle[]> {
      const prepare = await preparing;
      return batch.map(prepare);
    },
    stop: async () => {},
  };
}

function sizeOf({ pages }: ArticleTask): number {
  return pages.reduce((sum, { body }) => sum + body.length, 0);
}
