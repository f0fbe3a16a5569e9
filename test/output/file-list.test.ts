import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { fileListPath, formatFileList, readFileList } from '../../src/output/file-list.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let list: string;
beforeEach(() => {
  folder = temporaryFolder();
  list = join(folder, fileListPath);
});

function writeList(paths: readonly string[]): void {
  const listed = paths.map((path) => ({ path, sha256: hash('sha256', path) }));
  writeFileSync(list, formatFileList(listed));
}

it('a list of any length is read as it was written', () => {
  const paths = Array.from({ length: 5000 }, (_, at) => `en/article-${at}/index.html`).sort();
  writeList(paths);
  expect(readFileList(list)).toEqual(paths);
});

it('a list that was cut, is out of order or leads outside is none', () => {
  writeList(['a.html', 'b.html']);
  const bytes = readFileSync(list);
  expect(readFileList(list)).toEqual(['a.html', 'b.html']);
  writeFileSync(list, bytes.subarray(0, -3));
  expect(readFileList(list)).toBeNull();
  writeList(['b.html', 'a.html']);
  expect(readFileList(list)).toBeNull();
  writeList(['../gone.html', 'a.html']);
  expect(readFileList(list)).toBeNull();
  rmSync(list);
  expect(readFileList(list)).toBeNull();
});
