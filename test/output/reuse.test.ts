import { hash } from 'node:crypto';
import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeFileList } from '../../src/output/file-list.ts';
import { openStaging, type Staging } from '../../src/output/staging.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type RememberedOutputs, rememberOutputs } from './support/remember-outputs.ts';

let folder: string;
const out = () => join(folder, 'dist');
let remembered: RememberedOutputs;
const inOut = (path: string) => join(out(), path);

beforeEach(() => {
  folder = temporaryFolder();
  remembered = rememberOutputs(out);
});

const page = 'en/index.html';
const text = 'The same line again.\n'.repeat(200);
const knows = (content: string) => ({ sha256: hash('sha256', content), bytes: Buffer.byteLength(content) });

/** A run: what it writes, the commit, and what it remembers. */
async function run(write: (staging: Staging) => Promise<unknown>, builtAt = '1'): Promise<void> {
  const staging = await openStaging(out(), remembered.readPublished);
  await staging.write('feed/manifest.json', `{"built_at":${builtAt}}`);
  await write(staging);
  await writeFileList(staging);
  await remembered.commit(staging);
}

/** Asks the next run, which is given up. */
async function ask<T>(question: (staging: Staging) => T | Promise<T>): Promise<T> {
  const staging = await openStaging(out(), remembered.readPublished);
  try {
    return await question(staging);
  } finally {
    await staging.discard();
  }
}

/** The page of the last output, if it is as it was published. */
const findPage = () => ask((staging) => staging.previous?.find(page) ?? null);

/** Changes a file without a trace in its size and time. */
function alter(path: string): void {
  const { atime, mtime } = statSync(inOut(path));
  writeFileSync(inOut(path), readFileSync(inOut(path), 'utf8').replace(/[Ta]/, 'X'));
  utimesSync(inOut(path), atime, mtime);
}

describe('a file that has not changed', () => {
  beforeEach(async () => {
    await run(async (staging) => {
      await staging.write(page, text);
      await staging.write('de/größe.txt', 'Größe');
    });
    utimesSync(inOut(page), 1000, 1000);
    await run(async (staging) => {
      await staging.write(page, text);
      await staging.write('de/größe.txt', 'Größe');
    });
  });

  it('is linked from the last output, as often as there are runs', async () => {
    const inode = statSync(inOut(page)).ino;
    for (const builtAt of ['2', '3']) {
      await run(async (staging) => {
        const reused = await staging.reuseAll([page, 'de/größe.txt']);
        expect(reused?.[0]).toMatchObject({ path: page, ...knows(text) });
      }, builtAt);
      expect(statSync(inOut(page)).ino).toBe(inode);
      // Their number does not grow, because disks limit it.
      expect(statSync(inOut(page)).nlink).toBe(1);
    }
  });

  it('is listed among the files, and is refused twice', async () => {
    await ask(async (staging) => {
      await staging.reuseAll(['de/größe.txt']);
      expect([...staging.files()]).toEqual([{ path: 'de/größe.txt', ...knows('Größe') }]);
      await expect(staging.reuseAll(['de/größe.txt'])).rejects.toMatchObject({ code: 'OUTPUT_CONFLICT' });
    });
  });

  it.each<[string, () => void]>([
    ['was edited, with the same size and time', () => alter(page)],
    ['grew', () => [appendFileSync(inOut(page), 'x'), utimesSync(inOut(page), 1000, 1000)]],
    ['is gone', () => rmSync(inOut(page))],
    [
      'became a link',
      () => [renameSync(inOut(page), join(folder, 'x')), symlinkSync(join(folder, 'x'), inOut(page))],
    ],
  ])('is not kept when it %s', async (_what, change) => {
    expect(await findPage()).not.toBeNull();
    change();
    expect(await findPage()).toBeNull();
  });

  it('is not read unless it changed since the last run ended', async () => {
    expect(await ask((staging) => staging.previous?.touchedMs())).toBeNull();
    alter(page);
    expect(await ask((staging) => staging.previous?.touchedMs())).toBe(statSync(inOut(page)).ctimeMs);
  });

  it('is kept when only its time is another: then its content decides', async () => {
    utimesSync(inOut(page), 1001, 1001);
    expect(await findPage()).toMatchObject({ path: page, ...knows(text) });
    expect(await ask((staging) => staging.previous?.find(page)?.sha256)).toBe(knows(text).sha256);
  });

  it('of an unknown output is read for its hash', async () => {
    remembered.forget();
    expect(await findPage()).toMatchObject(knows(text));
    alter(page);
    expect(await findPage()).not.toMatchObject(knows(text));
  });

  it('is kept when output and record were moved together', async () => {
    const moved = join(temporaryFolder(), 'moved');
    renameSync(folder, moved);
    folder = moved;
    expect(await findPage()).not.toBeNull();
  });

  it('is found among thousands', async () => {
    const paths = Array.from({ length: 3000 }, (_none, at) => `a/${at}-文.txt`);
    await run(async (staging) => {
      for (const path of paths) await staging.write(path, path);
    });
    await ask((staging) => {
      for (const path of paths) expect(staging.previous?.find(path)).toMatchObject({ path, ...knows(path) });
      expect(staging.previous?.find('a/3000-文.txt')).toBeNull();
    });
  });
});

describe('all files of a group', () => {
  const group = ['a/one.html', 'a/two.html', 'b/three.html'] as const;
  const writeGroup = async (staging: Staging) => {
    for (const path of group) await staging.write(path, path);
  };
  const reuseGroup = () =>
    ask(async (staging) => [await staging.reuseAll(group), Array.from(staging.files(), ({ path }) => path)]);
  beforeEach(() => run(writeGroup));

  it('are kept together', async () => {
    const inodes = group.map((path) => statSync(inOut(path)).ino);
    await run(async (staging) => {
      expect(await staging.reuseAll(group)).toMatchObject(group.map((path) => ({ path, ...knows(path) })));
      expect([...staging.files()].map(({ path }) => path)).toEqual([...group, 'feed/manifest.json']);
    });
    expect(group.map((path) => statSync(inOut(path)).ino)).toEqual(inodes);
  });

  it.each<[string, () => void]>([
    ['is gone', () => rmSync(inOut(group[2]))],
    ['was edited, with the same size and time', () => alter(group[1])],
    ['is unknown', () => remembered.forget()],
  ])('are not kept, not even one of them, when one %s', async (_what, change) => {
    change();
    expect(await reuseGroup()).toEqual([null, []]);
  });

  it('are kept when only their times changed', async () => {
    for (const path of group) utimesSync(inOut(path), 1000, 1000);
    expect(await reuseGroup()).toMatchObject([group.map((path) => ({ path, ...knows(path) })), group]);
  });
});
