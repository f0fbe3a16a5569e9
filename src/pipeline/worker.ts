import { loadTokenCounter } from '../feed/tokens/count-tokens.ts';
import { createArticlesRenderer, type RenderSettings } from './render-article.ts';
import type { RenderResult, RenderTask } from './rendered-article.ts';
import { answerTasks } from './threads.ts';

/** A thread of `createRenderPool`. */
// Loading takes long and needs no settings. The first task throws a failure.
loadTokenCounter().catch(() => {});
answerTasks<RenderSettings, RenderTask, RenderResult>(createArticlesRenderer);
