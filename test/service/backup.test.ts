import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { backUp, restore } from '../../src/service/backup.ts';
import { createKey } from '../../src/service/keys.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { callService, makeFolder, startTestService } from './support/service.ts';

async function startWithArticle() {
  const service = await startTestService();
  await service.call('/article', {
    method: 'POST',
    body: { article_id: 'aaaaaaaaaa', title: 'Kept', is_published: true },
  });
  return { ...service, dataFile: join(service.folder, 'kb.sqlite'), copy: join(makeFolder(), 'copy.sqlite') };
}

it('a backup has everything that was answered before, and nothing of a write that is not done', async () => {
  const { dataFile, copy, call } = await startWithArticle();
  const { key } = await createKey(dataFile, 'reader', 'read');
  const writer = openDatabase(dataFile);
  writer.run('BEGIN IMMEDIATE');
  writer.run('DELETE FROM article');
  expect(backUp(dataFile, copy, false)).toMatchObject({ file: copy, articles: 1, categories: 0 });
  writer.run('ROLLBACK');
  writer.close();
  await call('/article', { method: 'POST', body: { title: 'Later' } });

  const restored = join(makeFolder(), 'new', 'kb.sqlite');
  expect(restore(copy, restored, false)).toMatchObject({ file: restored, articles: 1, previous: null });
  const service = await startTestService({ data: restored });
  const { articles } = (await callService(service, '/article', { key })).json;
  expect(articles).toMatchObject([{ article_id: 'aaaaaaaaaa', title: 'Kept' }]);
  expect((await callService(service, '/search?query=kept')).json.articles).toHaveLength(1);
});

it('a backup and a restore replace no file without being asked, and never the file they read', async () => {
  const { dataFile, copy } = await startWithArticle();
  backUp(dataFile, copy, false);
  const before = readFileSync(copy);
  expect(() => backUp(dataFile, copy, false)).toThrow(expect.objectContaining({ code: 'TARGET_EXISTS' }));
  expect(() => restore(copy, dataFile, false)).toThrow(expect.objectContaining({ code: 'TARGET_EXISTS' }));
  for (const act of [backUp, restore])
    expect(() => act(copy, copy, true)).toThrow(expect.objectContaining({ code: 'TARGET_EXISTS' }));
  expect(readFileSync(copy).equals(before)).toBe(true);
  expect(backUp(dataFile, copy, true).articles).toBe(1);
});

it('neither a folder nor SQLite’s files next to a data file are replaced, and nothing is left there', async () => {
  const { dataFile, copy, folder } = await startWithArticle();
  backUp(dataFile, copy, false);
  const before = readdirSync(folder);
  for (const suffix of ['-wal', '-shm']) {
    expect(() => backUp(dataFile, dataFile + suffix, true)).toThrow(
      expect.objectContaining({ code: 'TARGET_EXISTS' }),
    );
  }
  const tls = `${dataFile}-tls`;
  for (const act of [() => backUp(dataFile, tls, true), () => restore(copy, tls, true)]) {
    expect(act).toThrow(
      expect.objectContaining({
        code: 'PATH_UNUSABLE',
        message: `${tls} is a folder, not a file`,
        exitCode: 2,
      }),
    );
  }
  expect(readdirSync(folder)).toEqual(before);
});

it('an incomplete data file is neither copied nor restored, and nothing changes', async () => {
  const { dataFile, copy } = await startWithArticle();
  backUp(dataFile, copy, false);
  const bad = makeFolder();
  writeFileSync(join(bad, 'text.sqlite'), 'no database\n'.repeat(1000));
  writeFileSync(join(bad, 'empty.sqlite'), '');
  const other = openDatabase(join(bad, 'newer.sqlite'));
  other.run('PRAGMA user_version = 99');
  other.close();
  writeFileSync(join(bad, 'cut.sqlite'), readFileSync(copy));
  truncateSync(join(bad, 'cut.sqlite'), readFileSync(copy).length / 2);
  const damaged = readFileSync(copy);
  damaged.fill(0x7f, 4096 * 3, 4096 * 8);
  writeFileSync(join(bad, 'damaged.sqlite'), damaged);
  const before = readFileSync(dataFile);
  for (const name of ['text', 'empty', 'newer', 'cut', 'damaged']) {
    const file = join(bad, `${name}.sqlite`);
    expect(() => restore(file, dataFile, true), name).toThrow(
      expect.objectContaining({ code: 'PATH_UNUSABLE' }),
    );
    expect(() => backUp(file, join(bad, 'new.sqlite'), false), name).toThrow(
      expect.objectContaining({ code: 'PATH_UNUSABLE' }),
    );
  }
  expect(() => restore(join(bad, 'none.sqlite'), dataFile, true)).toThrow(
    expect.objectContaining({ code: 'DATA_UNUSABLE', exitCode: 2 }),
  );
  expect(readFileSync(dataFile).equals(before)).toBe(true);
  expect(readdirSync(bad).filter((name) => name.includes('partial') || name.includes('new.'))).toEqual([]);
  expect(readdirSync(join(dataFile, '..')).map((name) => basename(name))).not.toContain('kb.sqlite.previous');
});

