import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareFiles } from '../../src/output/compare-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-compare-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = (path: string, text: string) => ({
  path,
  sha256: createHash('sha256').update(text).digest('hex'),
  bytes: text.length,
});

describe('compareFiles', () => {
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
    expect(await compareFiles(folder, files)).toEqual({
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
    expect(
      await compareFiles(
        folder,
        sorted.map((path) => file(path, path)),
      ),
    ).toEqual(changes);
    expect(await compareFiles(folder, [])).toEqual({ ...changes, removed: sorted });
  });

  it('reports everything as added if there was no output', async () => {
    expect(await compareFiles(join(folder, 'none'), [file('a', '')])).toMatchObject({
      added: ['a'],
      removed: [],
    });
  });
});
