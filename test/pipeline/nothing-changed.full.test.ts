import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type Libsql from 'libsql';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { LecternError } from '../../src/core/errors.ts';
import type { BuildReport } from '../../src/core/report.ts';
import type { BuildOptions } from '../../src/pipeline/build-options.ts';
import type { BuildRecord } from '../../src/pipeline/build-record.ts';
import { databaseFile, inDatabase } from '../support/build-database.ts';
import { hashTree } from '../support/hash-tree.ts';
import { makePipe } from '../support/make-pipe.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { inSnapshot, snapshotFile } from '../support/snapshot.ts';

const articles = [
  { id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title: 'One', body: '<p>First.</p>' } } },
  { id: 'bbbbbbbbbb', categoryId: null, texts: { en: { title: 'Two', body: '<a href="/article/x">?</a>' } } },
];
let project: OfflineProject;

beforeEach(async () => {
  project = createOfflineProject();
  await project.write(articles, []);
});

/** The output folder itself is another one after a swap. */
const outputInode = async () => (await stat(project.out)).ino;
const page = () => join(project.out, 'en/article/aaaaaaaaaa-one/index.html');
const database = () => databaseFile(project.cache);

describe('a run after a run of the same', () => {
  it('does not change the output and reports the same', async () => {
    const first = await project.build();
    const inode = await outputInode();
    const second = await project.build();
    expect(await outputInode()).toBe(inode);
    expect(second).toEqual({ ...first, changes: 0, renderedPages: 0 });
    expect(second.problems.length).toBeGreaterThan(0);
  });

  it('does not change the output if a fetch found nothing new, but does if another article is the most viewed', async () => {
    const write = (listedAtMs: number, ...top: readonly string[]) =>
      project.write(articles, [], { topArticles: new Map([['en', top]]), listedAtMs });
    await write(1, 'aaaaaaaaaa', 'bbbbbbbbbb');
    await project.build();
    const inode = await outputInode();
    await write(2, 'aaaaaaaaaa', 'bbbbbbbbbb');
    expect((await project.build()).renderedPages).toBe(0);
    expect(await outputInode()).toBe(inode);
    await write(3, 'bbbbbbbbbb', 'aaaaaaaaaa');
    await project.build();
    expect(await outputInode()).not.toBe(inode);
  });

  describe.each<[string, (path: string) => Promise<unknown>]>([
    ['a pipe', makePipe],
    ['a folder', (path) => mkdir(path)],
  ])('never waits for %s', (_what, make) => {
    const replace = async (path: string) => {
      await rm(path);
      await make(path);
    };

    it.each(['en/article/aaaaaaaaaa-one/index.html', 'feed/manifest.json', 'output-files.txt'])(
      'in place of %s, and restores the file or reports the error',
      async (path) => {
        await project.build();
        const before = await readFile(join(project.out, 'en/index.html'));
        await replace(join(project.out, path));
        const failure = await project.build().then(
          () => null,
          (error: unknown) => error,
        );
        if (failure !== null) expect(failure).toBeInstanceOf(LecternError);
        else expect((await stat(join(project.out, path))).isFile()).toBe(true);
        expect(await readFile(join(project.out, 'en/index.html'))).toEqual(before);
      },
    );

    it('instead of documents of the feed, which the database knows, and restores them', async () => {
      await project.build();
      const path = join(project.out, 'feed/en/documents.jsonl');
      const before = await readFile(path);
      await replace(path);
      expect((await project.build()).changes).toBe(0);
      expect(await readFile(path)).toEqual(before);
    });

    it('instead of documents or changes of the feed that nothing else knows', async () => {
      // With so many, one less is no reason to publish no changes.
      const more = ['c', 'd', 'e'].map((letter) => ({
        id: letter.repeat(10),
        categoryId: null,
        texts: { en: { title: letter.toUpperCase(), body: '<p>More.</p>' } },
      }));
      await project.write([...articles, ...more], []);
      await project.build();
      await project.write([...articles.slice(1), ...more], []);
      await project.build({}, { allowMassDelete: true });
      await rm(database());
      const changes = (await readdir(join(project.out, 'feed/changes'))).at(-1);
      for (const name of ['en/documents.jsonl', 'en/chunks.jsonl', `changes/${changes}`]) {
        const path = join(project.out, 'feed', name);
        const content = await readFile(path);
        await replace(path);
        await project.write([...articles, ...more], []);
        await expect(project.build()).rejects.toMatchObject({ code: 'FEED_PREVIOUS_INVALID' });
        await rm(path, { recursive: true });
        await writeFile(path, content);
      }
    });
  });

  it('still fails a strict run on the warnings it remembers', async () => {
    await project.build();
    await expect(project.build({}, { strict: true })).rejects.toMatchObject({ code: 'STRICT' });
  });

  it('restores what someone changed or deleted in the output', async () => {
    await project.build();
    const before = await readFile(page(), 'utf8');
    await writeFile(page(), 'changed');
    await project.build();
    expect(await readFile(page(), 'utf8')).toBe(before);
    await rm(page());
    await project.build();
    expect(await readFile(page(), 'utf8')).toBe(before);
  });

  it.each([
    ['the knowledge base', () => project.write(articles.slice(0, 1), [])],
    ['a template', () => writeTemplate('hooks/footer-end.eta')],
    ['an interface text', () => writeTemplate('locales/en.json', '{"search":"Find"}')],
  ])('builds anew when %s changed', async (_what, change) => {
    await project.build();
    const inode = await outputInode();
    await change();
    await project.build();
    expect(await outputInode()).not.toBe(inode);
  });

  it('rebuilds with another configuration or another version of the program', async () => {
    await project.build();
    const first = await outputInode();
    await project.build({ site: { title: 'Other' } });
    const second = await outputInode();
    await project.build({ site: { title: 'Other' } }, { generator: 'lectern next' });
    // The first folder is gone by now, and its inode may have been given away again.
    expect(second).not.toBe(first);
    expect(await outputInode()).not.toBe(second);
  });

  it.each<[string, () => unknown]>([
    ['is not a database', () => writeFile(database(), 'not a database')],
    ['is of another version', () => inDatabase(project.cache, (db) => db.exec('PRAGMA user_version = 999'))],
    [
      'has no record of it',
      () => inDatabase(project.cache, (db) => db.exec("DELETE FROM value WHERE name = 'run'")),
    ],
    ['has a damaged record of it', () => changeValue('run', (value) => value.replace(':1', ':2'))],
    ['has a damaged record of a file', () => changeValue('files', (value) => value.toUpperCase())],
  ])('builds anew when the database of the last build %s', async (_what, damage) => {
    await project.build();
    const inode = await outputInode();
    const before = await hashTree(project.out);
    await damage();
    expect((await project.build()).renderedPages).toBe(articles.length);
    expect(await outputInode()).not.toBe(inode);
    expect(await hashTree(project.out)).toEqual(before);
  });

  it('recognises a record after cache and output were moved together', async () => {
    await project.build();
    const inode = await outputInode();
    const moved = `${project.folder}-moved`;
    await rename(project.folder, moved);
    try {
      const report = await project.build({}, { folder: moved });
      expect(report.out).toBe(join(moved, 'dist'));
      expect((await stat(join(moved, 'dist'))).ino).toBe(inode);
    } finally {
      await rename(moved, project.folder);
    }
  });
});

