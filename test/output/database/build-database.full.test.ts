import { execFile } from 'node:child_process';
import { closeSync, cpSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BuildDatabase, openBuildDatabase } from '../../../src/output/database/build-database.ts';
import { databaseFile, inDatabase } from '../../support/build-database.ts';
import { hashTree } from '../../support/hash-tree.ts';
import { canMount, mountDisk, unmountDisk } from '../../support/mounted-disk.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../../support/offline-project.ts';
import { collectGarbage } from '../../support/open-files.ts';

const words = 'account alias backup billing browser calendar domain email filter folder invoice label'.split(
  ' ',
);

/** A text without repetition that a compressor could use beyond its words; the same for the same seed. */
function text(seed: number, length: number): string {
  let state = seed * 7919 + 1;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return Array.from({ length }, () => `${words[next() % words.length]}${next() % 1000}`).join(' ');
}

interface Corpus {
  readonly articles: number;
  readonly wordsPerBody: number;
  readonly languages: readonly string[];
}

/** What was written last: the same text is the same snapshot. */
let written = '';

function write(project: OfflineProject, corpus: Corpus, edited = -1) {
  const { articles, wordsPerBody, languages } = corpus;
  written = JSON.stringify([corpus, edited]);
  const all = Array.from({ length: articles }, (_, at): WrittenArticle => {
    const seed = at === edited ? at + 100_000 : at;
    const texts = languages.map((language, offset) => {
      const section = (part: number) =>
        `<h2>Part ${part}</h2><p>${text(seed * 31 + offset * 7 + part, wordsPerBody / 4)}</p>`;
      return [
        language,
        {
          title: `Title ${at}`,
          body: `<p><a href="/article/none">${at}</a></p>${[1, 2, 3, 4].map(section).join('')}`,
        },
      ] as const;
    });
    return {
      id: `article${String(at).padStart(3, '0')}`,
      categoryId: null,
      texts: Object.fromEntries(texts),
    };
  });
  return project.write(all, []);
}

const small: Corpus = { articles: 30, wordsPerBody: 400, languages: ['en'] };

let project: OfflineProject;
beforeEach(() => {
  project = createOfflineProject();
});

const tables = ['value', 'facts', 'rendered'];

/** All rows. */
const dump = () =>
  inDatabase(project.cache, (database) =>
    tables.map((table) => database.prepare(`SELECT * FROM ${table}`).raw().all()),
  );

const firstOutputs = new Map<string, object>();

/** The output of a first build of what is in the snapshot, except the feed's history. It is made once for each snapshot. */
async function firstOutput(): Promise<object> {
  const made = firstOutputs.get(written);
  if (made !== undefined) return made;
  const [out, cache] = ['first', '.first'];
  const copied = join(project.folder, cache);
  cpSync(project.cache, copied, {
    recursive: true,
    filter: (path) => path === project.cache || /snapshot/.test(path.slice(project.cache.length)),
  });
  await project.build({ out, cache });
  const tree = await sitePages(join(project.folder, out));
  for (const name of [out, cache]) await rm(join(project.folder, name), { recursive: true });
  firstOutputs.set(written, tree);
  return tree;
}

/** Everything but files that depend on earlier runs. */
async function sitePages(folder: string): Promise<object> {
  const files = Object.entries(await hashTree(folder));
  const isHistory = /^feed\/(?:changes\/|manifest|.*\/documents)|^output-files|^addresses|^_redirects/;
  return Object.fromEntries(files.filter(([path]) => !isHistory.test(path)));
}

async function expectRight(): Promise<void> {
  expect(await sitePages(project.out)).toEqual(await firstOutput());
}

