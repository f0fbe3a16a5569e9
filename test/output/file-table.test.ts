import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSpillFile } from '../../src/foundation/spill-file.ts';
import { FileTable } from '../../src/output/file-table.ts';
import type { RecordedFile } from '../../src/output/last-output.ts';
import { createFolderMaker } from '../../src/output/staged-folder.ts';
import { fc } from '../support/properties.ts';

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
  expect(['only-claimed.html', 'given-back.html'].map((path) => table.has(path))).toEqual([true, false]);
});

/** Of every encoding; one is longer than a block of a run. */
const paths = [
  ...Array.from({ length: 6 }, (_none, at) => `en/${at}/index.html`),
  'de/größe.html',
  'es/\xff.html',
  'ja/日本語/index.html',
  '\ud800/half a pair',
  '😀',
  `${'long/'.repeat(2000)}index.html`,
  'a',
  'a-b',
  'a/b',
];

test('A table of any run size is like a map, whatever is done in which order', { tags: 'property' }, () => {
  const step = fc.record({
    act: fc.constantFrom('write', 'write', 'write', 'claim', 'release', 'list'),
    path: fc.constantFrom(...paths),
    time: fc.nat(),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 8 }),
      (steps, runFiles) => {
        const table = new FileTable(createSpillFile(null), runFiles);
        const claimed = new Set<string>();
        const written = new Map<string, RecordedFile>();
        const expectSame = (): void => {
          const sorted = [...written].sort(([a], [b]) => (a < b ? -1 : 1));
          expect([...table.recordedFiles()]).toEqual(sorted);
          expect([...table.files()]).toEqual(
            sorted.map(([path, { sha256, bytes }]) => ({ path, sha256, bytes })),
          );
          expect([...table.paths()]).toEqual(sorted.map(([path]) => path));
          expect(table.size).toBe(written.size);
          expect(paths.filter((path) => table.isWritten(path))).toEqual(
            paths.filter((path) => written.has(path)),
          );
          const known = paths.filter((path) => written.has(path) || claimed.has(path));
          expect(paths.filter((path) => table.has(path))).toEqual(known);
        };
        for (const { act, path, time } of steps) {
          if (act === 'list') expectSame();
          else if (act === 'release') {
            table.release(path);
            claimed.delete(path);
            written.delete(path);
          } else if (!written.has(path)) {
            claimed.add(path);
            table.claim(path);
            if (act === 'claim') continue;
            const stamp = time % 2 === 0 ? { mtimeMs: time + 0.5, inode: 2 ** 40 + time } : null;
            const file = { sha256: hash('sha256', `${time}`), bytes: time * 2 ** 20 };
            table.set({ path, ...file }, stamp);
            claimed.delete(path);
            written.set(path, { ...file, mtimeMs: Number.NaN, inode: Number.NaN, ...stamp });
          }
        }
        expectSame();
      },
    ),
  );
});

test('A list of files does not change while files are added, and may be read twice at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-table-'));
  const spill = createSpillFile(folder);
  const table = new FileTable(spill, 500);
  const add = (path: string): void => {
    table.claim(path);
    table.set({ path, sha256: hash('sha256', path), bytes: path.length });
  };
  const names = Array.from({ length: 7600 }, (_none, at) => `${(at * 7919) % 7600}`);
  for (const name of names) add(`a/${name}/index.html`);
  const before = [...table.files()];
  const files = table.files()[Symbol.iterator]();
  const others = table.files()[Symbol.iterator]();
  for (const [at, name] of names.entries()) {
    expect([files.next().value, others.next().value]).toEqual([before[at], before[at]]);
    add(`b/${name}`);
  }
  expect(files.next().done).toBe(true);
  expect(before.map(({ path }) => path)).toEqual(names.map((name) => `a/${name}/index.html`).sort());
  expect([...table.paths()]).toEqual(
    [...names.map((name) => `a/${name}/index.html`), ...names.map((name) => `b/${name}`)].sort(),
  );
  expect(() => table.set({ path: 'a/1/index.html', sha256: '', bytes: 0 })).toThrow('never claimed');
  spill.close();
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
