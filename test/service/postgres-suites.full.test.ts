import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { startPostgres } from '../support/postgres-server.ts';
import { describeWith } from '../support/tools.ts';
import { useDatabases } from './support/service.ts';

/** Tests of the service that say nothing about files. */
const suites = [
  '../contract/interface.test.ts',
  'http/conditional-writes.test.ts',
  'http/languages.test.ts',
  'http/list-articles.test.ts',
  'http/reader-statistics.test.ts',
  'http/schedule.test.ts',
  'http/schema-fuzz.full.test.ts',
  'http/search.test.ts',
  'http/source-page.test.ts',
  'http/statistics.test.ts',
  'http/text-limits.full.test.ts',
  'store/model.full.test.ts',
  'store/reader-store.test.ts',
];

describeWith('postgres', 'the service on PostgreSQL', async (program) => {
  const server = startPostgres(program);
  useDatabases(server.createSchema);
  afterAll(() => {
    useDatabases(null);
    server.remove();
  });
  // The query makes them separate modules, because the same worker may have run them with files.
  for (const suite of suites) {
    await import(/* @vite-ignore */ `${fileURLToPath(new URL(suite, import.meta.url))}?postgres`);
  }
});
