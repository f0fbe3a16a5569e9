import { readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockCache } from '../../src/output/lock-cache.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const lock = (cache: string) => lockCache(join(folder, cache), join(folder, 'dist'), {});
const write = (path: string, content: string) => writeTree(folder, { [path]: content });

/** The first bytes of a snapshot. */
const snapshot = `SQLite format 3${'\0'.repeat(53)}Lect\0`;

describe('lockCache', () => {
  it('makes the folder, and marks it as a cache for backup programs', async () => {
    (await lock('a/cache'))?.release();
    expect(await readdir(join(folder, 'a/cache'))).toEqual(['CACHEDIR.TAG']);
    expect(await readFile(join(folder, 'a/cache/CACHEDIR.TAG'), 'utf8')).toMatch(
      /^Signature: 8a477f597d28d172789f06886806bc55\n/,
    );
    (await lock('a/cache'))?.release();
  });

  it.each(['dist/.cache', 'dist', 'dist/a/b', 'other/../dist/x'])(
    'refuses the cache %s, since the output is replaced whole',
    async (cache) => {
      await expect(lock(cache)).rejects.toMatchObject({ code: 'CACHE_UNUSABLE', exitCode: 2 });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('names a cache that would do, as the default is inside an output that is the current folder', async () => {
    const refused = lockCache(join(folder, '.lectern'), folder, {});
    const other = join(dirname(folder), '.lectern');
    await expect(refused).rejects.toMatchObject({
      hint: `choose another output folder, or a cache outside of it, e.g. --cache ${other}`,
    });
  });

  it('sees through a link into the output', async () => {
    write('dist/x', '');
    await symlink('dist', join(folder, 'cache'));
    await expect(lock('cache')).rejects.toMatchObject({ code: 'CACHE_UNUSABLE' });
  });

  it.each([
    ['articles.json', '[]'],
    ['staging-base/thesis.doc', ''],
    ['CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n# of another program\n'],
    ['snapshot.db', 'SQLite format 3 of another program'],
  ])(
    'refuses a folder that holds %s and is no cache of Lectern, and changes nothing in it',
    async (path, content) => {
      write(`cache/${path}`, content);
      await expect(lock('cache')).rejects.toMatchObject({ code: 'CACHE_UNUSABLE', exitCode: 2 });
      expect(await readFile(join(folder, 'cache', path), 'utf8')).toBe(content);
      expect(await readdir(join(folder, 'cache'))).toEqual([path.split('/')[0]]);
    },
  );

  it.skipIf(process.platform !== 'linux')('refuses a folder of folders that have the size 0', async () => {
    // As on Windows.
    await expect(lockCache('/proc/sys', join(folder, 'dist'), {})).rejects.toMatchObject({
      code: 'CACHE_UNUSABLE',
    });
  });

  it.each([
    ['is empty but for hidden files', '.gitkeep', '# keep'],
    ['a killed run left before it wrote the mark', 'CACHEDIR.TAG', ''],
    ['a run left that found the disk full', 'build.db', ''],
    ['holds a snapshot and lost its mark', 'snapshot.db', snapshot],
  ])('takes a folder that %s', async (_what, path, content) => {
    write(`cache/${path}`, content);
    (await lock('cache'))?.release();
    expect((await readdir(join(folder, 'cache'))).sort()).toEqual(
      [...new Set(['CACHEDIR.TAG', path])].sort(),
    );
  });

  it.each(['', 'Signature: 0000000000000000\n'])(
    'writes a damaged mark anew, so that the next damage is not the end: %j',
    async (mark) => {
      write('cache/snapshot.db', snapshot);
      write('cache/CACHEDIR.TAG', mark);
      (await lock('cache'))?.release();
      write('cache/snapshot.db', '');
      await expect(lock('cache')).resolves.not.toBeNull();
    },
  );
});
