import { spawnSync } from 'node:child_process';
import { cp, mkdir, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSnapshot } from '../../../src/source/snapshot/open-snapshot.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { damageBody, inSnapshot, snapshotFile } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readFolder, startFetching } from '../support/fetching.ts';
import { errorOf } from '../support/open-http.ts';
import { articleRecord, articleRecords } from '../support/records.ts';

async function snapshotOf(count: number) {
  const fetching = await startFetching({ articles: articleRecords(count) });
  const source = await fetching.fetch();
  const { cache } = fetching.settings;
  return { ...fetching, source, cache, file: snapshotFile(cache) };
}

async function replaceBy(path: string, make: () => Promise<unknown>): Promise<void> {
  await rm(path);
  await make();
}

/** Runs statements in the database of a snapshot. */
const change = (statements: string) => (_file: string, cache: string) =>
  inSnapshot(cache, (database) => database.exec(statements));

/** Overwrites a part of a file with noise. */
async function scratch(file: string, from: number, to: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(Math.max(1, to - from), 0xa5), 0, Math.max(1, to - from), from);
  await handle.close();
}

/** Ways in which a snapshot can be damaged, and how `--offline` refuses it. */
const damages: Readonly<
  Record<string, readonly [damage: (file: string, cache: string) => unknown, code: string]>
> = {
  'that is missing': [(file) => rm(file), 'SNAPSHOT_MISSING'],
  'that is empty': [(file) => truncate(file), 'SNAPSHOT_UNUSABLE'],
  'that is cut off at its start': [(file) => truncate(file, 700), 'SNAPSHOT_UNUSABLE'],
  'that is cut off': [(file) => truncate(file, 20_000), 'SNAPSHOT_UNUSABLE'],
  'that is overwritten in the middle': [
    async (file) => scratch(file, 17_000, (await stat(file)).size),
    'SNAPSHOT_UNUSABLE',
  ],
  'whose records have one other letter': [
    change("UPDATE block SET lines = CAST(replace(CAST(lines AS TEXT), 'Title of', 'Tittle of') AS BLOB)"),
    'SNAPSHOT_UNUSABLE',
  ],
  'that lost its records': [change('DELETE FROM block'), 'SNAPSHOT_UNUSABLE'],
  'whose header is changed': [
    change('UPDATE snapshot SET header = replace(header, \'"listed":6\', \'"listed":5\')'),
    'SNAPSHOT_UNUSABLE',
  ],
  'that lost a table': [change('DROP TABLE block'), 'SNAPSHOT_UNUSABLE'],
  'that is something else': [(file) => writeFile(file, '{"name":"x"}\n{}\n'), 'SNAPSHOT_UNUSABLE'],
  'that is binary': [(file) => writeFile(file, Buffer.alloc(3000, 0xff)), 'SNAPSHOT_UNUSABLE'],
  'that was never completed': [change('DELETE FROM snapshot'), 'SNAPSHOT_MISSING'],
  'that is of another version': [change('PRAGMA user_version = 999'), 'SNAPSHOT_UNUSABLE'],
  'that is a folder': [(file) => replaceBy(file, () => mkdir(file)), 'SNAPSHOT_UNUSABLE'],
  'that is a pipe': [(file) => replaceBy(file, () => makePipe(file)), 'SNAPSHOT_UNUSABLE'],
};

