import { expect, it } from 'vitest';
import type { RenderSettings } from '../../src/pipeline/render-article.ts';
import { createRenderPool, type RenderPool } from '../../src/pipeline/render-pool.ts';
import { linkTargetsOf } from '../../src/pipeline/render-settings.ts';
import type { RenderTask } from '../../src/pipeline/rendered-article.ts';
import { planSite } from '../../src/site/plan/plan-site.ts';
import { article, knowledgeBase, translation } from '../support/knowledge-base.ts';

function start(script: string, threads = 1): RenderPool {
  const pool = createRenderPool(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  pool.start({} as RenderSettings, threads);
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

/** Answers with the number of its thread, after as many milliseconds as the task has articles. */
const replies = `
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ id, call }) => {
    const ms = call.articles.length;
    if (ms === 1) process.exit(1);
    setTimeout(() => parentPort.postMessage({ id, result: threadId }), ms);
  });`;

const taskOf = (ms: number, body = ''): RenderTask => ({
  ...task,
  articles: Array.from({ length: ms }, () => ({ bodies: [body] })) as never,
});

it('gives a task to the thread with the least to do', async () => {
  const pool = start(replies, 2);
  expect(pool.capacity()).toBe(4);
  const slow = pool.render(taskOf(300));
  const fast: unknown[] = [];
  for (let at = 0; at < 3; at++) fast.push(await pool.render(taskOf(2)));
  expect(new Set(fast).size).toBe(1);
  expect(fast).not.toContain(await slow);
  const both = await Promise.all([pool.render(taskOf(2)), pool.render(taskOf(2))]);
  expect(new Set(both).size).toBe(2);
  await pool.stop();
});

it('refuses tasks after a thread ended, even if others have less to do', async () => {
  const pool = start(replies, 2);
  await expect(pool.render(taskOf(1))).rejects.toThrow('a thread ended with 1');
  await expect(pool.render(task)).rejects.toThrow('a thread ended with 1');
  await pool.stop();
});

it('renders an extremely long body in the main thread, which may use more memory', async () => {
  const pool = start(replies, 1);
  expect(await pool.render(taskOf(2, 'x'.repeat(4_000_000)))).toBeGreaterThan(0);
  // The renderer of this thread needs settings, which the thread of this test does not read.
  await expect(pool.render(taskOf(2, 'x'.repeat(4_000_001)))).rejects.toThrow(TypeError);
  await pool.stop();
});

it('gives threads the targets of links as plain data', () => {
  const { plan } = planSite(knowledgeBase([article('aaaaaaaaaa', [translation('en', 'Reset')])]), {
    siteUrl: 'https://help.example.com',
    siteTitle: 'Help',
    languages: undefined,
    urls: { article: '{lang}/{slug}', category: '{lang}/{slug}' },
  });
  const links = structuredClone(linkTargetsOf(plan));
  expect(links.articles.get('aaaaaaaaaa')?.pages.get('en')).toEqual({
    language: 'en',
    href: '/en/reset/',
    url: 'https://help.example.com/en/reset/',
  });
  expect(links.articles.get('bbbbbbbbbb')).toBeUndefined();
});
