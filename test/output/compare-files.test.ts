import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareFiles } from '../../src/output/last-output.ts';

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
    const files = [file('same.txt', 'same'), file('en/changed.txt', 'after'), file('added.txt', 'new')];
    expect(await compareFiles(folder, files)).toEqual({
      added: ['added.txt'],
      changed: ['en/changed.txt'],
      removed: ['en/removed.txt'],
    });
  });

  it('reports everything as added if there was no output', async () => {
    expect(await compareFiles(join(folder, 'none'), [file('a', '')])).toMatchObject({
      added: ['a'],
      removed: [],
    });
  });
});
