import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSpillFile, type SpillFile } from '../../src/foundation/spill-file.ts';
import type { Output, StoredRange } from '../../src/output/output.ts';
import type { PartitionSettings } from '../../src/partitions/make-partition.ts';
import { createShardPool } from '../../src/shards/shard-pool.ts';
import { checkFile, readSection } from '../../src/shards/take-partition.ts';
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

it('a file of a shard is read to be checked, unless it has the time, inode and size with which it was written', () => {
  const file = project.path('page.html');
  writeFileSync(file, 'text');
  const { mtimeMs, ino: inode } = statSync(file);
  // Another text: only who does not read the file takes it.
  const expected = { bytes: 4, sha256: '0'.repeat(64) };
  const check = (stamp: Partial<{ mtimeMs: number; inode: number }> | undefined, bytes = 4) =>
    checkFile(file, { ...expected, bytes }, stamp && { mtimeMs, inode, ...stamp });
  expect(check({})).toMatchObject({ mtimeMs, ino: inode });
  const damaged = expect.objectContaining({ code: 'SHARD_DAMAGED' });
  expect(() => check({ mtimeMs: mtimeMs - 1 })).toThrow(damaged);
  expect(() => check({ inode: inode + 1 })).toThrow(damaged);
  expect(() => check({}, 5)).toThrow(damaged);
  expect(() => check(undefined)).toThrow(damaged);
});

it('writes more files than its threads may have at a time, and reports the one that failed', async () => {
  const adopted = new Set<string>();
  const adopt: Output['adopt'] = (files) => {
    for (const { path } of files) adopted.add(path);
    return files;
  };
  const { folder, write, written } = openDeferredFiles(adopt, createSpillFile(null));
  const paths = Array.from({ length: 1300 }, (_, at) => `feed/${at}.jsonl`);
  await Promise.all(paths.map((path) => write(path, `${path}\n`)));
  await written();
  expect([...adopted].sort()).toEqual(paths.sort());
  for (const path of paths) expect(readFileSync(join(folder, path), 'utf8')).toBe(`${path}\n`);
  await write('feed/lost.jsonl', { file: join(folder, 'missing'), offset: 0, length: 1, sha256: 'x' });
  await expect(written()).rejects.toMatchObject({ code: 'SHARD_DAMAGED' });
});

it('reports that files which wait for a thread cannot be read from the spill file', async () => {
  const spill = createSpillFile(null);
  const { write, written } = openDeferredFiles((files) => {
    spill.close();
    return files;
  }, spill);
  await Promise.all(Array.from({ length: 1300 }, (_, at) => write(`feed/${at}.jsonl`, '')));
  await expect(written()).rejects.toThrow();
});

/** Files that a merge without threads writes after they are closed. */
function openDeferredFiles(adopt: Output['adopt'], spill: SpillFile) {
  const folder = project.path('deferred');
  mkdirSync(folder);
  const pool = createShardPool([]);
  const workspace = { folder, isUsed: false, out: join(folder, 'out'), previous: null };
  pool.start({ workspace, compress: [] } as unknown as PartitionSettings, 0);
  const output = pool.sectionOutput?.({ adopt, recorded: () => new Map(), spill });
  if (output === undefined) throw new Error('a merge writes files in threads');
  return {
    folder,
    write: async (path: string, piece: string | StoredRange): Promise<void> => {
      const file = await output.open(path);
      await file.write(piece);
      await file.close();
    },
    written: async () => output.written?.(),
  };
}
