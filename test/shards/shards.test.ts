import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSection } from '../../src/shards/shard-partition.ts';
import { readTree } from '../support/read-tree.ts';
import { openShardProject, type ShardProject } from './support/shard-project.ts';

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

it('a text that is cut after its record was checked is a damaged shard', async () => {
  const range = { file: project.path('none.record'), offset: 0, length: 10, sha256: '' };
  expect(() => readSection(range)).toThrow(expect.objectContaining({ code: 'SHARD_DAMAGED' }));
});
