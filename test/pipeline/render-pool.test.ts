import { expect, it } from 'vitest';
import type { RenderSettings } from '../../src/pipeline/render-article.ts';
import { createRenderPool, type RenderPool } from '../../src/pipeline/render-pool.ts';
import { renderSettings } from '../../src/pipeline/render-settings.ts';
import type { RenderTask } from '../../src/pipeline/rendered-article.ts';
import { planSite } from '../../src/site/plan/plan-site.ts';
import { article, knowledgeBase, translation } from '../support/knowledge-base.ts';

function start(script: string): RenderPool {
  const pool = createRenderPool(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  pool.start({} as RenderSettings, 1);
  return pool;
}
const task: RenderTask = { articles: [], previousFiles: new Map() };

it('does not assign tasks to a thread that has ended', async () => {
  const workers = start('process.exit(3)');
  await expect(workers.render(task)).rejects.toThrow('a thread ended with 3');
  await expect(workers.render(task)).rejects.toThrow('a thread ended with 3');
  await workers.stop();
});

it('rejects every task with the reason why its thread ended', async () => {
  const workers = start("throw new Error('no room')");
  await expect(Promise.all([workers.render(task), workers.render(task)])).rejects.toThrow('no room');
  await expect(workers.render(task)).rejects.toThrow('no room');
  await workers.stop();
});

it('sends a thread the settings before its tasks', async () => {
  const answers = `
    import { parentPort } from 'node:worker_threads';
    let messages = 0;
    parentPort.on('message', () => { if (messages++ > 0) parentPort.postMessage({ result: messages }); });`;
  const pool = createRenderPool(new URL(`data:text/javascript,${encodeURIComponent(answers)}`));
  pool.start({} as RenderSettings, 1);
  expect(pool.capacity()).toBe(2);
  expect(await Promise.all([pool.render(task), pool.render(task)])).toEqual([2, 3]);
  await pool.stop();
});

it('gives threads the targets of links as plain data', () => {
  const { plan } = planSite(knowledgeBase([article('aaaaaaaaaa', [translation('en', 'Reset')])]), {
    siteUrl: 'https://help.example.com',
    siteTitle: 'Help',
    languages: undefined,
    urls: { article: '{lang}/{slug}', category: '{lang}/{slug}' },
  });
  const context = { theme: {}, documents: {}, workspace: {} } as never;
  const { links } = structuredClone(renderSettings(plan, context, context, context));
  expect(links.articles.get('aaaaaaaaaa')?.pages.get('en')).toEqual({
    language: 'en',
    href: '/en/reset/',
    url: 'https://help.example.com/en/reset/',
  });
  expect(links.articles.get('bbbbbbbbbb')).toBeUndefined();
});
