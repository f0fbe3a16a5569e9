import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBuildCache } from '../../src/cache/build-cache.ts';
import { type RecordFile, readRecord, writeRecord } from '../../src/cache/record-file.ts';
import type { PartitionRecord } from '../../src/cache/records.ts';
import { png } from '../media/images.ts';
import { makePipe } from '../support/make-pipe.ts';
import { readTree } from '../support/read-tree.ts';
import { openShardProject, readRendered, type ShardProject } from './support/shard-project.ts';

let project: ShardProject;
beforeEach(async () => {
  project = await openShardProject();
});
afterEach(() => project.remove());

const path = (name: string) => project.path(name);

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
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    await project.write(`Text <img alt="A dot" src="data:image/png;base64,${pixel}">`);
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
    await project.write(`Text <img alt="A dot" src="${address}">`);
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

  it.each(['shows', 'lacks'])('leave the cache the records of one build, which %s images', async (images) => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const shown = `<img src="data:image/png;base64,${pixel}"><img src="https://files.example/dot.png">`;
    await project.write(images === 'shows' ? `Text ${shown}` : 'Text');
    const more = { media: { hosts: ['files.example'] } };
    const cache = await project.copySnapshot();
    const shards: string[] = [];
    for (const number of [1, 2]) shards.push(await project.buildShard(number, 2, {}, more));
    await project.merge(shards, { ...more, out: 'merged' });
    await project.buildWhole({ ...more, out: 'whole', cache });
    const records = await readTree(path('.lectern/partitions'));
    expect(records.size).toBeGreaterThan(4);
    const inodesIn = (folder: string) =>
      readdirSync(path(folder)).map((name) => statSync(path(`${folder}/${name}`)).ino);
    const inodes = [...inodesIn('shard-1/records'), ...inodesIn('shard-2/records')];
    expect(inodesIn('.lectern/partitions').sort()).toEqual(inodes.sort());
    expect(records).toEqual(await readTree(path(`${cache}/partitions`)));
    expect([...records.values()].some((text) => text.includes('"failed":[["https'))).toBe(images === 'shows');
  });

  it('render only what the previous output does not have', async () => {
    await project.buildWhole();
    await project.write('Other text');
    const shards = await buildShards(3, [1, 2, 3], 'dist');
    const rendered = shards.flatMap((shard) => readRendered(path(shard)));
    expect(rendered).toHaveLength(1);
    const clean = await project.copySnapshot();
    await cp(path('dist'), path('clean'), { recursive: true });
    await project.merge(shards);
    await project.buildWhole({ out: 'clean', cache: clean });
    expect(await readTree(path('dist'))).toEqual(await readTree(path('clean')));
  });

  it('publish a file with one section unchanged from the shard, unless it was changed', async () => {
    const more = { output: { compress: [] } };
    const sections = path('shard-1/sections/en/chunks');
    const cache = await project.copySnapshot();
    await project.buildShard(1, 1, {}, more);
    await project.merge(['shard-1'], { ...more, out: 'merged' });
    await project.buildWhole({ ...more, out: 'whole', cache });
    const merged = path('merged/feed/en/chunks');
    expect((await readdir(merged)).map((name) => statSync(`${merged}/${name}`).ino).sort()).toEqual(
      (await readdir(sections)).map((name) => statSync(`${sections}/${name}`).ino).sort(),
    );
    expect(await readTree(path('merged'))).toEqual(await readTree(path('whole')));
    const [name = ''] = await readdir(sections);
    await appendFile(`${sections}/${name}`, '\n');
    const again = project.merge(['shard-1'], { ...more, out: 'again', cache: await project.copySnapshot() });
    await expect(again).rejects.toMatchObject({ code: 'SHARD_DAMAGED' });
  });

  it('are published with the permissions of new files, whatever theirs are', async () => {
    const more = { output: { compress: [] } };
    await project.buildShard(1, 1, {}, more);
    for (const folder of ['pages', 'sections']) {
      for (const name of (await readTree(path(`shard-1/${folder}`))).keys()) {
        chmodSync(path(`shard-1/${folder}/${name}`), 0o600);
      }
    }
    await project.merge(['shard-1'], { ...more, out: 'merged' });
    const modes = [...(await readTree(path('merged'))).keys()].map(
      (name) => statSync(path(`merged/${name}`)).mode & 0o777,
    );
    expect([...new Set(modes)]).toEqual([0o666 & ~process.umask()]);
  });

  it('record the time and the inode of every file', async () => {
    await project.buildShard(1, 1);
    await project.merge(['shard-1']);
    const files = openBuildCache(path('.lectern')).findBuild(path('dist'))?.readFiles()?.files() ?? [];
    const recorded = Array.from(files, ([name, { inode, mtimeMs, bytes }]) => ({
      name,
      inode,
      mtimeMs,
      bytes,
    }));
    expect(recorded.filter(({ name }) => name.endsWith('.md'))).toHaveLength(32);
    expect(recorded).toEqual(
      recorded.map(({ name }) => {
        const { ino: inode, mtimeMs, size: bytes } = statSync(path(`dist/${name}`));
        return { name, inode, mtimeMs, bytes };
      }),
    );
  });

  it('are read only if they may have changed', async () => {
    const shard = await project.buildShard(1, 1);
    const pages = path(`${shard}/pages`);
    const [page = ''] = [...(await readTree(pages)).keys()].filter((name) => name.endsWith('.md'));
    const file = `${pages}/${page}`;
    const other = 'x'.repeat(statSync(file).size);
    // Node cannot set a time with nanoseconds.
    const copyTimes = (from: string, to: string) =>
      expect(spawnSync('touch', ['-r', from, to]).status).toBe(0);
    copyTimes(file, path('times'));
    writeFileSync(file, other);
    await expect(project.merge([shard])).rejects.toMatchObject({ code: 'SHARD_DAMAGED' });
    copyTimes(path('times'), file);
    await project.merge([shard], { out: 'merged' });
    expect(readFileSync(path(`merged/${page}`), 'utf8')).toBe(other);
  });

  it('leave a next build its reuse', async () => {
    await project.merge(await buildShards(2, [1, 2]));
    expect((await project.buildWhole()).renderedPages).toBe(0);
    await project.write('Other text');
    expect((await project.buildWhole()).renderedPages).toBeLessThan(20);
  });
});

