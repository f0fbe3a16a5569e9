import { expect, it } from 'vitest';
import type { Progress } from '../../src/core/report.ts';
import { startFetching } from './support/fetching.ts';
import { articleRecords } from './support/records.ts';

it('a fetch reports the number of articles read, and the total if it is known from the last run', async () => {
  const articles = articleRecords(5);
  const { fetch } = await startFetching({ articles });
  const steps: Progress[] = [];
  const onProgress = (progress: Progress) => void steps.push(progress);
  const last = () => steps.findLast(({ kind }) => kind === 'articles');
  await fetch({ onProgress });
  expect(last()).toEqual({ kind: 'articles', done: 5, total: null });
  articles.push(...articleRecords(7).slice(5));
  await fetch({ onProgress });
  expect(steps.filter(({ kind, total }) => kind === 'articles' && total !== null).at(0)?.total).toBe(5);
  expect(last()).toEqual({ kind: 'articles', done: 7, total: 7 });
});