async function writeTemplate(name: string, text = '<p>Hello</p>'): Promise<void> {
  const file = join(project.folder, 'templates', name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
}

describe('an offline run that the database of the last build answers', () => {
  /** The report of a run that finds everything unchanged; `null` if it makes something, or fails because it has to read more. */
  const recall = async (config: Partial<UserConfig> = {}, options: Partial<BuildOptions> = {}) => {
    let isUpToDate = false;
    const onUpToDate = () => {
      isUpToDate = true;
    };
    try {
      const report = await project.build(config, { ...options, onUpToDate });
      return isUpToDate ? report : null;
    } catch (error) {
      if (isUpToDate) throw error;
      expect(error).toBeInstanceOf(LecternError);
      return null;
    }
  };
  let first: BuildReport;
  beforeEach(async () => {
    first = await project.build();
  });

  it('reports what a build would report, and touches nothing', async () => {
    const told: BuildReport[] = [];
    const seen = await readFile(database());
    const onReport = async (report: BuildReport) => void told.push(report);
    const report = await recall({}, { onReport });
    expect(report).toEqual({ ...first, changes: 0, renderedPages: 0 });
    expect(report).toEqual(await project.build());
    expect(told).toEqual([report]);
    expect(await readFile(database())).toEqual(seen);
    expect(await readdir(project.folder)).toEqual(['.lectern', 'dist']);
  });

  it('still fails if it is strict and there are warnings', async () => {
    await expect(recall({}, { strict: true })).rejects.toMatchObject({ code: 'STRICT' });
  });

  it('reports that no file changed, if asked to compare', async () => {
    const none = { added: [], changed: [], removed: [] };
    expect((await recall({}, { compareFiles: true }))?.changedFiles).toEqual(none);
  });

  it('is the same when the folder times of the output did not survive a copy', async () => {
    await utimes(join(project.out, 'en'), 1, 1);
    expect(await recall()).toEqual({ ...first, changes: 0, renderedPages: 0 });
  });

  it.each([
    ['a page was edited', () => writeFile(page(), 'changed')],
    ['a page was edited to as many bytes', () => writeSameSize(page())],
    ['a page was deleted', () => rm(page())],
    ['a page was renamed', () => rename(page(), `${page()}l`)],
    ['a file was added', () => writeFile(join(project.out, 'en/more.html'), 'more')],
    ['an empty file was added at the top', () => writeFile(join(project.out, 'more'), '')],
    ['a folder with a file was added', () => writeNested(join(project.out, 'en/more/page.html'))],
    ['a folder was deleted', () => rm(join(page(), '..'), { recursive: true })],
    ['the output was deleted', () => rm(project.out, { recursive: true })],
    ['a template was added', () => writeTemplate('hooks/footer-end.eta')],
    ['an interface text was added', () => writeTemplate('locales/en.json', '{"search":"Find"}')],
    ['the knowledge base changed', () => project.write(articles.slice(0, 1), [])],
    ['the snapshot is gone', () => rm(snapshotFile(project.cache))],
    [
      'the snapshot is damaged',
      () =>
        inSnapshot(project.cache, (db) =>
          db.exec(`UPDATE block SET lines = CAST(replace(CAST(lines AS TEXT), 'One', 'Two') AS BLOB)`),
        ),
    ],
    [
      'the checksum of the snapshot is damaged',
      () => inSnapshot(project.cache, (db) => db.exec('UPDATE snapshot SET sha256 = upper(sha256)')),
    ],
    ['the database is gone', () => rm(database())],
    ['the database is not one', () => writeFile(database(), 'not a database')],
    [
      'the database is of another version',
      () => inDatabase(project.cache, (db) => db.exec('PRAGMA user_version = 999')),
    ],
    ['the index of copied files changed', () => writeNested(join(project.cache, 'media/index.json'))],
  ])('makes the output when %s', async (_what, change) => {
    await change();
    expect(await recall()).toBeNull();
  });

  it('makes the output with another configuration or program, or over the network', async () => {
    expect(await recall({ site: { title: 'Other' } })).toBeNull();
    expect(await recall({ out: 'public' })).toBeNull();
    expect(await recall({ defaultLanguage: 'de' })).toBeNull();
    expect(await recall({}, { generator: 'lectern next' })).toBeNull();
    expect(await recall({}, { offline: false })).toBeNull();
  });

  it('answers after a fetch that found nothing new, and reports what that fetch saw', async () => {
    await project.write(articles, [], { listedAtMs: 1, listed: 7 });
    expect(await recall()).toEqual({ ...first, changes: 0, renderedPages: 0, seen: 7 });
  });

  it('makes the output when another program made the output', async () => {
    changeRecord({ settings: 'those of another program' });
    expect(await recall()).toBeNull();
  });
});

async function writeSameSize(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('First', 'Worst'));
}

async function writeNested(file: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, '{}');
}

function changeRecord(fields: Partial<BuildRecord>): void {
  inDatabase(project.cache, (db) => {
    const record = JSON.parse(readValue(db, 'run')) as BuildRecord;
    const changed = JSON.stringify({ ...record, ...fields });
    db.prepare("UPDATE value SET value = ?, value_crc = ? WHERE name = 'run'").run(changed, crc32(changed));
  });
}

/** Changes a value, but not its checksum. */
function changeValue(name: string, change: (value: string) => string): void {
  inDatabase(project.cache, (db) =>
    db.prepare('UPDATE value SET value = ? WHERE name = ?').run(change(readValue(db, name)), name),
  );
}

function readValue(db: Libsql.Database, name: string): string {
  const row = db.prepare('SELECT value FROM value WHERE name = ?').get(name) as { readonly value: string };
  return row.value;
}
