import { expect, it } from 'vitest';
import type { Queries } from '../../../src/service/store/postgres/postgres-database.ts';
import { createPostgresSearch } from '../../../src/service/store/postgres/postgres-search.ts';
import { type Replacement, replaceEach } from '../../../src/service/store/postgres/write-articles.ts';
import { StoreUnavailable } from '../../../src/service/store/store.ts';

const withCode = (code: string) => Object.assign(new Error(`error ${code}`), { code });

it.each([
  ['each article separately', 'a value that a column cannot have (22021)', withCode('22021'), 4],
  ['each article separately', 'a violated constraint (23514)', withCode('23514'), 4],
  ['each article separately', 'a value that is too long for an index (54000)', withCode('54000'), 4],
  ['each article separately', "an exception of the user's own trigger (P0001)", withCode('P0001'), 4],
  ['each article separately', 'a full disk', new StoreUnavailable('full', withCode('53100')), 4],
  ['nothing', 'a missing permission (42501)', withCode('42501'), 1],
  ['nothing', 'a missing table (42P01)', withCode('42P01'), 1],
  ['nothing', 'a lock', new StoreUnavailable('locked', withCode('55P03')), 1],
])('writes %s again after a batch that failed because of %s', async (_what, _why, error, statements) => {
  let count = 0;
  const rows = async (_sql: string, positions: readonly number[]) => {
    count += 1;
    if (positions.includes(2)) throw error;
    return [{ number: 0 }];
  };
  const replacements = [1, 2, 3].map(
    (position) => ({ text: { position }, row: {}, changed: [] }) as unknown as Replacement,
  );
  const replaced = await replaceEach({ rows } as unknown as Queries, replacements);
  const done = statements === 1 ? { error } : { isDone: true };
  expect(replaced).toEqual([done, { error }, done]);
  expect(count).toBe(statements);
});

it('updates a search index once at a time, also if a probe arrives just before the next update', async () => {
  const running = new Set<(error: Error) => void>();
  let most = 0;
  const row = () =>
    new Promise<never>((_resolve, reject) => {
      running.add(reject);
      most = Math.max(most, running.size);
    });
  let time = 0;
  const search = createPostgresSearch({
    database: { row } as unknown as Parameters<typeof createPostgresSearch>[0]['database'],
    accountId: 'a',
    defaultLanguage: 'en',
    // No probe is too early for another attempt.
    clock: () => (time += 3_600_000),
  });
  const fail = () => {
    for (const reject of running) reject(new StoreUnavailable('unreachable', new Error('gone')));
    running.clear();
  };
  const request = { text: 'x', limit: 1, includeDraft: true, includePrivate: true };
  const searches = [search.search(request), search.search(request)].map((result) =>
    expect(result).rejects.toThrow('unreachable'),
  );
  fail();
  for (let turn = 0; turn < 100; turn += 1) {
    search.isReady();
    await null;
  }
  expect([running.size, most]).toEqual([1, 1]);
  fail();
  await Promise.all(searches);
  const closed = search.close();
  fail();
  await closed;
});
