import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, statSync, utimesSync } from 'node:fs';
import { readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { acquireLock, type LockOptions } from '../../src/output/lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'lock');
});

const acquire = (options: Partial<LockOptions> = {}) => acquireLock(path, { folder, waitMs: 0, ...options });
const elsewhere = { pid: 1, host: 'pod-a', space: 'pod-a pid:[1]', started: 'boot/1' };

/** A program that acquires the lock and is killed when its file is made and still empty. */
const killedInLock = (lock: string) => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, content, options) => {
    writeFileSync(file, '', options);
    process.kill(process.pid, 'SIGKILL');
  };
  syncBuiltinESMExports();
  const { acquireLock } = await import(${JSON.stringify(new URL('../../lib/output/lock.js', import.meta.url))});
  await acquireLock(${JSON.stringify(lock)}, { folder: '' });
`;

/** Leaves the lock file of another run. */
async function leaveLock(content: string, ageSeconds: number): Promise<string> {
  const file = join(path, 'other');
  mkdirSync(path);
  await writeFile(file, content);
  const time = Date.now() / 1000 - ageSeconds;
  await utimes(file, time, time);
  return file;
}

describe('acquireLock', () => {
  it('leaves no files behind when it is released', async () => {
    const lock = await acquire();
    lock.release();
    lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes over immediately if the process of this machine has ended', async () => {
    const lock = await acquire();
    const [own = ''] = await readdir(path);
    const self = JSON.parse(await readFile(join(path, own), 'utf8')) as typeof elsewhere;
    lock.release();
    // No process has this id: it is above the kernel's limit.
    await leaveLock(JSON.stringify({ ...self, pid: 2 ** 22 + 1 }), 0);
    (await acquire()).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['of a run in another container', JSON.stringify(elsewhere)],
    [
      'of a container with the host name of this one',
      JSON.stringify({ ...elsewhere, host: hostname(), space: `${hostname()} pid:[1]` }),
    ],
    ['without content', ''],
    ['that has only zeros, as after a power cut', '\0'.repeat(100)],
  ])(
    'respects a lock %s for five minutes after its last sign of life, and no longer',
    async (_what, content) => {
      const file = await leaveLock(content, 290);
      await expect(acquire()).rejects.toMatchObject({
        code: 'LOCKED',
        message: expect.stringContaining('(last active 290 s ago)'),
      });
      await utimes(file, 0, 0);
      (await acquire()).release();
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('takes no notice of a lock file that is still being written, and removes it when its run was killed', async () => {
    const file = await leaveLock('', 290);
    await rename(file, `${file}.new`);
    await writeFile(join(path, 'young.new'), '');
    const lock = await acquire();
    expect((await readdir(path)).filter((name) => name.endsWith('.new'))).toEqual(['young.new']);
    lock.release();
    await utimes(join(path, 'young.new'), 0, 0);
    (await acquire()).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not wait for a run that was killed while it wrote its lock file', async () => {
    const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', killedInLock(path)]);
    expect([status, signal]).toEqual([null, 'SIGKILL']);
    expect(await readdir(path)).toHaveLength(1);
    (await acquire()).release();
  });

  it('waits until the other run releases the lock, and reports it once', async () => {
    const first = await acquire();
    const told: string[] = [];
    const second = acquire({ waitMs: 60_000, onWait: (message) => told.push(message) });
    await expect.poll(() => told.length).toBe(1);
    first.release();
    (await second).release();
    expect(told).toEqual([
      `waiting for another run to finish (process ${process.pid} on ${hostname()} uses ${folder})`,
    ]);
  });

  it('waits longer for a run that does not respond: until its lock is stale', async () => {
    const file = await leaveLock(JSON.stringify(elsewhere), 290);
    const lock = acquire({ waitMs: 1, onWait: () => utimesSync(file, 0, 0) });
    (await lock).release();
  });

  it('shows signs of life', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const lock = await acquire();
    const [name = ''] = await readdir(path);
    const ageMs = () => Date.now() - statSync(join(path, name)).mtimeMs;
    utimesSync(join(path, name), 0, 0);
    vi.advanceTimersByTime(6000);
    expect(ageMs()).toBeLessThan(5000);
    lock.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails a suspended run whose lock another run took over, without releasing that lock', async () => {
    const first = await acquire();
    const [name = ''] = await readdir(path);
    await writeFile(join(path, name), JSON.stringify(elsewhere));
    await utimes(join(path, name), 0, 0);
    const second = await acquire();
    expect(() => first.assertHeld()).toThrow(expect.objectContaining({ code: 'LOCKED' }));
    first.release();
    second.assertHeld();
    second.release();
  });

  it('is held by one of many processes that find stale locks at the same time', async () => {
    const racer = join(import.meta.dirname, 'support/lock-racer.mjs');
    const run = promisify(execFile);
    const racers = Array.from({ length: 6 }, () => run(process.execPath, [racer, folder, '20']));
    expect((await Promise.all(racers)).map(({ stderr }) => stderr)).toEqual(Array(6).fill(''));
  });
});
