import { mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { processStart } from '../../src/output/lock.ts';
import { openStaging } from '../../src/output/staging.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let parent: string;
let out: string;

beforeEach(() => {
  parent = temporaryFolder();
  out = join(parent, 'dist');
});
const lock = () => join(parent, '.dist.lock');

/** What a run of this process writes into its lock. */
async function ownLock(): Promise<object> {
  const staging = await openStaging(out);
  const [name = ''] = await readdir(lock());
  const content: unknown = JSON.parse(await readFile(join(lock(), name), 'utf8'));
  await staging.discard();
  return content as object;
}

/** Leaves the lock of another run. */
async function leaveLock(owner: object): Promise<void> {
  await mkdir(lock());
  await writeFile(join(lock(), 'other'), JSON.stringify(owner));
}

/** Writes a whole output with the given text and commits it. */
async function publish(text: string): Promise<void> {
  const staging = await openStaging(out);
  await staging.write('feed/manifest.json', '{}');
  await staging.write('en/index.html', text);
  await staging.commit();
}

describe('openStaging', () => {
  it('shows nothing before the commit and everything after it', async () => {
    await publish('old');
    const staging = await openStaging(out);
    await staging.write('feed/manifest.json', '{}');
    await staging.write('en/index.html', 'new');
    expect(await readFile(join(out, 'en/index.html'), 'utf8')).toBe('old');
    await staging.commit();
    expect(await readFile(join(out, 'en/index.html'), 'utf8')).toBe('new');
    expect(await readdir(parent)).toEqual(['dist']);
  });

  it('leaves the old output unchanged if the run is discarded', async () => {
    await publish('old');
    const staging = await openStaging(out);
    await staging.write('en/index.html', 'new');
    await staging.discard();
    expect(await readFile(join(out, 'en/index.html'), 'utf8')).toBe('old');
    expect(await readdir(parent)).toEqual(['dist']);
  });

  it('gives hash and size of every file, sorted by path', async () => {
    const staging = await openStaging(out);
    const file = await staging.open('feed/big.txt');
    await file.write('a');
    await file.write('é');
    await file.close();
    await staging.write('a.txt', 'x');
    expect([...staging.files()]).toEqual([
      { path: 'a.txt', bytes: 1, sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' },
      {
        path: 'feed/big.txt',
        bytes: 3,
        sha256: '561951c2b8c47984b8b4b8ae1f173a03d9c703f66cf36f145e27bc6145499f74',
      },
    ]);
    await staging.discard();
  });

  it('refuses a second file at one path', async () => {
    const staging = await openStaging(out);
    await staging.write('a.txt', 'x');
    await expect(staging.write('a.txt', 'y')).rejects.toMatchObject({ code: 'OUTPUT_CONFLICT' });
    await staging.discard();
  });

  it.each(['../x', 'a/../../x', '..', '', '/x', 'a//x', './x', 'a/', 'a\\..\\x', 'x\0'])(
    'writes nothing at %j, whatever asks for it',
    async (path) => {
      const staging = await openStaging(out);
      const refused = { code: 'SITE_FILE_MISSING' };
      await expect(staging.write(path, 'x')).rejects.toMatchObject(refused);
      await expect(staging.open(path)).rejects.toMatchObject(refused);
      await staging.discard();
      expect(await readdir(parent)).toEqual([]);
    },
  );

  it('refuses to replace a folder that Lectern did not write', async () => {
    await mkdir(out);
    await writeFile(join(out, 'thesis.doc'), 'years of work');
    await expect(openStaging(out)).rejects.toMatchObject({ code: 'OUTPUT_FOREIGN_FILES', exitCode: 2 });
    expect(await readdir(parent)).toEqual(['dist']);
  });

  it('refuses a second run while one is writing, and accepts it afterwards', async () => {
    const first = await openStaging(out);
    await expect(openStaging(out, undefined, { waitMs: 0 })).rejects.toMatchObject({ code: 'LOCKED' });
    await first.discard();
    await (await openStaging(out)).discard();
  });

  it('takes over the lock and removes the staging folder of a run that was killed', async () => {
    await publish('old');
    const self = await ownLock();
    // No process has this id: it is above the kernel's limit.
    await leaveLock({ ...self, pid: 2 ** 22 + 1 });
    await mkdir(join(parent, '.dist.staging-abc/en'), { recursive: true });
    await publish('new');
    expect(await readdir(parent)).toEqual(['dist']);
  });

  it.runIf(processStart(process.pid)).each<[string, number]>([
    ['this one', process.pid],
    ['the parent of this one', process.ppid],
  ])(
    'takes over the lock of a killed run whose process id is used by another process: %s',
    async (_what, pid) => {
      await leaveLock({ ...(await ownLock()), pid, started: 'before/1' });
      await (await openStaging(out, undefined, { waitMs: 0 })).discard();
      expect(await readdir(parent)).toEqual([]);
    },
  );

  it.each([
    ['when', () => processStart(process.ppid)],
    ['without when', () => null],
  ])('respects a lock of a process that lives and says %s it began', async (_what, started) => {
    await leaveLock({ ...(await ownLock()), pid: process.ppid, started: started() });
    await expect(openStaging(out, undefined, { waitMs: 0 })).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('respects a lock of another machine', async () => {
    await leaveLock({ pid: 1, host: 'elsewhere', space: 'elsewhere' });
    await expect(openStaging(out, undefined, { waitMs: 0 })).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('does not replace the output when another run took over its lock meanwhile', async () => {
    await publish('old');
    const staging = await openStaging(out);
    await staging.write('en/index.html', 'new');
    for (const name of await readdir(lock())) await rm(join(lock(), name));
    await expect(staging.commit()).rejects.toMatchObject({ code: 'LOCKED' });
    await staging.discard();
    expect(await readFile(join(out, 'en/index.html'), 'utf8')).toBe('old');
  });

  it('puts the old output back when a run was killed between the two renames', async () => {
    await publish('old');
    await rename(out, join(parent, '.dist.previous'));
    const staging = await openStaging(out);
    expect(await readFile(join(out, 'en/index.html'), 'utf8')).toBe('old');
    await staging.discard();
  });

  it('replaces the target of a link, not the link', async () => {
    const target = join(parent, 'www/help');
    await mkdir(join(parent, 'www'));
    await symlink('www/help', out);
    await publish('old');
    await publish('new');
    expect(await readlink(out)).toBe('www/help');
    expect(await readFile(join(target, 'en/index.html'), 'utf8')).toBe('new');
    expect([await readdir(parent), await readdir(join(parent, 'www'))]).toEqual([['dist', 'www'], ['help']]);
  });

  it('reads files of the output it replaces', async () => {
    await publish('old');
    const staging = await openStaging(out);
    expect((await staging.readPrevious('en/index.html'))?.toString()).toBe('old');
    expect(await staging.readPrevious('en/none.html')).toBeNull();
    expect(await staging.readPrevious('en/index.html/below')).toBeNull();
    await staging.discard();
  });

  it('reads files of the output it replaces through links', async () => {
    await publish('old');
    await rename(join(out, 'en/index.html'), join(parent, 'kept.html'));
    await symlink('../../kept.html', join(out, 'en/index.html'));
    const staging = await openStaging(out);
    expect((await staging.readPrevious('en/index.html'))?.toString()).toBe('old');
    await staging.discard();
  });

  it('reads nothing if the output it replaces has a folder instead of a file', async () => {
    await publish('old');
    const staging = await openStaging(out);
    expect(await staging.readPrevious('en')).toBeNull();
    await staging.discard();
  });

  it('makes a folder that a web server may read', async () => {
    await publish('new');
    expect((await stat(out)).mode & 0o777).toBe(0o755);
  });

  it('keeps a file itself if and only if its content did not change', async () => {
    const publishBoth = async (page: string, feed: string): Promise<void> => {
      const staging = await openStaging(out);
      await staging.write('feed/manifest.json', '{}');
      await staging.write('en/index.html', page);
      const file = await staging.open('feed/big.txt');
      await file.write(feed);
      await file.close();
      await staging.commit();
    };
    const inodes = async (): Promise<readonly number[]> =>
      Promise.all(['en/index.html', 'feed/big.txt'].map(async (path) => (await stat(join(out, path))).ino));
    await publishBoth('page', 'feed');
    const first = await inodes();
    await publishBoth('page', 'fee2');
    const second = await inodes();
    await publishBoth('pag2', 'fee2');
    const third = await inodes();
    expect([second[0] === first[0], second[1] === first[1]]).toEqual([true, false]);
    expect([third[0] === second[0], third[1] === second[1]]).toEqual([false, true]);
    expect(await readFile(join(out, 'en/index.html'), 'utf8')).toBe('pag2');
    expect((await stat(join(out, 'feed/big.txt'))).nlink).toBe(1);
  });

  it('refuses an output that is a file, and leaves it', async () => {
    await writeFile(out, 'mine');
    await expect(openStaging(out)).rejects.toMatchObject({
      code: 'OUTPUT_FOREIGN_FILES',
      message: `${out} is a file, not a folder`,
      exitCode: 2,
    });
    expect(await readFile(out, 'utf8')).toBe('mine');
  });

  it('fails with a hint if the folder is not writable', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(openStaging(join(parent, 'file/dist'))).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
      exitCode: 1,
    });
  });
});