describe('the build database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(project.folder, 'cache');
  });

  const row = { id: 'a', key: 'key', details: '{"links":[]}' };

  async function use<T>(act: (database: BuildDatabase) => T): Promise<T> {
    const database = await openBuildDatabase(folder);
    try {
      return act(database);
    } finally {
      database.close();
    }
  }

  it('is created empty, in a folder that need not exist', async () => {
    const found = await use((database) => [
      database.readValue('run'),
      database.readValue('published'),
      database.readFacts(),
      database.readAllRendered(),
    ]);
    expect(found).toEqual([null, null, [], []]);
  });

  it('holds what a build committed, and nothing of one that did not commit', async () => {
    await use((database) => {
      database.begin();
      database.writeRendered(row);
      for (const [number, facts] of ['one', 'two', 'three'].entries()) database.writeFacts(number, facts);
      database.writeValue('run', '{"a":1}');
      database.commit();
      database.writeValue('published', '{"seq":1}');
    });
    await use((database) => {
      database.begin();
      database.writeValue('run', '{"a":2}');
      database.writeRendered({ ...row, key: 'other' });
      database.removeRendered('a');
      database.writeFacts(0, 'other');
      database.removeFacts(1);
    });
    await use((database) => {
      expect(database.readValue('run')).toBe('{"a":1}');
      expect(database.readValue('published')).toBe('{"seq":1}');
      expect(database.readFacts()).toEqual(['one', 'two', 'three']);
      expect(database.readAllRendered()).toEqual([row]);
      expect(database.readRendered('a')).toEqual(row);
      expect(() => database.readRendered('b')).toThrow('is damaged: nothing is stored for b');
    });
  });

  it('removes rows of facts that are not needed any more', async () => {
    await use((database) => {
      database.begin();
      for (const [number, facts] of ['one', 'two', 'three'].entries()) database.writeFacts(number, facts);
      database.writeFacts(1, 'other');
      database.removeFacts(2);
      database.commit();
    });
    await use((database) => expect(database.readFacts()).toEqual(['one', 'other']));
  });

  it('removes the row of an article that is gone', async () => {
    for (const isThere of [true, false]) {
      await use((database) => {
        database.begin();
        if (isThere) database.writeRendered(row);
        else database.removeRendered('a');
        database.commit();
      });
    }
    const rows = inDatabase(folder, (database) => database.prepare('SELECT * FROM rendered').all());
    expect(rows).toEqual([]);
  });

  it.each([
    ['facts', 'facts', (database: BuildDatabase) => database.readFacts()],
    ['details', 'rendered', (database: BuildDatabase) => database.readAllRendered()],
    ['details', 'rendered', (database: BuildDatabase) => database.readRendered('a')],
    ['value', 'value', (database: BuildDatabase) => database.readValue('run')],
  ])('finds a changed value: %s', async (column, table, read) => {
    await use((database) => {
      database.begin();
      database.writeRendered(row);
      database.writeFacts(0, 'one');
      database.writeValue('run', '{"a":1}');
      database.commit();
    });
    inDatabase(folder, (database) => database.exec(`UPDATE ${table} SET ${column} = ${column} || 'x'`));
    await use((database) => expect(() => read(database)).toThrow('is damaged'));
  });

  it('is one clear error on a platform without a program of the driver', async () => {
    const hook = `import Module from 'node:module';
    const load = Module._load;
    Module._load = (name, ...rest) => {
      if (name === 'libsql') throw new Error('no such program');
      return load(name, ...rest);
    };`;
    const url = `data:text/javascript,${encodeURIComponent(hook)}`;
    const program = fileURLToPath(new URL('../../../lib/output/database/build-database.js', import.meta.url));
    const script = `const { openBuildDatabase } = await import(${JSON.stringify(program)});
      await openBuildDatabase(${JSON.stringify(folder)}).catch((error) => console.log(error.code, error.message));`;
    const args = ['--import', url, '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe(
      `DRIVER_MISSING the SQLite driver does not run on ${process.platform} ${process.arch}: no such program\n`,
    );
  });
});