/** What a killed process leaves of a data file whose writes are only in its WAL. */
function makeKilled(name: string): string {
  const [from, to] = [join(makeFolder(), 'kb.sqlite'), join(makeFolder(), name)];
  const database = openDatabase(from);
  database.run("INSERT INTO category (category_id, record) VALUES ('old', '{}')");
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(from + suffix, to + suffix);
  database.close();
  return to;
}

function countCategories(file: string): unknown {
  const database = openDatabase(file);
  const row = database.row('SELECT count(*) AS count FROM category');
  database.close();
  return row?.count;
}

it('files that a killed process left next to a deleted data file are renamed by a restore, and not applied to the restored one', async () => {
  const { dataFile, copy } = await startWithArticle();
  backUp(dataFile, copy, false);
  const killed = makeKilled('kb.sqlite');
  const kept = join(makeFolder(), 'kept.sqlite');
  renameSync(killed, kept);
  expect(restore(copy, killed, false)).toMatchObject({ articles: 1, categories: 0, previous: null });
  expect(countCategories(killed)).toBe(0);
  renameSync(kept, `${killed}.previous`);
  expect(countCategories(`${killed}.previous`)).toBe(1);
});

it('a restore does not rename the old file to a name with files of a killed process', async () => {
  const { dataFile, copy } = await startWithArticle();
  backUp(dataFile, copy, false);
  const killed = makeKilled('kb.sqlite.previous');
  rmSync(killed);
  const file = killed.replace('.previous', '');
  backUp(dataFile, file, false);
  const { previous } = restore(copy, file, true);
  expect(previous).toBe(`${file}.previous-2`);
  expect(countCategories(String(previous))).toBe(0);
});

it.each(['backup', 'deleted backup'])(
  'what a killed process left beside a %s is not applied to a new one',
  async (state) => {
    const { dataFile } = await startWithArticle();
    const killed = makeKilled('copy.sqlite');
    if (state === 'deleted backup') rmSync(killed);
    expect(backUp(dataFile, killed, true)).toMatchObject({ articles: 1, categories: 0 });
    expect(countCategories(killed)).toBe(0);
  },
);

it('a backup does not replace a file that a process uses, nor the data file by way of a symbolic link', async () => {
  const { dataFile, copy, call } = await startWithArticle();
  const other = await startTestService();
  const folder = makeFolder();
  symlinkSync(dataFile, join(folder, 'file.sqlite'));
  symlinkSync(join(dataFile, '..'), join(folder, 'linked'));
  expect(() => backUp(dataFile, join(other.folder, 'kb.sqlite'), true)).toThrow(
    expect.objectContaining({ code: 'DATA_UNUSABLE' }),
  );
  const [byFile, byFolder] = [join(folder, 'file.sqlite'), join(folder, 'linked', 'kb.sqlite')];
  backUp(dataFile, copy, false);
  for (const [from, to] of [
    [byFile, dataFile],
    [dataFile, byFile],
    [byFolder, dataFile],
    [dataFile, byFolder],
    [dataFile, `${byFolder}-wal`],
  ] as const) {
    for (const act of [backUp, restore])
      expect(() => act(from, to, true)).toThrow(expect.objectContaining({ code: 'TARGET_EXISTS' }));
  }
  expect(readdirSync(other.folder).filter((name) => name.includes('partial'))).toEqual([]);
  expect((await call('/article')).json.articles).toHaveLength(1);
});

it('a list never gets an ETag from before a restore', async () => {
  const { dataFile, copy, call } = await startWithArticle();
  backUp(dataFile, copy, false);
  const post = { method: 'POST', body: { title: 'Later' } };
  await call('/article', post);
  const { etag = '' } = (await call('/article')).headers;
  const restored = join(makeFolder(), 'kb.sqlite');
  restore(copy, restored, false);
  const service = await startTestService({ data: restored });
  await service.call('/article', post);
  expect((await service.call('/article', { headers: { 'if-none-match': etag } })).status).toBe(200);
});
