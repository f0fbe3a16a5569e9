import { expect, it } from 'vitest';
import type { PartitionSettings } from '../../src/partitions/make-partition.ts';
import type { PartitionTask } from '../../src/partitions/render-input.ts';
import { startWorkers } from '../../src/partitions/worker-pool.ts';

const start = (script: string) =>
  startWorkers(1, {} as PartitionSettings, new URL(`data:text/javascript,${encodeURIComponent(script)}`));
const task: PartitionTask = { articles: [], previousFiles: new Map() };

it('gives no task to a thread that has ended', async () => {
  const workers = start('process.exit(3)');
  await expect(workers.make(task)).rejects.toThrow('a thread ended with 3');
  await expect(workers.make(task)).rejects.toThrow('a thread ended with 3');
  await workers.stop();
});

it('says why a thread has ended, to every task', async () => {
  const workers = start("throw new Error('no room')");
  await expect(Promise.all([workers.make(task), workers.make(task)])).rejects.toThrow('no room');
  await expect(workers.make(task)).rejects.toThrow('no room');
  await workers.stop();
});
