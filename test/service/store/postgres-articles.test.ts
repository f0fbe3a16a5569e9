import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createCurrentCheck } from '../../../src/service/store/postgres/postgres-articles.ts';
import type { PostgresDatabase, Queries } from '../../../src/service/store/postgres/postgres-database.ts';
import { createPostgresKeys } from '../../../src/service/store/postgres/postgres-store.ts';
import { type ArticleState, StoreUnavailable } from '../../../src/service/store/store.ts';

const article = { position: 1, articleId: 'a', updatedAt: '2026-01-01T00:00:00.000Z' };
const other = { position: 2, articleId: 'b', updatedAt: '2026-01-01T00:00:00.000Z' };

/** Checks on a database whose statements are answered by the test. */
function createCheck(longestWaitMs: number) {
  const statements: {
    readonly positions: unknown;
    readonly answer: (rows: readonly ArticleState[]) => void;
  }[] = [];
  const rows = (_sql: string, positions: unknown) =>
    new Promise((answer) => {
      statements.push({ positions, answer });
    });
  const isCurrent = createCurrentCheck({ rows } as unknown as Queries, longestWaitMs);
  const statement = (number: number) =>
    vi.waitFor(() => statements[number - 1] ?? Promise.reject(new Error(`there is no statement ${number}`)), {
      timeout: 20_000,
    });
  return { isCurrent, statement, statements };
}

it('checks of articles that arrive during a statement share the next one, and each sees its own article', async () => {
  const { isCurrent, statement, statements } = createCheck(3_600_000);
  const first = isCurrent(article);
  const { answer } = await statement(1);
  const checks = [isCurrent(article)];
  // What the first statement answers must not be used for a later check, and the later checks share a statement.
  await setImmediate();
  checks.push(isCurrent(other), isCurrent({ ...article, articleId: 'b' }));
  answer([]);
  const second = await statement(2);
  expect(second.positions).toEqual([1, 2, 1]);
  second.answer([{ ...article }, { ...other, updatedAt: '2026-01-02T00:00:00.000Z' }]);
  expect(await Promise.all([first, ...checks])).toEqual([false, true, false, false]);
  expect(statements).toHaveLength(2);
});

it('checks do not wait for a statement that is never answered', async () => {
  const { isCurrent, statement } = createCheck(10);
  void isCurrent(article);
  await statement(1);
  const check = isCurrent(article);
  (await statement(2)).answer([{ ...article }]);
  expect(await check).toBe(true);
});

it('checks are repeated once on another connection where one broke, and not where the database does not answer', async () => {
  const errors: Error[] = [];
  const rows = async () => {
    const error = errors.shift();
    if (error !== undefined) throw new StoreUnavailable('unreachable', error);
    return [{ ...article }];
  };
  const isCurrent = createCurrentCheck({ rows } as unknown as Queries);
  errors.push(new Error('Connection terminated unexpectedly'));
  expect(await Promise.all([isCurrent(article), isCurrent(article)])).toEqual([true, true]);
  errors.push(new Error('read ECONNRESET'), new Error('connect ECONNREFUSED'));
  await expect(isCurrent(article)).rejects.toThrow('unreachable');
  expect(errors).toEqual([]);
  errors.push(new Error('Query read timeout'), new Error('never thrown'));
  await expect(isCurrent(article)).rejects.toThrow('unreachable');
  expect(errors).toHaveLength(1);
});

it('requests at the same time share the statement that reads their keys, and each gets its own', async () => {
  const statements: unknown[] = [];
  const rows = async (_sql: string, keyIds: readonly string[]) => {
    statements.push(keyIds);
    return [{ keyId: 'b' }, { keyId: 'a' }];
  };
  const database = { rows } as unknown as PostgresDatabase;
  const { readKey } = createPostgresKeys({ database, now: () => '' });
  const keys = await Promise.all(['a', 'none', 'b', 'a'].map((keyId) => readKey(keyId)));
  expect(keys).toEqual([{ keyId: 'a' }, null, { keyId: 'b' }, { keyId: 'a' }]);
  expect(statements).toEqual([['a', 'none', 'b']]);
});
