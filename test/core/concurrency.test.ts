import { describe, expect, test } from 'vitest';
import { inParallel, workAhead } from '../../src/core/concurrency.ts';

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

describe('work ahead', () => {
  test('gives results in order, and works on a few of the next items', async () => {
    const begun: number[] = [];
    const results: string[] = [];
    const work = workAhead([30, 1, 20, 2, 10], 2, async (item) => {
      begun.push(item);
      await new Promise((resolve) => setTimeout(resolve, item));
      return `made ${item}`;
    });
    for await (const result of work) {
      if (results.length === 0) expect(begun).toEqual([30, 1, 20]);
      results.push(result);
    }
    expect(results).toEqual(['made 30', 'made 1', 'made 20', 'made 2', 'made 10']);
  });

  test('throws a failure in its place', async () => {
    const results: number[] = [];
    const work = workAhead([1, 2, 3], 2, async (item) => {
      if (item === 2) throw new Error('two');
      await new Promise((resolve) => setImmediate(resolve));
      return item;
    });
    const readAll = async () => {
      for await (const result of work) results.push(result);
    };
    await expect(readAll()).rejects.toThrow('two');
    expect(results).toEqual([1]);
  });
});