describe('a merge is refused, and the output is unchanged,', () => {
  const shards = ['shard-1', 'shard-2', 'shard-3'];
  let built: string;
  beforeAll(async () => {
    project = await openShardProject();
    await project.buildWhole();
    // Without records of builds, shards reuse nothing.
    await rm(path('.lectern/builds'), { recursive: true });
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
        await project.write('Other text');
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
    [
      'with a pipe instead of its description',
      'SHARD_DAMAGED',
      async () => {
        await rm(path('shard-2/shard.json'));
        await makePipe(path('shard-2/shard.json'));
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
      'with a page that is a link to another file',
      'SHARD_DAMAGED',
      async () => {
        const [page = ''] = [...(await readTree(path('shard-2/pages'))).keys()];
        await rename(path(`shard-2/pages/${page}`), path('page.html'));
        await symlink(path('page.html'), path(`shard-2/pages/${page}`));
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
    ...['partitions', 'records'].map((folder): [string, string, () => Promise<readonly string[]>] => [
      `with a record in ${folder} that was cut`,
      'SHARD_DAMAGED',
      async () => {
        const [name = ''] = await readdir(path(`shard-2/${folder}`));
        const file = path(`shard-2/${folder}/${name}`);
        await writeFile(file, readFileSync(file).subarray(0, -10));
        return shards;
      },
    ]),
    ...['sourceJson', 'sourceText', 'fullText', 'terms'].map(
      (text): [string, string, () => Promise<readonly string[]>] => [
        `with a record in which a byte of ${text} was changed`,
        'SHARD_DAMAGED',
        async () => {
          const [name = ''] = await readdir(path('shard-2/partitions'));
          const ofTerms = path(`shard-2/records/${name}`);
          const file = text === 'terms' ? ofTerms : path(`shard-2/partitions/${name}`);
          const record = readRecord(file) as RecordFile;
          const { languages } = (readRecord(ofTerms) as RecordFile).head as PartitionRecord;
          const slice = languages.find(({ language }) => language === 'en')?.slices[0]?.slice;
          const { offset, length } = record.locate(text === 'terms' ? 'terms en' : `${text} en ${slice}`);
          const bytes = readFileSync(file);
          const at = offset + Math.floor(length / 2);
          bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
          await writeFile(file, bytes);
          return shards;
        },
      ],
    ),
    ...['documents', 'chunks'].flatMap((kind): [string, string, () => Promise<readonly string[]>][] => {
      const folder = () => path(`shard-2/sections/en/${kind}`);
      const file = () => join(folder(), readdirSync(folder())[0] ?? '');
      const damages: Readonly<Record<string, () => Promise<void>>> = {
        'a byte was changed': async () => {
          const bytes = readFileSync(file());
          bytes.writeUInt8((bytes[10] ?? 0) ^ 1, 10);
          await writeFile(file(), bytes);
        },
        'there is nothing': () => rm(file()),
      };
      return Object.entries(damages).map(([name, damage]) => [
        `with a file of ${kind} in which ${name}`,
        'SHARD_DAMAGED',
        async () => {
          await damage();
          return shards;
        },
      ]);
    }),
    [
      'with a record of another partition',
      'SHARD_FOREIGN',
      async () => {
        const [one = '', two = ''] = await readdir(path('shard-2/partitions'));
        await cp(path(`shard-2/partitions/${one}`), path(`shard-2/partitions/${two}`));
        await cp(path(`shard-2/records/${one}`), path(`shard-2/records/${two}`));
        return shards;
      },
    ],
    [
      'with half of a record of another build, in which links led elsewhere',
      'SHARD_DAMAGED',
      async () => {
        const [name = ''] = await readdir(path('shard-2/records'));
        const file = path(`shard-2/records/${name}`);
        const record = readRecord(file) as RecordFile;
        const head = record.head as PartitionRecord;
        const terms = head.languages.map(({ language }) => `terms ${language}`);
        const links = { ...head.links, hash: '0'.repeat(64) };
        writeRecord(file, { ...head, links }, new Map(terms.map((blob) => [blob, record.blob(blob)])));
        return shards;
      },
    ],
    [
      'with half of a record of another partition',
      'SHARD_DAMAGED',
      async () => {
        const [one = '', two = ''] = await readdir(path('shard-2/records'));
        await cp(path(`shard-2/records/${one}`), path(`shard-2/records/${two}`));
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
  it.skipIf(process.getuid?.() === 0).each(['shard.json', 'records', 'partitions', 'pages'])(
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
    await cp(path('.lectern'), path('shard-1'), { recursive: true });
    await expect(buildShards(2, [1])).rejects.toMatchObject({ code: 'OUTPUT_NOT_OURS' });
  });

  it('replaces an earlier one whole', async () => {
    await buildShards(1, [1]);
    await project.write('Text', 3);
    await buildShards(1, [1]);
    expect(
      [...(await readTree(path('shard-1/pages'))).keys()].filter((name) => name.endsWith('.md')),
    ).toHaveLength(4);
    expect((await readdir(project.folder)).sort()).toEqual(['.lectern', 'shard-1']);
  });
});
