import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../src/core/sqlite/sqlite.ts';
import { backUp, restore } from '../../src/service/backup.ts';
import { createKey } from '../../src/service/keys.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { callService, startTestService } from './support/service.ts';

async function startWithArticle() {
  const service = await startTestService();
  await service.call('/article', {
    method: 'POST',
    body: { article_id: 'aaaaaaaaaa', title: 'Kept', is_published: true },
  });
  return {
    ...service,
    dataFile: join(service.folder, 'kb.sqlite'),
    copy: join(temporaryFolder(), 'copy.sqlite'),
  };
}

it('a backup has everything that was answered before, and nothing of a write that is not done', async () => {
  const { dataFile, copy, call } = await startWithArticle();
  const { key } = await createKey(dataFile, 'reader', 'read');
  const writer = openDatabase(dataFile);
  writer.run('BEGIN IMMEDIATE');
  writer.run('DELETE FROM article');
  expect(await backUp(dataFile, copy)).toMatchObject({ file: copy, articles: 1, categories: 0 });
  writer.run('ROLLBACK');
  writer.close();
  await call('/article', { method: 'POST', body: { title: 'Later' } });

  const restored = join(temporaryFolder(), 'new', 'kb.sqlite');
  expect(await restore(copy, restored)).toMatchObject({ file: restored, articles: 1 });
  const service = await startTestService({ data: restored });
  const { articles } = (await callService(service, '/article', { key })).json;
  expect(articles).toMatchObject([{ article_id: 'aaaaaaaaaa', title: 'Kept' }]);
  expect((await callService(service, '/search?query=kept')).json.articles).toHaveLength(1);
});

it('a backup and a restore replace no file, also by way of a symbolic link, and leave nothing there', async () => {
  const { dataFile, copy, folder, call } = await startWithArticle();
  await backUp(dataFile, copy);
  const linked = temporaryFolder();
  symlinkSync(dataFile, join(linked, 'file.sqlite'));
  symlinkSync(folder, join(linked, 'folder'));
  const before = [readFileSync(copy), readdirSync(folder)];
  for (const file of [
    ...[copy, dataFile, `${dataFile}-wal`, `${dataFile}-tls`],
    ...[join(linked, 'file.sqlite'), join(linked, 'folder', 'kb.sqlite')],
  ]) {
    for (const act of [backUp(dataFile, file), restore(copy, file)])
      await expect(act, file).rejects.toMatchObject({ code: 'TARGET_EXISTS', exitCode: 2 });
  }
  expect([readFileSync(copy), readdirSync(folder)]).toEqual(before);
  expect((await call('/article')).json.articles).toHaveLength(1);
});

it('an incomplete data file is neither copied nor restored, and nothing is left', async () => {
  const { dataFile, copy } = await startWithArticle();
  await backUp(dataFile, copy);
  const bad = temporaryFolder();
  writeFileSync(join(bad, 'text.sqlite'), 'no database\n'.repeat(1000));
  writeFileSync(join(bad, 'empty.sqlite'), '');
  const other = openDatabase(join(bad, 'newer.sqlite'));
  other.run('PRAGMA user_version = 99');
  other.close();
  const foreign = openSqlite(join(bad, 'foreign.sqlite'));
  foreign.exec('CREATE TABLE setting (a); PRAGMA user_version = 5');
  foreign.close();
  writeFileSync(join(bad, 'cut.sqlite'), readFileSync(copy));
  truncateSync(join(bad, 'cut.sqlite'), readFileSync(copy).length / 2);
  const damaged = readFileSync(copy);
  damaged.fill(0x7f, 4096 * 3, 4096 * 8);
  writeFileSync(join(bad, 'damaged.sqlite'), damaged);
  const files = temporaryFolder();
  for (const [name, why] of Object.entries({
    text: /./,
    empty: /it is not a data file of Lectern$/,
    newer: /its version is 99/,
    foreign: /it is not a data file of Lectern$/,
    cut: /./,
    damaged: /./,
  })) {
    const file = join(bad, `${name}.sqlite`);
    for (const act of [restore(file, join(files, 'kb.sqlite')), backUp(file, join(files, 'new.sqlite'))])
      await expect(act, name).rejects.toMatchObject({
        code: 'PATH_UNUSABLE',
        message: expect.stringMatching(why),
      });
  }
  await expect(restore(join(bad, 'none.sqlite'), join(files, 'kb.sqlite'))).rejects.toMatchObject({
    code: 'DATA_UNUSABLE',
    exitCode: 2,
  });
  expect(readdirSync(files)).toEqual([]);
});

it('files that a killed process left next to a deleted data file are not applied to a new one', async () => {
  const { dataFile, copy } = await startWithArticle();
  await backUp(dataFile, copy);
  const [from, to] = [join(temporaryFolder(), 'kb.sqlite'), join(temporaryFolder(), 'kb.sqlite')];
  const database = openDatabase(from);
  database.run("INSERT INTO category (category_id, record) VALUES ('old', '{}')");
  for (const suffix of ['-wal', '-shm']) copyFileSync(from + suffix, to + suffix);
  database.close();
  for (const act of [backUp(dataFile, to), restore(copy, to)])
    await expect(act).rejects.toMatchObject({ message: `${to}-wal already exists` });
  for (const suffix of ['-wal', '-shm']) rmSync(to + suffix);
  expect(await restore(copy, to)).toMatchObject({ articles: 1, categories: 0 });
});

it('a list never gets an ETag from before a restore', async () => {
  const { dataFile, copy, call } = await startWithArticle();
  await backUp(dataFile, copy);
  const post = { method: 'POST', body: { title: 'Later' } };
  await call('/article', post);
  const { etag = '' } = (await call('/article')).headers;
  const restored = join(temporaryFolder(), 'kb.sqlite');
  await restore(copy, restored);
  const service = await startTestService({ data: restored });
  await service.call('/article', post);
  expect((await service.call('/article', { headers: { 'if-none-match': etag } })).status).toBe(200);
});
