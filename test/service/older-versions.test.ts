import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { restore } from '../../src/service/backup.ts';
import { createKey, listKeys } from '../../src/service/keys.ts';
import { migrate } from '../../src/service/store/migrations.ts';
import { openStore } from '../../src/service/store/open-store.ts';
import { expectOldContent, oldCategory, oldRows } from './support/older-data.ts';
import { makeFolder, startTestService, usesDatabases } from './support/service.ts';

/** A data file as an earlier version wrote it. */
function makeOldFile(version: number): string {
  const file = join(makeFolder(), 'kb.sqlite');
  const connection = new Libsql(file);
  migrate(
    { row: (sql) => connection.prepare(sql).all()[0] as Record<string, unknown> },
    (sql) => connection.exec(sql),
    version,
  );
  for (const [at, { article_id, status, slug, updated_at, meta, record }] of oldRows.entries()) {
    const insert = `INSERT INTO article (article_id, category_id, status, is_restricted, slug, updated_at, ${version === 1 ? 'head' : 'meta'}, record)
      VALUES (?, 'cccccccccc', ?, ?, ?, ?, ?, ?)`;
    connection.prepare(insert).run(article_id, status, at, slug, updated_at, meta, record);
  }
  connection.prepare('INSERT INTO category (category_id, record) VALUES (?, ?)').run(...oldCategory);
  connection.exec(`INSERT INTO article_view VALUES ('2026-01-02', 1, 7);
    INSERT INTO setting VALUES ('account_id', 'oldaccount');
    INSERT OR REPLACE INTO setting VALUES ('revision', '5');
    INSERT INTO setting VALUES ('index_version', '4');
    INSERT INTO api_key (key_id, name, access, hash, created_at) VALUES ('one', 'reader', 'read', x'00', '2026-01-01')`);
  connection.close();
  return file;
}

it.each([1, 4, 7, 8])('a data file of version %i opens with everything in it', async (version) => {
  const store = await openStore(makeOldFile(version), { defaultLanguage: 'en', clock: Date.now });
  onTestFinished(() => store.close());
  await expectOldContent(store);
  expect(await store.listKeys()).toMatchObject([{ keyId: 'one', name: 'reader', expiresAt: null }]);
  expect(await store.revision()).toBe('6');
});

it('a backup of the previous version is restored with a revision that no list has had', async () => {
  const file = join(makeFolder(), 'restored.sqlite');
  restore(makeOldFile(8), file, false);
  const store = await openStore(file, { defaultLanguage: 'en', clock: Date.now });
  onTestFinished(() => store.close());
  await expectOldContent(store);
  expect(Number(await store.revision())).toBeGreaterThan(1_700_000_000_000);
});

it.skipIf(usesDatabases())('the keys of a data file from before keys could expire are taken', async () => {
  const file = makeOldFile(3);
  const newer = join(makeFolder(), 'newer.sqlite');
  await (await openStore(newer, { defaultLanguage: 'en', clock: Date.now })).close();
  const { key } = await createKey(newer, 'old', 'read');
  const connection = new Libsql(file);
  connection.prepare('ATTACH ? AS newer').run([newer]);
  connection.exec(`INSERT INTO api_key (key_id, name, access, hash, created_at)
    SELECT key_id, name, access, hash, created_at FROM newer.api_key WHERE name = 'old'`);
  connection.close();
  const service = await startTestService({ data: file });
  expect((await service.call('/article', { key })).status).toBe(200);
  expect(await listKeys(file)).toContainEqual(
    expect.objectContaining({ name: 'old', access: 'read', expiresAt: null }),
  );
});
