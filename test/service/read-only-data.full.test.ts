import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runLectern, serveSeed } from '../support/lectern.ts';
import { canMount, mountDisk, unmountDisk } from '../support/mounted-disk.ts';
import { collectGarbage } from '../support/open-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Root may write whatever the mode of a file says: a disk is mounted read-only for it. */
const isRoot = process.getuid?.() === 0;

/** A folder that can be made read-only. */
function makeDisk(): { readonly folder: string; readonly makeReadOnly: () => void } {
  const parent = temporaryFolder();
  const folder = join(parent, 'disk');
  mkdirSync(folder);
  if (isRoot) {
    mountDisk(folder, 'size=4m');
    onTestFinished(() => unmountDisk(folder));
    return { folder, makeReadOnly: () => mountDisk(folder, 'remount,ro') };
  }
  const change = (mode: number) => {
    for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }))
      chmodSync(join(parentPath, name), mode);
    chmodSync(folder, mode);
  };
  onTestFinished(() => change(0o755));
  return { folder, makeReadOnly: () => change(0o555) };
}

it.skipIf(isRoot && !canMount).each(['made before', 'new'])(
  'a data file on a read-only disk, %s, is a clear error',
  async (what) => {
    const { folder, makeReadOnly } = makeDisk();
    if (what === 'made before') {
      const seed = join(temporaryFolder(), 'seed.json');
      writeFileSync(seed, '{"articles":[{"title":"First"}]}');
      await (await serveSeed(seed, folder)).stop();
      await collectGarbage();
    }
    makeReadOnly();
    const serve = ['serve', '--port', '0'];
    for (const command of what === 'new' ? [serve] : [serve, ['service', 'keys', 'create', 'writer']]) {
      const args = [...command, '--data', join(folder, 'knowledge-base.sqlite')];
      const { code, stdout, stderr } = await runLectern(args, { cwd: temporaryFolder() });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^error DATA_UNUSABLE: .*knowledge-base\.sqlite.*\nhint: .*\n$/);
    }
  },
  120_000,
);
