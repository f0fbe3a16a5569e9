import { expect, it } from 'vitest';
import type { PostgresDatabase } from '../../../src/service/store/postgres/postgres-database.ts';
import { createPostgresKeys } from '../../../src/service/store/postgres/postgres-store.ts';

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