describe('a build whose database', () => {
  const file = () => databaseFile(project.cache);

  it.each<[string, () => unknown]>([
    ['is gone', () => rm(file())],
    ['is empty', () => truncate(file())],
    ['is cut', () => truncate(file(), Math.floor(statSync(file()).size / 2))],
    ['is a text', () => writeFile(file(), 'Dear diary,\n'.repeat(1000))],
    [
      'is noise',
      () =>
        writeFile(
          file(),
          Buffer.from(text(1, 2000)).map((byte) => byte * 37),
        ),
    ],
    [
      'is that of another program',
      async () => {
        await rm(file());
        inDatabase(project.cache, (database) =>
          database.exec('CREATE TABLE run (id); PRAGMA user_version = 1'),
        );
      },
    ],
    [
      'is of another version',
      () => inDatabase(project.cache, (database) => database.exec('PRAGMA user_version = 999')),
    ],
    [
      'is a folder',
      async () => {
        await rm(file());
        await mkdir(join(file(), 'inside'), { recursive: true });
      },
    ],
    [
      'has a folder in place of its journal',
      async () => {
        await rm(`${file()}-journal`, { force: true });
        await mkdir(`${file()}-journal/inside`, { recursive: true });
      },
    ],
  ])('%s renders everything, and the next one reuses it', async (_what, damage) => {
    await write(project, small);
    await project.build();
    await damage();
    await write(project, small, 3);
    expect((await project.build()).renderedPages).toBe(small.articles);
    await expectRight();
    await write(project, small, 4);
    // The third article is as it was before.
    expect((await project.build()).renderedPages).toBe(2);
    await expectRight();
  });

  it('is damaged where only its end is read starts again, and succeeds', async () => {
    await write(project, small);
    await project.build();
    const pageBytes = 4096;
    const pages = statSync(file()).size / pageBytes;
    expect(pages).toBeGreaterThan(20);
    const descriptor = openSync(file(), 'r+');
    for (let page = Math.floor(pages / 2); page < pages; page += 2) {
      writeSync(descriptor, Buffer.alloc(pageBytes, 0xff), 0, pageBytes, page * pageBytes);
    }
    closeSync(descriptor);
    await write(project, small, 3);
    expect((await project.build()).renderedPages).toBe(small.articles);
    await expectRight();
  });

  it.each(['DELETE FROM facts', 'DELETE FROM rendered'])(
    'has lost rows starts again, and the feed tells of the edit alone: %s',
    async (sql) => {
      await write(project, small);
      await project.build();
      inDatabase(project.cache, (database) => database.exec(sql));
      await write(project, small, 3);
      const { renderedPages, changes } = await project.build();
      expect({ renderedPages, changes }).toEqual({ renderedPages: small.articles, changes: 1 });
      await expectRight();
    },
  );

  it('is in use by another program ends', async () => {
    await write(project, small);
    await project.build();
    const before = await hashTree(project.out);
    const other = new Libsql(file());
    other.exec('BEGIN EXCLUSIVE');
    try {
      await write(project, small, 3);
      await expect(project.build()).rejects.toMatchObject({ code: 'LOCKED' });
      expect(await hashTree(project.out)).toEqual(before);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    expect((await project.build()).renderedPages).toBe(1);
    await expectRight();
  });

  it('is that of the run before, because a run was killed after it replaced the output, renders everything', async () => {
    await write(project, small);
    await project.build();
    const before = await readFile(file());
    await write(project, small, 3);
    await project.build();
    await writeFile(file(), before);
    await write(project, small, 4);
    expect((await project.build()).renderedPages).toBe(small.articles);
    await expectRight();
  });

  it('was being written by a killed process is as before that', async () => {
    await write(project, small);
    await project.build();
    const before = dump();
    const driver = fileURLToPath(import.meta.resolve('libsql'));
    const script = `const { default: Driver } = await import(${JSON.stringify(driver)});
      const database = new Driver(${JSON.stringify(file())});
      database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = 1; BEGIN IMMEDIATE');
      database.exec("UPDATE rendered SET details = zeroblob(90000); DELETE FROM rendered; DELETE FROM facts; DELETE FROM value");
      process.kill(process.pid, 'SIGKILL');`;
    const child = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    await expect(child).rejects.toMatchObject({ signal: 'SIGKILL' });
    expect(statSync(`${file()}-journal`).size).toBeGreaterThan(0);
    await write(project, small, 3);
    expect((await project.build()).renderedPages).toBe(1);
    await expectRight();
    const counts = (rows: typeof before) => rows.slice(1).map((table) => table.length);
    expect(counts(dump())).toEqual(counts(before));
  });

  it('is as before when the build fails after it rendered', async () => {
    await write(project, small);
    await project.build();
    const [before, output] = [dump(), await hashTree(project.out)];
    await write(project, small, 3);
    // The first article links to a missing one.
    await expect(project.build({}, { strict: true })).rejects.toMatchObject({ code: 'STRICT' });
    expect(dump()).toEqual(before);
    expect(await hashTree(project.out)).toEqual(output);
    expect((await project.build()).renderedPages).toBe(1);
    await expectRight();
  });

  it('has no rows of articles and pages that are gone', async () => {
    await write(project, { ...small, languages: ['en', 'de'] });
    await project.build();
    const before = dump().map((rows) => rows.length);
    await write(project, { ...small, articles: 10 });
    await project.build();
    const after = dump().map((rows) => rows.length);
    expect(after.slice(1)).toEqual([1, 10]);
    expect(before.slice(1)).toEqual([1, 30]);
  });
});

describe('the size of the database', () => {
  it.each<[string, Corpus]>([
    ['few long articles', { articles: 20, wordsPerBody: 2000, languages: ['en'] }],
    ['many short articles', { articles: 100, wordsPerBody: 200, languages: ['en'] }],
    ['very long articles', { articles: 5, wordsPerBody: 10_000, languages: ['en'] }],
    [
      'articles in five languages',
      { articles: 30, wordsPerBody: 500, languages: ['en', 'de', 'es', 'fr', 'ja'] },
    ],
  ])('is at most three times the bodies and 6 KiB per page, also after edits: %s', async (_what, corpus) => {
    for (const edited of [-1, 0, 1, 2]) {
      await write(project, corpus, edited);
      await project.build();
    }
    const bodyBytes = (wordsPerBody: number) => text(1, wordsPerBody).length;
    const pages = corpus.articles * corpus.languages.length;
    const bodies = pages * bodyBytes(corpus.wordsPerBody);
    expect(statSync(databaseFile(project.cache)).size).toBeLessThan(3 * bodies + 6 * 1024 * pages);
  });
});

describe.skipIf(!canMount)(`a cache on a disk${canMount ? '' : ' (needs root)'}`, () => {
  let disk: string;
  beforeEach(async () => {
    disk = await mkdtemp(join(tmpdir(), 'lectern-database-'));
  });
  afterEach(async () => {
    await collectGarbage();
    unmountDisk(disk);
    await rm(disk, { recursive: true });
  });

  const filler = () => join(disk, 'filler');

  it.each<[string, () => void, () => void]>([
    ['that is read-only', () => mountDisk(disk, 'remount,ro'), () => mountDisk(disk, 'remount,rw')],
    ['that is full', () => fillDisk(filler()), () => rmSync(filler())],
  ])('%s ends the build, and leaves output and database as they were', async (_what, spoil, repair) => {
    mountDisk(disk, 'size=16m');
    const cache = join(disk, 'cache');
    await write(project, small);
    cpSync(project.cache, cache, { recursive: true });
    await project.build({ cache });
    const before = await hashTree(project.out);
    const database = await readFile(databaseFile(cache));
    await write(project, { ...small, articles: 90 });
    cpSync(project.cache, cache, { recursive: true });
    await collectGarbage();
    spoil();
    await expect(project.build({ cache })).rejects.toMatchObject({ code: 'CACHE_UNUSABLE' });
    expect(await hashTree(project.out)).toEqual(before);
    await collectGarbage();
    repair();
    expect(await readFile(databaseFile(cache))).toEqual(database);
    // The new ones, and those whose section lists them.
    expect((await project.build({ cache })).renderedPages).toBe(90);
    await expectRight();
  });
});

/** Writes a file until the disk is full. */
function fillDisk(path: string): void {
  const descriptor = openSync(path, 'w');
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(65_536));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(descriptor);
  }
}
