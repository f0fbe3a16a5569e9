import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBuildCache } from '../../src/cache/build-cache.ts';
import { readRange, writeRecord } from '../../src/cache/record-file.ts';
import type { BuildRecord, PartitionRecord } from '../../src/cache/records.ts';
import { formatFileTable } from '../../src/output/last-output.ts';
import type { StoredRange } from '../../src/output/output.ts';
import { buildRecord } from './support/build-record.ts';

let folder: string;
const cacheFolder = () => join(folder, 'cache');
const open = () => openBuildCache(cacheFolder());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-build-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An output with nothing but a manifest. */
function writeOutput(name: string, manifest: string): string {
  const out = join(folder, name);
  mkdirSync(join(out, 'feed'), { recursive: true });
  writeFileSync(join(out, 'feed/manifest.json'), manifest);
  return out;
}

/** What is known of an output with one file. */
function outputWith(path: string): readonly Uint8Array[] {
  const file = { sha256: hash('sha256', path), bytes: 1, mtimeMs: 2, inode: 3 };
  return Array.from(formatFileTable([[path, file]], [['', 4]]), (block) => Buffer.from(block));
}

function writeBuild(manifest: string, changes: Partial<BuildRecord> = {}, path = 'a'): void {
  open().writeBuild(buildRecord(changes), Buffer.from(manifest), outputWith(path));
}

const keyOf = (text: string) => hash('sha256', text);

function partitionRecord(key: string): PartitionRecord {
  const none = { asked: [], hash: '' };
  return { key, pages: [], languages: [], links: none, media: { ...none, files: [], failed: [] } };
}

const recordsIn = (name: string) => readdirSync(join(cacheFolder(), name));

/** Changes a byte of every build record, counted from its end. */
function damageBuilds(fromEnd: number): void {
  for (const name of recordsIn('builds')) {
    const bytes = readFileSync(join(cacheFolder(), 'builds', name));
    const at = bytes.length - fromEnd;
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(join(cacheFolder(), 'builds', name), bytes);
  }
}

describe('the record of a build', () => {
  it('is found by the manifest of the output it made, with its files and folders', () => {
    const out = writeOutput('dist', 'manifest');
    writeBuild('manifest', { fingerprint: 'one' });
    const found = open().findBuild(out);
    expect(found?.record.fingerprint).toBe('one');
    expect(found?.readFiles()?.find('a')).toEqual({ sha256: keyOf('a'), bytes: 1, mtimeMs: 2, inode: 3 });
    expect([...(found?.readFiles()?.folders() ?? [])]).toEqual([['', 4]]);
  });

  it('reads its files once, because shards ask for every single file', () => {
    const out = writeOutput('dist', 'manifest');
    writeBuild('manifest');
    const found = open().findBuild(out);
    expect(found?.readFiles()).toBe(found?.readFiles());
  });

  it('is found for each of two outputs that share a cache', () => {
    const outs = ['one', 'two'].map((name) => writeOutput(name, `manifest of ${name}`));
    for (const name of ['one', 'two']) writeBuild(`manifest of ${name}`, { fingerprint: name }, name);
    const found = outs.map((out) => open().findBuild(out));
    expect(found.map((build) => build?.record.fingerprint)).toEqual(['one', 'two']);
    expect(found.map((build) => [...(build?.readFiles()?.paths() ?? [])])).toEqual([['one'], ['two']]);
  });

  it('is not found for another output, for none, or without a cache', () => {
    const out = writeOutput('dist', 'manifest');
    expect(open().findBuild(out)).toBeNull();
    writeBuild('manifest');
    expect(open().findBuild(out)).not.toBeNull();
    expect(open().findBuild(writeOutput('other', 'another manifest'))).toBeNull();
    expect(open().findBuild(join(folder, 'none'))).toBeNull();
  });

  it('is not found when it is damaged', () => {
    const out = writeOutput('dist', 'manifest');
    writeBuild('manifest');
    damageBuilds(readFileSync(join(cacheFolder(), 'builds', recordsIn('builds')[0] ?? '')).length);
    expect(open().findBuild(out)).toBeNull();
  });

  it('is found when only its table of files is damaged, which is then unknown', () => {
    const out = writeOutput('dist', 'manifest');
    writeBuild('manifest');
    damageBuilds(1);
    expect(open().findBuild(out)?.record.fingerprint).toBe('fingerprint');
    expect(open().findBuild(out)?.readFiles()).toBeNull();
  });
});

