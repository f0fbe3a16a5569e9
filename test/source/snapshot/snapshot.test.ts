import { appendFile, cp, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { indexFile } from '../../../src/source/snapshot/format.ts';
import { openSnapshot } from '../../../src/source/snapshot/open-snapshot.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { temporaryFolder } from '../support/fetch-settings.ts';
import { readFolder, startFetching } from '../support/fetching.ts';
import { errorOf } from '../support/open-http.ts';
import { articleRecords } from '../support/records.ts';

async function snapshotOf(count: number) {
  const fetching = await startFetching({ articles: articleRecords(count) });
  const source = await fetching.fetch();
  const { cache } = fetching.settings;
  const bodies = (await readdir(cache)).find((name) => name.endsWith('.bodies')) as string;
  return { ...fetching, source, cache, index: join(cache, indexFile), bodies: join(cache, bodies) };
}

async function replaceBy(path: string, make: () => Promise<unknown>): Promise<void> {
  await rm(path);
  await make();
}

/** Ways in which a snapshot can be damaged, and how `--offline` refuses it. */
const damages: Readonly<
  Record<string, readonly [damage: (index: string, bodies: string) => Promise<void>, code: string]>
> = {
  'whose index is missing': [(index) => rm(index), 'SNAPSHOT_MISSING'],
  'whose index is empty': [(index) => truncate(index), 'SNAPSHOT_CORRUPT'],
  'whose index is cut off': [(index) => truncate(index, 700), 'SNAPSHOT_CORRUPT'],
  'whose index lost its last line end': [
    async (index) => truncate(index, (await readFile(index)).length - 1),
    'SNAPSHOT_CORRUPT',
  ],
  'whose index has one other letter': [
    async (index) => writeFile(index, (await readFile(index, 'utf8')).replace('Title of', 'Tittle of')),
    'SNAPSHOT_CORRUPT',
  ],
  'whose index has a line too many': [
    (index) => appendFile(index, '{"x":["a","draft"]}\n'),
    'SNAPSHOT_CORRUPT',
  ],
  'whose index is something else': [(index) => writeFile(index, '{"name":"x"}\n{}\n'), 'SNAPSHOT_CORRUPT'],
  'whose index is binary': [(index) => writeFile(index, Buffer.alloc(3000, 0xff)), 'SNAPSHOT_CORRUPT'],
  'whose index is null': [(index) => writeFile(index, 'null\nnull\nnull\n'), 'SNAPSHOT_CORRUPT'],
  'whose index is of another version': [
    async (index) => writeFile(index, (await readFile(index, 'utf8')).replace('"version":', '"version":9')),
    'SNAPSHOT_OLD',
  ],
  'whose index names a file elsewhere': [
    async (index) =>
      writeFile(index, (await readFile(index, 'utf8')).replace(/snapshot-\w+\.bodies/, '../secret')),
    'SNAPSHOT_CORRUPT',
  ],
  'whose index is a folder': [async (index) => replaceBy(index, () => mkdir(index)), 'SNAPSHOT_CORRUPT'],
  'whose index is a pipe': [async (index) => replaceBy(index, () => makePipe(index)), 'SNAPSHOT_CORRUPT'],
  'whose bodies are a pipe': [
    (_index, bodies) => replaceBy(bodies, () => makePipe(bodies)),
    'SNAPSHOT_CORRUPT',
  ],
  'whose bodies are missing': [(_index, bodies) => rm(bodies), 'SNAPSHOT_CORRUPT'],
  'whose bodies are cut off': [(_index, bodies) => truncate(bodies, 5), 'SNAPSHOT_CORRUPT'],
};

describe('a snapshot', () => {
  test.each(Object.entries(damages))(
    '%s is refused offline and made anew online',
    async (_name, [damage, code]) => {
      const { settings, index, bodies, fetch } = await snapshotOf(6);
      await damage(index, bodies);
      expect((await errorOf(openSnapshot(settings))).code).toBe(code);
      const again = await fetch();
      expect(again.stats).toMatchObject({ mode: 'full', published: 6 });
      const isReported = again.problems.some((problem) => problem.code === 'SNAPSHOT_DISCARDED');
      expect(isReported).toBe(code !== 'SNAPSHOT_MISSING');
      const reopened = await openSnapshot(settings);
      await reopened.close();
    },
  );

  test('with a damaged body names its article', async () => {
    const { settings, bodies } = await snapshotOf(3);
    const bytes = await readFile(bodies);
    bytes[3] = (bytes[3] as number) ^ 1;
    await writeFile(bodies, bytes);
    const source = await openSnapshot(settings);
    onTestFinished(() => source.close());
    await expect(source.readBodies('a000000000')).rejects.toMatchObject({
      code: 'SNAPSHOT_CORRUPT',
      message: expect.stringContaining('a000000000'),
    });
    expect((await source.readBodies('a000000001')).size).toBe(1);
  });

  test('works in another folder, as a cache restored on another machine does', async () => {
    const { settings, cache, source } = await snapshotOf(3);
    const elsewhere = await temporaryFolder();
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
      'SNAPSHOT_FOREIGN',
    );
    expect((await errorOf(openSnapshot({ ...settings, defaultLanguage: 'de' }))).code).toBe(
      'SNAPSHOT_FOREIGN',
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
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    expect((await errorOf(fetch({ cache: file }))).code).toBe('CACHE_UNWRITABLE');
  });

  test('removes files of killed runs, but not of running ones', async () => {
    const { cache, fetch } = await snapshotOf(1);
    const deadProcess = 2 ** 22 + 1;
    await writeFile(join(cache, `snapshot-0123456789abcdef.bodies.${deadProcess}.partial`), '');
    await writeFile(join(cache, `snapshot-fedcba9876543210.bodies.${process.pid}.partial`), '');
    await writeFile(join(cache, `snapshot-00000000ffffffff.jsonl.${process.pid}.partial`), '');
    await utimes(join(cache, `snapshot-00000000ffffffff.jsonl.${process.pid}.partial`), 0, 0);
    await writeFile(join(cache, 'something-else.json'), '{}');
    await mkdir(join(cache, 'snapshot-0000000000000000.bodies'));
    await utimes(join(cache, 'snapshot-0000000000000000.bodies'), 0, 0);
    await fetch();
    expect(
      Object.keys(await readFolder(cache)).filter((name) => !/\.bodies$|^snapshot\.jsonl$/.test(name)),
    ).toEqual([`snapshot-fedcba9876543210.bodies.${process.pid}.partial`, 'something-else.json']);
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
