import { writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTree } from '../support/read-tree.ts';
import { openShardProject, readRendered, type ShardProject } from './support/shard-project.ts';

let project: ShardProject;
beforeEach(async () => {
  project = await openShardProject();
});
afterEach(() => project.remove());

it('shards that are merged give the bytes and the report of one build', async () => {
  const shards = [];
  for (const number of [1, 2, 3]) shards.push(await project.buildShard(number, 3));
  const cache = await project.copySnapshot();
  const { out: _out, ...merged } = await project.merge(shards, { out: 'merged' });
  const { out: _other, ...whole } = await project.buildWhole({ out: 'whole', cache });
  expect(merged).toEqual(whole);
  expect(merged.problems.length).toBeGreaterThan(0);
  expect(await readTree(project.path('merged'))).toEqual(await readTree(project.path('whole')));
});

it('a merge that is started again changes nothing, and one of other shards is refused', async () => {
  const shards = [];
  for (const number of [1, 2]) shards.push(await project.buildShard(number, 2));
  const first = await project.merge(shards);
  const published = await readTree(project.path('dist'));
  expect(await project.merge(shards)).toMatchObject({ renderedPages: 0, changes: 0, pages: first.pages });
  expect(await readTree(project.path('dist'))).toEqual(published);
  await project.buildShard(2, 2, {}, { site: { title: 'Other' } });
  await expect(project.merge(shards)).rejects.toMatchObject({ code: 'SHARD_FOREIGN' });
  await expect(project.merge(shards.slice(1))).rejects.toMatchObject({ code: 'SHARD_FOREIGN' });
});

it('a merge that is started again is refused if the output is not the one that it published', async () => {
  const shards = [];
  for (const number of [1, 2]) shards.push(await project.buildShard(number, 2));
  await project.merge(shards);
  writeFileSync(project.path('dist/index.html'), 'edited');
  await expect(project.merge(shards)).rejects.toMatchObject({
    code: 'SHARD_FOREIGN',
    message: expect.stringContaining('continues another feed'),
  });
});

it('shards skip what the previous output has, and a merge without its build database is refused', async () => {
  await project.buildWhole();
  await project.write({ text: 'Other text' });
  const shards = [];
  for (const number of [1, 2]) shards.push(await project.buildShard(number, 2, { previous: 'dist' }));
  const rendered = await Promise.all(shards.map((shard) => readRendered(project.path(shard))));
  expect(rendered.flat()).toEqual(['article023']);
  const database = await readFile(project.path('.lectern/build.db'));
  await rm(project.path('.lectern/build.db'));
  await expect(project.merge(shards)).rejects.toMatchObject({
    code: 'SHARD_FOREIGN',
    message: expect.stringMatching(/shard-[12] skipped the article article\d+/),
  });
  await writeFile(project.path('.lectern/build.db'), database);
  expect(await project.merge(shards)).toMatchObject({ renderedPages: 1, changes: 1 });
});

it.each(['missing', 'damaged'])(
  'shards change nothing in their cache, also if build.db is %s',
  async (state) => {
    await project.buildWhole();
    const file = project.path('.lectern/build.db');
    await rm(file);
    if (state === 'damaged') await writeFile(file, 'no database');
    const before = await readTree(project.path('.lectern'));
    await project.buildShard(1, 1, { previous: 'dist' });
    expect(await readTree(project.path('.lectern'))).toEqual(before);
    expect(await readRendered(project.path('shard-1'))).toHaveLength(24);
  },
);

it('a merge reads shards, and writes nothing into their folders', async () => {
  await project.buildShard(1, 1);
  const before = await readTree(project.path('shard-1'));
  await project.merge(['shard-1']);
  const after = await readTree(project.path('shard-1'));
  expect(after).toEqual(before);
  expect([...after.keys()].filter((name) => !name.startsWith('pages/'))).toEqual(['build.db', 'shard.json']);
});