describe('the record of a partition', () => {
  it('is found by its key, with its blobs', () => {
    const key = keyOf('a');
    const locate = open().writePartition(partitionRecord(key), new Map([['terms en', Buffer.from('one')]]));
    expect(readRange(locate?.('terms en') as StoredRange).toString()).toBe('one');
    expect(open().readPartition(key)?.head).toEqual(partitionRecord(key));
    expect(open().readPartition(key)?.file.blob('terms en').toString()).toBe('one');
    expect(open().readPartition(keyOf('b'))).toBeNull();
  });

  it('may be a file that is already there, which replaces an earlier one', () => {
    const key = keyOf('a');
    open().writePartition(
      { ...partitionRecord(key), pages: [] },
      new Map([['terms en', Buffer.from('one')]]),
    );
    const [name = ''] = recordsIn('partitions');
    const file = join(cacheFolder(), 'given.record');
    writeRecord(file, partitionRecord(key), new Map([['terms en', Buffer.from('two')]]));
    open().addPartition(key, file);
    expect(open().readPartition(key)?.file.blob('terms en').toString()).toBe('two');
    expect(recordsIn('partitions')).toEqual([name]);
    expect(() => open().addPartition(key, join(cacheFolder(), 'none.record'))).not.toThrow();
    expect(open().readPartition(key)?.file.blob('terms en').toString()).toBe('two');
    open().addPartition(key, file);
    expect(recordsIn('partitions')).toEqual([name]);
  });

  it('is not confused with that of a key that starts with the same characters', () => {
    const key = keyOf('a');
    open().writePartition(partitionRecord(key), new Map());
    expect(open().readPartition(`${key.slice(0, 32)}${'0'.repeat(32)}`)).toBeNull();
  });

  it('is not found when it is damaged', () => {
    const key = keyOf('a');
    open().writePartition(partitionRecord(key), new Map());
    const [name = ''] = recordsIn('partitions');
    writeFileSync(join(cacheFolder(), 'partitions', name), 'damaged');
    expect(open().readPartition(key)).toBeNull();
  });
});

describe('removing what is old', () => {
  /** Leaves a build whose partitions have these keys, made at a time in seconds. */
  function leaveBuild(name: string, keys: readonly string[], time: number): void {
    for (const key of keys) open().writePartition(partitionRecord(keyOf(key)), new Map());
    const before = new Set(existsSync(join(cacheFolder(), 'builds')) ? recordsIn('builds') : []);
    writeBuild(name, {
      fingerprint: name,
      partitions: keys.map((key) => ({ key: keyOf(key), quickKey: '', ranges: {} })),
    });
    for (const file of recordsIn('builds').filter((file) => !before.has(file))) {
      utimesSync(join(cacheFolder(), 'builds', file), time, time);
    }
  }
  const hasBuild = (name: string) => open().findBuild(writeOutput(name, name)) !== null;
  const hasPartition = (key: string) => open().readPartition(keyOf(key)) !== null;

  it('keeps the last four builds and the partitions they need', () => {
    for (const number of [6, 1, 5, 2, 4, 3]) leaveBuild(`build ${number}`, ['all', `of ${number}`], number);
    open().removeOld();
    const numbers = [1, 2, 3, 4, 5, 6];
    expect(numbers.filter((number) => hasBuild(`build ${number}`))).toEqual([3, 4, 5, 6]);
    expect(numbers.filter((number) => hasPartition(`of ${number}`))).toEqual([3, 4, 5, 6]);
    expect(hasPartition('all')).toBe(true);
  });

  it('removes partitions of builds that never ended, and what killed builds were writing', () => {
    leaveBuild('build', ['needed'], 1);
    open().writePartition(partitionRecord(keyOf('never used')), new Map());
    writeFileSync(join(cacheFolder(), 'partitions', 'x.record.4194305.partial'), 'half');
    open().removeOld();
    expect(recordsIn('partitions')).toEqual([`${keyOf('needed').slice(0, 32)}.record`]);
  });

  it('does not count what killed builds were writing as builds', () => {
    for (const number of [1, 2, 3, 4]) leaveBuild(`build ${number}`, [], number);
    for (const pid of [4194305, 4194306]) {
      writeFileSync(join(cacheFolder(), 'builds', `x.record.${pid}.partial`), 'half');
    }
    open().removeOld();
    expect([1, 2, 3, 4].filter((number) => hasBuild(`build ${number}`))).toEqual([1, 2, 3, 4]);
    expect(recordsIn('builds').filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('needs no builds and no partitions', () => {
    open().removeOld();
    leaveBuild('build', [], 1);
    open().removeOld();
    expect(hasBuild('build')).toBe(true);
  });
});

it('A cache that cannot be written only remembers nothing', () => {
  const out = writeOutput('dist', 'manifest');
  writeFileSync(cacheFolder(), 'a file where a folder should be');
  writeBuild('manifest');
  expect(open().findBuild(out)).toBeNull();
  expect(open().writePartition(partitionRecord(keyOf('a')), new Map())).toBeNull();
  expect(open().readPartition(keyOf('a'))).toBeNull();
  open().removeOld();
});
