import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BuildRecord } from '../../src/cache/records.ts';
import { withCompressedCopies } from '../../src/output/compressed-copies.ts';
import type { WrittenFile } from '../../src/output/output.ts';
import { openStaging } from '../../src/output/staging.ts';
import {
  publishSearch,
  type SearchTask,
  type StoredRun,
  writeSearch,
} from '../../src/partitions/publish-search.ts';

const searchIndex = {
  folder: 'assets/search/en',
  path: 'en/search/index.json',
  basePath: '',
  bits: 0,
  texts: {},
};
const summary = {
  hash: '',
  lengths: 'Aa',
  termChars: 0,
  articleHash: '',
  articleCounts: [],
  categoryTitles: [''],
  categoryNumbers: [0],
};

async function filesOf(
  runs: readonly StoredRun[],
  mergedChars: number,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const write = async (path: string, content: string | Uint8Array): Promise<WrittenFile> => {
    files.set(path, String(content));
    return { path, sha256: '', bytes: 0 };
  };
  await writeSearch({ runs, searchIndex: { ...searchIndex, mergedChars } }, { write });
  return files;
}

it('reads terms in blocks from files, whatever the length of a line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-search-'));
  const postings = (count: number) => Array.from({ length: count }, () => 1).join(',');
  const lines = Array.from({ length: 9000 }, (_, at) => `größe${10_000 + at}\t\t\t\t${postings(at % 9)}\n`);
  lines[5000] = `größe15000\t\t\t\t${postings(90_000)}\n`;
  const terms = Buffer.from(lines.join(''));
  const file = join(folder, 'record');
  writeFileSync(file, Buffer.concat([Buffer.from('head'), terms]));
  const run = { ...summary, partition: 0, termChars: lines.join('').length };
  const whole = await filesOf([{ ...run, terms }], Number.POSITIVE_INFINITY);
  const stored = { ...run, terms: { file, offset: 4, length: terms.length } };
  expect(await filesOf([stored], 100_000)).toEqual(whole);
  const index = [...whole.values()].join('');
  expect(index).toContain('größe10000');
  expect(index).toContain('größe18999');
  expect(index).toContain(postings(90_000));
  rmSync(folder, { recursive: true });
});

const partitions = { bits: 0 } as Parameters<typeof publishSearch>[1];
const site = { searchIndexOptions: () => ({ ...searchIndex, mergedChars: Number.POSITIVE_INFINITY }) };
const runOf = (word: string): readonly StoredRun[] => {
  const terms = Buffer.from(`${word}\t\t\t\t1\n`);
  return [{ ...summary, partition: 0, termChars: terms.length, terms }];
};

it('records the files of a thread without its compressed copies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-search-'));
  const staging = await openStaging(join(folder, 'dist'), () => ({ last: null, base: '', baseFiles: null }));
  const output = withCompressedCopies(staging, ['gz']);
  const paths = ['en/search/index.json', 'en/search/index.json.gz'];
  const files = paths.map((path) => ({ path, sha256: '', bytes: 2000 }));
  const runs = new Map([['en', runOf('word')]]);
  const writeInThread = async () => ({ files, reusedFiles: 0 });
  const groups = await publishSearch(site, partitions, runs, '', null, output, writeInThread);
  expect(groups['search en']?.files).toEqual(['en/search/index.json']);
  rmSync(folder, { recursive: true });
});

it('writes one index at a time if an earlier build is known, with threads or without', async () => {
  const events: string[] = [];
  const watched = {
    searchIndexOptions(language: string) {
      events.push(language);
      return site.searchIndexOptions();
    },
  };
  const output = {
    reuseAll: async () => null,
    adopt: (files: readonly WrittenFile[]) => files,
    async write(path: string): Promise<WrittenFile> {
      await Promise.resolve();
      events.push('written');
      return { path, sha256: '', bytes: 0 };
    },
  };
  const runs = new Map(['en', 'de'].map((language) => [language, runOf(language)]));
  const refuse = () => Promise.reject(new Error('a thread was asked'));
  await publishSearch(watched, partitions, runs, '', { groups: {} } as BuildRecord, output, refuse);
  const half = events.length / 2;
  expect(events.slice(0, half)).toEqual(['en', ...Array(half - 1).fill('written')]);
  expect(events[half]).toBe('de');
});

it('gives threads the largest index first', async () => {
  const started: number[] = [];
  const writeInThread = async ({ runs }: SearchTask) => {
    started.push(runs[0]?.termChars ?? 0);
    return { files: [], reusedFiles: 0 };
  };
  const words = ['a', 'aaa', 'aa'];
  const runs = new Map(words.map((word) => [word, runOf(word)]));
  const output = { adopt: () => [], reuseAll: async () => null, write: () => Promise.reject(new Error()) };
  await publishSearch(site, partitions, runs, '', null, output, writeInThread);
  expect(started).toEqual(started.toSorted((a, b) => b - a));
  expect(new Set(started).size).toBe(3);
});
