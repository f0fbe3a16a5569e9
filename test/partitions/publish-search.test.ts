import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { WrittenFile } from '../../src/output/output.ts';
import { type StoredRun, writeSearch } from '../../src/partitions/publish-search.ts';

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
