import { describe, expect, test } from 'vitest';
import { inParallel } from '../../src/core/concurrency.ts';

describe('work in parallel', () => {
  test('is done for every item, a few at a time', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done.push(item);
    });
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  test('ends with the first failure, after which nothing is started', async () => {
    const begun: number[] = [];
    const release: (() => void)[] = [];
    const work = inParallel([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('one');
      await new Promise<void>((resolve) => release.push(resolve));
    });
    await expect(work).rejects.toThrow('one');
    for (const go of release) go();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([1, 2]);
  });
});
