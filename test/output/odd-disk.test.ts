import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStaging } from '../../src/output/staging.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

const disk = mkdtempSync(join(tmpdir(), 'lectern-disk-'));
const out = join(disk, 'dist');

const mountDisk = () =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'ignore' });
const unmountDisk = () => execFileSync('umount', [disk]);

/** Mounting a disk of one's own needs root and a kernel that lets it. */
function tryMount(): boolean {
  try {
    mountDisk();
    unmountDisk();
    return true;
  } catch {
    return false;
  }
}

const article = (body: string) => ({
  id: 'aaaaaaaaaa',
  categoryId: null,
  texts: { en: { title: 'Article', body } },
});
const readPage = () => readFile(join(out, 'en/article/aaaaaaaaaa-article/index.html'), 'utf8');

const canMount = tryMount();
if (!canMount) rmSync(disk, { recursive: true });

describe.skipIf(!canMount)(`an output on a disk that${canMount ? '' : ' (needs root)'}`, () => {
  let project: OfflineProject;
  let page: string;
  beforeAll(async () => {
    mountDisk();
    project = await createOfflineProject();
    await project.write([article('<p>Short.</p>')], []);
    await project.build({ out });
    page = await readPage();
  });
  afterAll(async () => {
    await project.remove();
    unmountDisk();
    rmSync(disk, { recursive: true });
  });

  it('is full says so and keeps the old output, which the next run replaces once there is room', async () => {
    const staging = await openStaging(out);
    await staging.write('feed/manifest.json', '{}');
    await expect(staging.write('en/index.html', 'x'.repeat(6_000_000))).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
      message: expect.stringContaining('ENOSPC'),
    });
    await staging.discard();
    const file = await openStaging(out).then(async (next) => ({
      next,
      file: await next.open('feed/big.txt'),
    }));
    await expect(
      (async () => {
        for (let piece = 0; piece < 80; piece++) await file.file.write('y'.repeat(100_000));
      })(),
    ).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
    await file.next.discard();
    expect(await readPage()).toBe(page);
  });

  it('has no room for a whole build keeps the old output', async () => {
    await project.write([article(`<p>${'word '.repeat(400_000)}</p>`)], []);
    await expect(project.build({ out })).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
    expect(await readPage()).toBe(page);
  });

  it('became read-only says so and keeps the old output', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    await expect(openStaging(out)).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
      message: expect.stringContaining('EROFS'),
    });
    expect(await readPage()).toBe(page);
  });
});
