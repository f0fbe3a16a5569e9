import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStaging } from '../../src/output/staging.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { canMount, mountDisk, unmountDisk } from '../support/mounted-disk.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

let disk: string;
let out: string;

const article = (body: string) => ({
  id: 'aaaaaaaaaa',
  categoryId: null,
  texts: { en: { title: 'Article', body } },
});
const readPage = () => readFile(join(out, 'en/article/aaaaaaaaaa-article/index.html'), 'utf8');

describe.skipIf(!canMount)(`an output on a disk that${canMount ? '' : ' (needs root)'}`, () => {
  let project: OfflineProject;
  let page: string;
  beforeAll(async () => {
    disk = mkdtempSync(join(tmpdir(), 'lectern-disk-'));
    out = join(disk, 'dist');
    mountDisk(disk, 'size=4m');
    project = createOfflineProject();
    await project.write([article('<p>Short.</p>')], []);
    await project.build({ out });
    page = await readPage();
  });
  afterAll(() => {
    unmountDisk(disk);
    rmSync(disk, { recursive: true });
  });

  it('is full fails with a hint and keeps the old output, which the next run replaces as soon as there is space', async () => {
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

  it('became read-only fails with a hint and keeps the old output', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    await expect(openStaging(out)).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
      message: expect.stringContaining('EROFS'),
    });
    expect(await readPage()).toBe(page);
  });
});

describe.skipIf(!canMount)(
  `an output folder that is a disk of its own${canMount ? '' : ' (needs root)'}`,
  () => {
    it('cannot be replaced, which is reported, and is unchanged', async () => {
      const project = createOfflineProject();
      try {
        await project.write([article('<p>Old.</p>')], []);
        await project.build();
        const files = await readTree(project.out);
        mountDisk(project.out, 'size=4m');
        writeTree(project.out, Object.fromEntries(files));
        await project.write([article('<p>New.</p>')], []);
        await expect(project.build()).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
        expect(await readTree(project.out)).toEqual(files);
        expect(await readdir(project.folder)).toEqual(['.lectern', 'dist']);
      } finally {
        unmountDisk(project.out);
      }
    });
  },
);
