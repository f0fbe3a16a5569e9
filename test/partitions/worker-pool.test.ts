import { expect, it } from 'vitest';
import type { PartitionSettings } from '../../src/partitions/make-partition.ts';
import type { PartitionTask } from '../../src/partitions/partition-task.ts';
import { createWorkerPool, type WorkerPool } from '../../src/partitions/worker-pool.ts';

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
