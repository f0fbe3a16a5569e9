import { expect, it } from 'vitest';
import { makeData, openTestStore } from '../support/service.ts';

it('stores 2,000 different searches of a day, because the key that counts them is public', async () => {
  const clock = () => Date.parse('2026-03-10T12:00:00Z');
  const store = await openTestStore(await makeData(), clock);
  const count = (value: string, day = '2026-03-10') =>
    store.countSignal({ kind: 'search', day, articleId: '', language: 'en', value });
  for (let first = 0; first < 2000; first += 100)
    await Promise.all(Array.from({ length: 100 }, (_, n) => count(`word ${first + n}`)));
  await count('one more');
  await count('word 7');
  await count('one more', '2026-03-11');
  const list = (to: string) =>
    store.listSignals({ kind: 'search', from: '2026-01-01', to, language: undefined });
  const stored = await list('2026-03-10');
  expect(stored).toHaveLength(2000);
  expect(stored[0]).toMatchObject({ value: 'word 7', count: 2 });
  expect(await list('2026-03-11')).toHaveLength(2001);
});
