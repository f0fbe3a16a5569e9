import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WrittenFile } from '../../src/output/output.ts';
import { openPreviousOutput } from '../../src/output/previous-output.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const compareFiles = (files: readonly WrittenFile[]) =>
  openPreviousOutput(folder, null, () => false).compare(files);

const file = (path: string, text: string) => ({
  path,
  sha256: createHash('sha256').update(text).digest('hex'),
  bytes: text.length,
});

describe('the comparison with the previous output', () => {
  it('finds added, changed and removed files by content', async () => {
    await mkdir(join(folder, 'en'));
    for (const [path, text] of [
      ['same.txt', 'same'],
      ['en/changed.txt', 'before'],
      ['en/removed.txt', 'gone'],
    ] as const) {
      await writeFile(join(folder, path), text);
    }
    const files = [file('added.txt', 'new'), file('en/changed.txt', 'after'), file('same.txt', 'same')];
    expect(compareFiles(files)).toEqual({
      added: ['added.txt'],
      changed: ['en/changed.txt'],
      removed: ['en/removed.txt'],
    });
  });

  it('compares files of any names with those of folders that start alike', async () => {
    const paths = [
      'a b/c',
      'a',
      'a-b/d/e',
      'a-b.txt',
      'a.txt',
      'a0',
      'b/a',
      'b/a-b',
      'b-',
      'b.b/x',
      'ä',
      'z/😀',
      'z/ﬀ',
    ];
    for (const path of paths) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), path);
    }
    const sorted = paths.toSorted();
    const changes = { added: [], changed: [], removed: [] };
    expect(compareFiles(sorted.map((path) => file(path, path)))).toEqual(changes);
    expect(compareFiles([])).toEqual({ ...changes, removed: sorted });
  });

  it('compares the content of a file that was edited since', async () => {
    const before = { ...file('a', 'before'), mtimeMs: 1 };
    await writeFile(join(folder, 'a'), 'edited');
    const previous = openPreviousOutput(
      folder,
      { files: new Map([['a', before]]), finishedMs: 0 },
      () => false,
    );
    expect(previous.compare([before]).changed).toEqual(['a']);
    expect(previous.compare([file('a', 'edited')]).changed).toEqual([]);
  });
});
