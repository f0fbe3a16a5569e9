import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileTable } from '../../src/output/finalize-tree.ts';
import { createFolderMaker } from '../../src/output/staged-folder.ts';

test('A table lists the written files, sorted by path, but not reserved paths', () => {
  const table = new FileTable();
  const files = Array.from({ length: 1000 }, (_, index) => ({
    path: `${(index * 7919) % 1000}/語.html`,
    sha256: index.toString(16).padStart(64, 'f'),
    bytes: index * 2 ** 24,
  }));
  for (const { path } of files) table.claim(path);
  table.claim('only-claimed.html');
  table.claim('given-back.html');
  table.release('given-back.html');
  for (const file of files.toReversed()) table.set(file);
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  expect([...table.files()]).toEqual(sorted);
  expect(sorted.map(({ path }) => table.files().indexOf(path))).toEqual([...sorted.keys()]);
  expect(table.files().indexOf('only-claimed.html')).toBe(-1);
  expect(['only-claimed.html', 'given-back.html'].map((path) => table.has(path))).toEqual([true, false]);
});

test('Missing folders are created, in any order', () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-folders-'));
  const make = createFolderMaker(root);
  const folders = ['a/b/c', 'a/b', 'a/b/d', 'a/b/c', 'e', 'a/b/d/f', 'e', 'a/b/c'];
  for (const folder of folders) make(folder);
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});

test('A folder cannot be made below a file', () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-folders-'));
  writeFileSync(join(root, 'file'), '');
  expect(() => createFolderMaker(root)('file/below')).toThrow('ENOTDIR');
});
