import { hash } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBuildDatabase } from '../../src/output/database/build-database.ts';
import { png } from '../site/media/images.ts';
import { makePipe } from '../support/make-pipe.ts';
import { readTree } from '../support/read-tree.ts';
import { openShardProject, type ShardProject } from './support/shard-project.ts';

let project: ShardProject;
beforeEach(async () => {
  project = await openShardProject();
});
afterEach(() => project.remove());

const path = (name: string) => project.path(name);

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** All rendered articles that a folder's database stores. */
async function readRows(folder: string) {
  const database = await openBuildDatabase(folder, { isReadOnly: true });
  try {
    return database.readKeys().map(({ id }) => database.readRendered(id));
  } finally {
    database.close();
  }
}

async function buildShards(count: number, numbers: readonly number[], previous?: string): Promise<string[]> {
  const shards: string[] = [];
  for (const number of numbers) {
    shards.push(await project.buildShard(number, count, previous === undefined ? {} : { previous }));
  }
  return shards;
}

describe('shards that are merged', () => {
  it.each([1, 2, 40])('give the bytes and the report of one build: %i shards', async (count) => {
    const shards = await buildShards(
      count,
      Array.from({ length: count }, (_, at) => at + 1),
    );
    const cache = await project.copySnapshot();
    const { out: _out, ...merged } = await project.merge(shards, { out: 'merged' });
    const { out: _other, ...whole } = await project.buildWhole({ out: 'whole', cache });
    expect(merged).toEqual(whole);
    expect(merged.problems.length).toBeGreaterThan(0);
    expect(await readTree(path('merged'))).toEqual(await readTree(path('whole')));
  });

  it('publish the images that bodies contain', async () => {
    await project.write({ text: `Text <img alt="A dot" src="data:image/png;base64,${pixel}">` });
    const cache = await project.copySnapshot();
    const shards = await buildShards(2, [1, 2]);
    await project.merge(shards, { out: 'merged', cache });
    await project.buildWhole({ out: 'whole' });
    const merged = await readTree(path('merged'));
    expect([...merged.keys()].filter((name) => name.endsWith('.png'))).toHaveLength(1);
    expect(merged).toEqual(await readTree(path('whole')));
  });

  it('publish the copies of images of other servers, and are refused if the merge has other ones', async () => {
    const address = 'https://files.example/dot.png';
    await project.write({ text: `Text <img alt="A dot" src="${address}">` });
    const more = { media: { hosts: ['files.example'] } };
    const hold = async (cache: string, bytes: Uint8Array) => {
      const sha256 = hash('sha256', bytes);
      await mkdir(path(`${cache}/media/files`), { recursive: true });
      await writeFile(path(`${cache}/media/files/${sha256}`), bytes);
      const entries = { [address]: { sha256, etag: null, lastModified: null } };
      await writeFile(
        path(`${cache}/media/index.json`),
        JSON.stringify({ schema: 'lectern.media-index/1', downloads: entries }),
      );
    };
    const without = await project.copySnapshot();
    await hold('.lectern', png(2, 2));
    const shards: string[] = [];
    for (const number of [1, 2]) shards.push(await project.buildShard(number, 2, {}, more));
    await project.merge(shards, { ...more, out: 'merged' });
    const merged = await readTree(path('merged'));
    expect([...merged.keys()].filter((name) => name.endsWith('.png'))).toHaveLength(1);
    const merge = () => project.merge(shards, { ...more, out: 'other', cache: without });
    await expect(merge()).rejects.toMatchObject({
      code: 'SHARD_FOREIGN',
      message: expect.stringContaining('other copies of images'),
    });
    await hold(without, png(3, 3));
    await expect(merge()).rejects.toMatchObject({ code: 'SHARD_FOREIGN' });
    // A cache whose index lists the copy, and whose file is missing or damaged.
    await hold(without, png(2, 2));
    const copy = path(`${without}/media/files/${hash('sha256', png(2, 2))}`);
    await appendFile(copy, 'x');
    await expect(merge()).rejects.toMatchObject({ code: 'SHARD_FOREIGN' });
    await rm(copy);
    await expect(merge()).rejects.toMatchObject({ code: 'SHARD_FOREIGN' });
    expect(await readdir(project.folder)).not.toContain('other');
  });

  it('are published with the permissions of new files, whatever theirs are', async () => {
    const more = { output: { compress: [] } };
    await project.buildShard(1, 1, {}, more);
    for (const name of (await readTree(path('shard-1'))).keys()) chmodSync(path(`shard-1/${name}`), 0o600);
    await project.merge(['shard-1'], { ...more, out: 'merged' });
    const modes = [...(await readTree(path('merged'))).keys()].map(
      (name) => statSync(path(`merged/${name}`)).mode & 0o777,
    );
    expect([...new Set(modes)]).toEqual([0o666 & ~process.umask()]);
  });

  it('leave a next build its reuse', async () => {
    await project.merge(await buildShards(2, [1, 2]));
    expect((await project.buildWhole()).renderedPages).toBe(0);
    await project.write({ text: 'Other text' });
    expect((await project.buildWhole()).renderedPages).toBe(1);
  });

  it.each([1, 2, 5])('give the bytes of one machine after every edit: %i shards', async (count) => {
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    await project.merge(await buildShards(count, numbers));
    await project.buildWhole({ out: 'whole', cache: await project.copySnapshot() });
    const edits = [{ text: 'Other' }, { title: 'Other' }, { count: 20 }, {}, { text: 'Other', title: 'New' }];
    for (const edit of edits) {
      await project.write(edit);
      const { out: _out, ...merged } = await project.merge(await buildShards(count, numbers, 'dist'));
      const cache = await project.copySnapshot();
      const { out: _other, ...whole } = await project.buildWhole({ out: 'whole', cache });
      expect(merged).toEqual(whole);
      expect(merged.renderedPages).toBeLessThan(20);
      expect(await readTree(path('dist'))).toEqual(await readTree(path('whole')));
    }
  });

  it.each(['shows', 'lacks'])('leave the cache the rows of one build, which %s images', async (images) => {
    const shown = `<img src="data:image/png;base64,${pixel}"><img src="https://files.example/dot.png">`;
    await project.write(images === 'shows' ? { text: `Text ${shown}` } : {});
    const more = { media: { hosts: ['files.example'] } };
    const cache = await project.copySnapshot();
    const shards: string[] = [];
    for (const number of [1, 2]) shards.push(await project.buildShard(number, 2, {}, more));
    await project.merge(shards, { ...more, out: 'merged' });
    await project.buildWhole({ ...more, out: 'whole', cache });
    const rows = await readRows(path('.lectern'));
    expect(rows).toHaveLength(24);
    expect(rows).toEqual(await readRows(path(cache)));
    expect(rows.some((row) => row?.row.facts.includes('"failed":[["https'))).toBe(images === 'shows');
  });
});

