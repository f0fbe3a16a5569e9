import { expect, it } from 'vitest';
import type { RenderSettings } from '../../src/render/make-article.ts';
import { startWorkers } from '../../src/render/workers.ts';

const start = (script: string) =>
  startWorkers(1, {} as RenderSettings, new URL(`data:text/javascript,${encodeURIComponent(script)}`));

it('gives no batch to a thread that has ended', async () => {
  const workers = start('process.exit(3)');
  await expect(workers.make([])).rejects.toThrow('a thread ended with 3');
  await expect(workers.make([])).rejects.toThrow('a thread ended with 3');
  await workers.stop();
});

it('says why a thread has ended, to every batch', async () => {
  const workers = start("throw new Error('no room')");
  await expect(Promise.all([workers.make([]), workers.make([])])).rejects.toThrow('no room');
  await expect(workers.make([])).rejects.toThrow('no room');
  await workers.stop();
});
