import { expect, it } from 'vitest';
import type { ResolvedConfig } from '../../src/config/schema.ts';
import { openLinkTable } from '../../src/partitions/link-table.ts';
import type { PartitionSettings } from '../../src/partitions/make-partition.ts';
import { partitionSettings } from '../../src/partitions/partition-settings.ts';
import type { PartitionTask } from '../../src/partitions/partition-task.ts';
import { createWorkerPool, type WorkerPool } from '../../src/partitions/worker-pool.ts';
import { planSite } from '../../src/plan/plan-site.ts';
import { article, knowledgeBase, translation } from '../support/knowledge-base.ts';

function start(script: string): WorkerPool {
  const pool = createWorkerPool(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  pool.start({} as PartitionSettings, 1);
  return pool;
}
const task: PartitionTask = { partition: 0, key: '', articles: [], previousFiles: new Map() };

it('does not assign tasks to a thread that has ended', async () => {
  const workers = start('process.exit(3)');
  await expect(workers.make(task)).rejects.toThrow('a thread ended with 3');
  await expect(workers.make(task)).rejects.toThrow('a thread ended with 3');
  await workers.stop();
});

it('rejects every task with the reason why its thread ended', async () => {
  const workers = start("throw new Error('no room')");
  await expect(Promise.all([workers.make(task), workers.make(task)])).rejects.toThrow('no room');
  await expect(workers.make(task)).rejects.toThrow('no room');
  await workers.stop();
});

it('uses a thread that was started before the settings were known', async () => {
  const answers = `
    import { parentPort } from 'node:worker_threads';
    let messages = 0;
    parentPort.on('message', () => { if (messages++ > 0) parentPort.postMessage({ result: messages }); });`;
  const pool = createWorkerPool(new URL(`data:text/javascript,${encodeURIComponent(answers)}`));
  pool.warmUp();
  pool.start({} as PartitionSettings, 1);
  expect(pool.capacity()).toBe(2);
  expect(await Promise.all([pool.make(task), pool.make(task)])).toEqual([2, 3]);
  await pool.stop();
});

it('makes the table of links for the first thread that renders, and no other', () => {
  const { plan } = planSite(knowledgeBase([article('aaaaaaaaaa', [translation('en', 'Reset')])]), {
    siteUrl: undefined,
    siteTitle: 'Help',
    languages: undefined,
    urls: { article: '{lang}/{slug}', category: '{lang}/{slug}' },
  });
  let reads = 0;
  const counted = new Proxy(plan, {
    get(target, name) {
      if (name === 'articles') reads += 1;
      return target[name as keyof typeof plan];
    },
  });
  const config = { feed: {}, output: {} } as ResolvedConfig;
  const context = { theme: {}, documents: {}, workspace: {} } as never;
  const settings = partitionSettings(config, counted, { sliceBits: 0 }, context, context, context);
  expect(reads).toBe(0);
  const copied = structuredClone({ links: settings.links, again: settings.links });
  expect(openLinkTable(copied.links).articles.get('aaaaaaaaaa')?.pages.get('en')?.href).toBe('/en/reset/');
  expect(reads).toBe(1);
});