describe('a merge is refused, and the output is unchanged,', () => {
  const shards = ['shard-1', 'shard-2', 'shard-3'];
  let built: string;
  beforeAll(async () => {
    project = await openShardProject();
    await project.buildWhole();
    // Without the database of the last build, shards reuse nothing.
    await rm(path('.lectern/build.db'));
    await buildShards(3, [1, 2, 3], 'dist');
    built = project.folder;
  });
  beforeEach(() => cp(built, project.folder, { recursive: true, preserveTimestamps: true }));
  afterAll(() => rm(built, { recursive: true }));

  it.each<[name: string, code: string, damage: () => Promise<readonly string[]>]>([
    ['without one of the shards', 'SHARD_MISSING', async () => shards.slice(1)],
    ['with a shard given twice', 'SHARD_DUPLICATE', async () => [...shards, 'shard-2']],
    [
      'with a shard of another number of shards',
      'SHARD_FOREIGN',
      async () => [...(await buildShards(4, [1])), 'shard-2', 'shard-3'],
    ],
    [
      'with a shard of another snapshot',
      'SHARD_FOREIGN',
      async () => {
        await project.write({ text: 'Other text' });
        await buildShards(3, [2], 'dist');
        return shards;
      },
    ],
    [
      'with shards of another configuration',
      'SHARD_FOREIGN',
      async () => {
        await project.buildShard(2, 3, { previous: 'dist' }, { site: { title: 'Other' } });
        return shards;
      },
    ],
    [
      'with a shard of another version',
      'SHARD_FOREIGN',
      async () => {
        await project.buildShard(2, 3, { previous: 'dist', generator: 'lectern 9.9.9' });
        return shards;
      },
    ],
    ['with a shard that continues no feed', 'SHARD_FOREIGN', () => buildShards(3, [1, 2, 3])],
    [
      'with a shard that was killed',
      'SHARD_DAMAGED',
      async () => {
        await rm(path('shard-2/shard.json'));
        return shards;
      },
    ],
    ...['shard.json', 'build.db'].map((name): [string, string, () => Promise<readonly string[]>] => [
      `with a pipe instead of ${name}`,
      'SHARD_DAMAGED',
      async () => {
        await rm(path(`shard-2/${name}`));
        await makePipe(path(`shard-2/${name}`));
        return shards;
      },
    ]),
    [
      'with a pipe instead of a page',
      'SHARD_DAMAGED',
      async () => {
        const [page = ''] = [...(await readTree(path('shard-2/pages'))).keys()];
        await rm(path(`shard-2/pages/${page}`));
        await makePipe(path(`shard-2/pages/${page}`));
        return shards;
      },
    ],
    [
      'with a page that was changed',
      'SHARD_DAMAGED',
      async () => {
        const [page = ''] = [...(await readTree(path('shard-2/pages'))).keys()];
        await writeFile(path(`shard-2/pages/${page}`), 'x');
        return shards;
      },
    ],
    [
      'with a page that is missing',
      'SHARD_DAMAGED',
      async () => {
        const [page = ''] = [...(await readTree(path('shard-2/pages'))).keys()];
        await rm(path(`shard-2/pages/${page}`));
        return shards;
      },
    ],
    ...Object.entries<(file: string) => Promise<void>>({
      'that was cut': async (file) => writeFile(file, (await readFile(file)).subarray(0, -4096)),
      'in which a byte of a text was changed': async (file) => {
        const rows = await readRows(path('shard-2'));
        const bytes = await readFile(file);
        const text = rows[0]?.texts[0]?.feed.subarray(0, 40) ?? Buffer.of();
        const at = bytes.indexOf(text);
        expect(at).toBeGreaterThan(0);
        bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
        await writeFile(file, bytes);
      },
      'of another shard': (file) => cp(path('shard-1/build.db'), file),
      'that is missing': (file) => rm(file),
    }).map(([name, damage]): [string, string, () => Promise<readonly string[]>] => [
      `with a database ${name}`,
      'SHARD_DAMAGED',
      async () => {
        await damage(path('shard-2/build.db'));
        return shards;
      },
    ]),
    [
      'with an article whose links led elsewhere',
      'SHARD_FOREIGN',
      async () => {
        const database = await openBuildDatabase(path('shard-2'));
        database.begin();
        const [{ id } = { id: '' }] = database.readKeys();
        const { row, texts } = database.readRendered(id) ?? {};
        if (row === undefined || texts === undefined) throw new Error('the shard has no article');
        database.writeRendered({ ...row, key: '0'.repeat(64) }, texts);
        database.commit({ record: 'null', files: database.readFiles() });
        database.close();
        const info = JSON.parse(await readFile(path('shard-2/shard.json'), 'utf8'));
        const sha256 = hash('sha256', await readFile(path('shard-2/build.db')));
        await writeFile(path('shard-2/shard.json'), JSON.stringify({ ...info, database: sha256 }));
        return shards;
      },
    ],
  ])('%s', async (_name, code, damage) => {
    const before = await readTree(path('dist'));
    const given = await damage();
    await expect(project.merge(given)).rejects.toMatchObject({ code });
    expect(await readTree(path('dist'))).toEqual(before);
  });
});

describe('a shard', () => {
  it.skipIf(process.getuid?.() === 0).each(['shard.json', 'build.db', 'pages'])(
    'of which this user may not read %s is no damaged one',
    async (name) => {
      await buildShards(1, [1]);
      chmodSync(path(`shard-1/${name}`), 0);
      const merging = project.merge(['shard-1']);
      await merging.catch(() => chmodSync(path(`shard-1/${name}`), 0o700));
      await expect(merging).rejects.toMatchObject({
        message: expect.stringMatching(/^this user may not read/),
      });
    },
  );

  it('never replaces a folder that is no shard', async () => {
    await project.buildWhole();
    await cp(path('.lectern'), path('shard-1'), { recursive: true });
    await expect(buildShards(2, [1])).rejects.toMatchObject({ code: 'OUTPUT_NOT_OURS' });
  });

  it('replaces an earlier one whole', async () => {
    await buildShards(1, [1]);
    await project.write({ count: 3 });
    await buildShards(1, [1]);
    expect(
      [...(await readTree(path('shard-1/pages'))).keys()].filter((name) => name.endsWith('.md')),
    ).toHaveLength(4);
    expect((await readdir(project.folder)).sort()).toEqual(['.lectern', 'shard-1']);
  });
});
