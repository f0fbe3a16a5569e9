import type { ArticleTask } from './article-task.ts';
import { createArticleMaker, type RenderSettings } from './make-article.ts';
import type { PackedArticle } from './packed-article.ts';
import { startWorkers, type Workers } from './workers.ts';

/**
 * An article on its way: one that need not be made, one an earlier run made, or one to make; `key` and what is said of the
 * first kind are the caller's.
 */
export type ArticleStep<Standing> =
  | { readonly kind: 'standing'; readonly article: Standing }
  | { readonly kind: 'recalled'; readonly key: string; readonly article: PackedArticle }
  | { readonly kind: 'task'; readonly key: string; readonly task: ArticleTask };

/** An article that is there. */
export type ArticleReady<Standing> =
  | { readonly kind: 'standing'; readonly article: Standing }
  | { readonly kind: 'recalled'; readonly key: string; readonly article: PackedArticle }
  | { readonly kind: 'made'; readonly key: string; readonly packed: Uint8Array };

/** A batch ends with the article that fills it: large enough to be worth a message, small enough to keep many in flight. */
const batchChars = 150_000;

/** Batches per thread that are made or wait beside it. */
const batchesPerThread = 2;

/** Articles that are there and may wait for a batch before them. */
const mostWaiting = 100;

/**
 * Makes articles in threads beside this one, and in this one whenever it would wait, and gives them back in the order of
 * the steps, with the recalled ones between them.
 * @param threads 0 makes all of them in this thread
 */
export async function* makeArticles<Standing = never>(
  steps: AsyncIterable<ArticleStep<Standing>>,
  settings: RenderSettings,
  threads: number,
): AsyncGenerator<ArticleReady<Standing>, void, undefined> {
  const bench = createBench(settings, threads);
  const queue: Place<Standing>[] = [];
  let open: Batch | null = null;
  const mostBatches = threads * (batchesPerThread + 1) + 1;
  let batches = 0;

  async function next(): Promise<ArticleReady<Standing>> {
    const first = queue.shift();
    if (first === undefined) throw new Error('no article is waiting');
    if (first.kind !== 'made') return first;
    const { batch, at } = first;
    if (batch === open) {
      bench.add(batch);
      open = null;
    }
    const packed = (await bench.finish(batch))[at];
    if (packed === undefined) throw new Error('a thread left an article out');
    if (at === batch.tasks.length - 1) batches -= 1;
    return { kind: 'made', key: first.key, packed };
  }

  try {
    for await (const step of steps) {
      if (step.kind !== 'task') queue.push(step);
      else {
        if (open === null) batches += 1;
        open ??= { tasks: [], chars: 0, answer: null, made: null };
        queue.push({ kind: 'made', key: step.key, batch: open, at: open.tasks.length });
        open.tasks.push(step.task);
        open.chars += sizeOf(step.task);
        if (open.chars >= batchChars) {
          bench.add(open);
          open = null;
        }
      }
      while (batches >= mostBatches || queue.length >= mostWaiting || isThere(queue[0])) {
        yield await next();
      }
    }
    while (queue.length > 0) yield await next();
  } finally {
    await bench.stop();
  }
}

/** Where an article of the queue comes from. */
type Place<Standing> =
  | Exclude<ArticleReady<Standing>, { kind: 'made' }>
  | { readonly kind: 'made'; readonly key: string; readonly batch: Batch; readonly at: number };

function isThere(place: Place<unknown> | undefined): boolean {
  return place !== undefined && place.kind !== 'made';
}

interface Batch {
  readonly tasks: ArticleTask[];
  chars: number;
  /** Of the thread that has it. */
  answer: Promise<void> | null;
  /** Packed, in the order of the tasks. */
  made: readonly Uint8Array[] | null;
}

/** Hands batches to threads that have room; what none has taken is made here while this thread would wait. */
function createBench(settings: RenderSettings, threads: number) {
  // Where everything is recalled, no thread and no tokenizer is needed.
  let workers: Workers | null = null;
  let making: ReturnType<typeof createArticleMaker> | null = null;
  const untaken: Batch[] = [];
  let busy = 0;

  function give(): void {
    while (busy < threads * batchesPerThread) {
      const batch = untaken.shift();
      if (batch === undefined) return;
      workers ??= startWorkers(threads, settings);
      busy += 1;
      batch.answer = workers.make(batch.tasks).then((made) => {
        batch.made = made;
        busy -= 1;
        give();
      });
      // A failure is met when its turn comes; until then it must not count as unhandled.
      batch.answer.catch(() => {});
    }
  }

  /** The batch itself, or else the last one: threads will come to the others first. */
  function take(batch: Batch): Batch | undefined {
    const at = batch.answer === null ? untaken.indexOf(batch) : untaken.length - 1;
    return untaken.splice(at, 1)[0];
  }

  return {
    /** Threads get full batches alone: for a few articles it does not pay to start one. */
    add(batch: Batch): void {
      untaken.push(batch);
      if (batch.chars >= batchChars) give();
    },
    async finish(batch: Batch): Promise<readonly Uint8Array[]> {
      while (batch.made === null) {
        // Answers of threads come in with a turn of the event loop.
        await new Promise(setImmediate);
        if (batch.made !== null) break;
        const here = take(batch);
        if (here === undefined) await batch.answer;
        else {
          making ??= createArticleMaker(settings);
          here.made = here.tasks.map(await making);
        }
      }
      return batch.made;
    },
    stop: async () => workers?.stop(),
  };
}

function sizeOf({ bodies }: ArticleTask): number {
  return bodies.reduce((sum, { length }) => sum + length, 0);
}
