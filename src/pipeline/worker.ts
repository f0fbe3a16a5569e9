import { workerData } from 'node:worker_threads';
import { answerCalls } from '../core/threads.ts';
import { loadTokenCounter } from '../feed/tokens/count-tokens.ts';
import { createArticlesRenderer, type RenderSettings } from './render-article.ts';
import type { RenderResult, RenderTask } from './rendered-article.ts';

/** A thread of `createRenderPool`. */
// Loading takes long and needs no settings. The first task throws a failure of either.
loadTokenCounter().catch(() => {});
const loading = createArticlesRenderer(workerData as RenderSettings);
let last: Promise<unknown> = loading;
last.catch(() => {});

// One task at a time, because two would need more memory and not be faster.
answerCalls<RenderTask, RenderResult>((task) => {
  const done = last.catch(() => {}).then(async () => (await loading)(task));
  last = done;
  return done;
});