describe('a snapshot', () => {
  test.each(Object.entries(damages))(
    '%s is refused offline and made anew online',
    async (_name, [damage, code]) => {
      const { settings, source, file, cache, fetch } = await snapshotOf(6);
      await source.close();
      await damage(file, cache);
      expect((await errorOf(openSnapshot(settings))).code).toBe(code);
      const again = await fetch();
      expect(again.stats).toMatchObject({ mode: 'full', published: 6 });
      const isReported = again.problems.some((problem) => problem.code === 'SNAPSHOT_DISCARDED');
      expect(isReported).toBe(code !== 'SNAPSHOT_MISSING');
      const reopened = await openSnapshot(settings);
      await reopened.close();
    },
  );

  test('whose bodies are damaged is made anew online, and its damage is reported', async () => {
    const { settings, source, fetch } = await snapshotOf(6);
    await source.close();
    inSnapshot(settings.cache, (database) => {
      database.exec(
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 999 WHERE name = 'body'",
      );
    });
    const again = await fetch();
    expect(again.problems.map(({ code }) => code)).toEqual(['SNAPSHOT_DISCARDED']);
    expect((await again.readBodies('a000000001')).get('en')).toBe('<p>Body of a000000001</p>');
  });

  test('with a damaged body names its article', async () => {
    const { settings } = await snapshotOf(3);
    damageBody(settings.cache, 'Body of a000000000');
    const source = await openSnapshot(settings);
    onTestFinished(() => source.close());
    await expect(source.readBodies('a000000000')).rejects.toMatchObject({
      code: 'SNAPSHOT_UNUSABLE',
      message: expect.stringContaining('a000000000'),
    });
    expect((await source.readBodies('a000000001')).size).toBe(1);
  });

  test('works in another folder, as a cache restored on another machine does', async () => {
    const { settings, cache, source } = await snapshotOf(3);
    const elsewhere = temporaryFolder();
    await cp(cache, elsewhere, { recursive: true });
    await rm(cache, { recursive: true });
    const moved = await openSnapshot({ ...settings, cache: elsewhere });
    onTestFinished(() => moved.close());
    expect(moved.knowledgeBase).toStrictEqual(source.knowledgeBase);
    expect((await moved.readBodies('a000000001')).size).toBe(1);
  });

  test('has plain articles, which can be copied and compared', async () => {
    const { settings, source } = await snapshotOf(5);
    const opened = await openSnapshot(settings);
    onTestFinished(() => opened.close());
    const { articles } = opened.knowledgeBase;
    expect(structuredClone(articles)).toStrictEqual(articles);
    expect(articles.map((article) => ({ ...article }))).toStrictEqual(source.knowledgeBase.articles);
  });

  test('of another URL or default language is refused', async () => {
    const { settings } = await snapshotOf(1);
    expect((await errorOf(openSnapshot({ ...settings, identity: 'https://other.example/v1' }))).code).toBe(
      'SNAPSHOT_UNUSABLE',
    );
    expect((await errorOf(openSnapshot({ ...settings, defaultLanguage: 'de' }))).code).toBe(
      'SNAPSHOT_UNUSABLE',
    );
    const unknown = await openSnapshot({ ...settings, identity: null });
    await unknown.close();
  });

  test('that does not exist fails with a hint how to create one', async () => {
    const settings = { cache: '/nowhere/at/all', identity: null, defaultLanguage: 'en', languages: null };
    expect(await errorOf(openSnapshot(settings))).toMatchInlineSnapshot(`
      {
        "code": "SNAPSHOT_MISSING",
        "hint": "run lectern build without --offline to create a new snapshot",
        "message": "the snapshot in /nowhere/at/all does not exist",
      }
    `);
  });

  test('cannot be written if the cache folder is a file', async () => {
    const { fetch } = await startFetching({ articles: articleRecords(1) });
    const file = join(temporaryFolder(), 'file');
    await writeFile(file, '');
    expect((await errorOf(fetch({ cache: file }))).code).toBe('CACHE_UNUSABLE');
  });

  test('has nothing left of a text that was withdrawn', async () => {
    const { source, file, fetch, served } = await snapshotOf(3);
    await source.close();
    const text = async () => (await readFile(file, 'latin1')).includes('Body of a000000002');
    expect(await text()).toBe(true);
    served.articles = [...articleRecords(2), articleRecord('a000000002', { is_published: false })];
    await (await fetch()).close();
    expect(await text()).toBe(false);
  });

  test('is the last one after a run that failed', async () => {
    const { settings, fetch, served } = await snapshotOf(3);
    served.articles = [];
    await expect(fetch()).rejects.toMatchObject({ code: 'NOTHING_TO_PUBLISH' });
    const source = await openSnapshot(settings);
    onTestFinished(() => source.close());
    expect((await source.readBodies('a000000002')).get('en')).toBe('<p>Body of a000000002</p>');
  });

  test('is the last one after a run that was killed, whose bodies are gone after the next run', async () => {
    const { settings, source, cache, fetch } = await snapshotOf(3);
    await source.close();
    const writer = new URL('../../../lib/source/snapshot/snapshot-file.js', import.meta.url).href;
    // More than is kept in memory, so that a part of it is on the disk.
    const script = `const { store } = await (await import(${JSON.stringify(writer)})).beginSnapshot(${JSON.stringify(cache)});
      for (let n = 0; n < 80; n += 1) {
        const translations = [{ language: 'en', bodyHash: String(n) }];
        store.put({ translations }, new Map([['en', n + ' never published'.repeat(40_000)]]));
      }
      process.kill(process.pid, 'SIGKILL');`;
    const killed = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
    expect(killed.signal).toBe('SIGKILL');
    const isLeft = async () =>
      Object.values(await readFolder(cache)).some((text) => text.includes('never published'));
    expect(await isLeft()).toBe(true);
    const last = await openSnapshot(settings);
    expect(last.knowledgeBase).toStrictEqual(source.knowledgeBase);
    expect((await last.readBodies('a000000001')).size).toBe(1);
    await last.close();
    await (await fetch()).close();
    expect(await isLeft()).toBe(false);
  });

  test('of one of two runs at the same time is whole afterwards', async () => {
    const { fetch, settings } = await startFetching({ articles: articleRecords(5) });
    await fetch();
    await Promise.all([fetch(), fetch(), fetch(), fetch()]);
    const source = await openSnapshot(settings);
    onTestFinished(() => source.close());
    const bodies = await Promise.all(source.knowledgeBase.articles.map(({ id }) => source.readBodies(id)));
    expect(bodies.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
  });

  test('can be read while the next one replaces it', async () => {
    const { source, fetch, served } = await snapshotOf(2);
    served.articles = articleRecords(3);
    await fetch();
    expect((await source.readBodies('a000000001')).get('en')).toBe('<p>Body of a000000001</p>');
  });

  test('does not contain the key', async () => {
    const { cache } = await snapshotOf(2);
    const content = Object.values(await readFolder(cache)).join();
    expect(content).toContain('Body of a000000001');
    expect(content).not.toContain('secret-key');
  });
});
