import { chmodSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pgvectorPush } from '../../../src/consumers/export/push/pgvector.ts';
import { type PushSettings, pushFeed } from '../../../src/consumers/export/push/push-feed.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith } from '../../support/tools.ts';
import { openExports, siteOf } from './support/export-sample.ts';
import { buildSampleFeed } from './support/questions.ts';

/** The engine tests have pgvector; here the files go through the real psql, as the docs say, and the type is a stand-in. */
describeWith('postgres', 'an export for pgvector in PostgreSQL', (postgres) => {
  let exports: ReturnType<typeof openExports>;
  let server: PostgresServer;
  let folder: string;
  let url: string;
  const psql = (...args: readonly string[]) => server.psql(url, ...args);

  beforeAll(async () => {
    exports = openExports();
    server = startPostgres(postgres);
    folder = temporaryFolder();
    for (const path of [exports.folder, folder]) chmodSync(path, 0o755);
    url = await server.createDatabase();
    psql('-c', 'CREATE DOMAIN vector AS text');
  });
  afterAll(() => server.remove());

  it('is loaded by psql, twice with the same result', async () => {
    const { output } = await buildSampleFeed();
    const { files, report } = await exports.run('pgvector', output);
    for (const path of report.files) {
      const file = join(folder, basename(path));
      writeFileSync(file, files.get(path) ?? '');
      psql('-f', file);
      if (path.startsWith('upserts/')) psql('-c', "UPDATE help SET embedding = 'kept'", '-f', file);
    }
    const count = 'SELECT count(*), count(embedding), count(DISTINCT search_config) > 1 FROM help';
    expect(psql('-At', '-c', count).trim()).toBe(`${report.upserts}|${report.upserts}|t`);
  });

  it('is pushed like it is loaded, also if the server stops in between, and keeps embeddings of unchanged texts', async () => {
    const database = await server.createDatabase();
    const sql = (text: string) => server.query(database, text).trim();
    sql('CREATE DOMAIN vector AS text');
    const { output } = await buildSampleFeed();
    let waits = 0;
    const push = (changes: Partial<PushSettings> = {}) =>
      pushFeed(siteOf(output), {
        ...{ target: 'pgvector', vendor: pgvectorPush, collection: 'help' },
        ...{ languages: [], generator: 'lectern test', allowMassDelete: true, strict: false },
        ...{ dryRun: false, cursor: join(folder, 'cursor.jsonl'), environment: { DATABASE_URL: database } },
        connect: () => {
          throw new Error('not used');
        },
        // The server is back after the first wait.
        async sleep() {
          if (waits++ === 0) server.start();
        },
        ...changes,
      });
    server.kill();
    const { upserts, problems } = await push();
    expect([waits > 0, problems]).toEqual([true, []]);
    const count = 'SELECT count(*), count(embedding) FROM help';
    expect(sql(count)).toBe(`${upserts}|0`);
    sql("UPDATE help SET embedding = 'kept'");
    const whole = sql('SELECT * FROM help ORDER BY id');
    // After an upgrade, everything is sent again, and nothing changes.
    expect((await push({ generator: 'lectern next' })).upserts).toBeLessThanOrEqual(upserts);
    expect(sql('SELECT * FROM help ORDER BY id')).toBe(whole);
    const { deletes } = await push({ languages: ['de'] });
    expect(sql(count)).toBe(`${upserts - deletes}|${upserts - deletes}`);
    expect(sql('SELECT min(language), max(language) FROM help')).toBe('de|de');
    sql('ALTER TABLE help RENAME COLUMN url TO link');
    await expect(push()).rejects.toMatchObject({ code: 'PUSH_REFUSED' });
  });
});
