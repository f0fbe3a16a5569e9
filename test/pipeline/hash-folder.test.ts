import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashFolder } from '../../src/pipeline/hash-inputs.ts';
import { makePipe } from '../support/make-pipe.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = temporaryFolder();
  folder = join(root, 'templates');
  await mkdir(folder);
  await writeFile(join(folder, 'article.eta'), 'first');
});

const look = () => hashFolder(folder);
const edit = (path: string) => writeFile(join(root, path), 'changed');

describe('hashFolder', () => {
  it('is null for a folder that does not exist', () => {
    expect(hashFolder(join(root, 'none'))).toBeNull();
  });

  it('notices an edit next to a broken link, such as the lock file of Emacs', async () => {
    await symlink('somebody@machine.123:1700000000', join(folder, '.#article.eta'));
    const before = look();
    await edit('templates/article.eta');
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(look()).not.toBe(before);
  });

  it('notices that a link leads elsewhere', async () => {
    await symlink('nowhere', join(folder, 'link'));
    const before = look();
    await rm(join(folder, 'link'));
    await symlink('elsewhere', join(folder, 'link'));
    expect(look()).not.toBe(before);
  });

  it.each([
    ['file', 'shared/hook.eta'],
    ['folder', 'shared'],
  ])('notices an edit behind a link to a %s, unless it is outside', async (_what, target) => {
    for (const [shared, isInside] of [
      ['templates/shared', true],
      ['shared', false],
    ] as const) {
      await mkdir(join(root, shared));
      await edit(`${shared}/hook.eta`);
      const link = join(folder, `link-${isInside}`);
      await symlink(join(isInside ? '.' : '..', target), link);
      const before = look();
      await writeFile(join(root, shared, 'hook.eta'), 'changed again');
      expect(look() !== before).toBe(isInside);
      await rm(link);
    }
  });

  it('does not wait for a pipe or device, and notices when it is gone', async () => {
    const before = look();
    await makePipe(join(folder, 'pipe'));
    await symlink('/dev/zero', join(folder, 'zero'));
    const with2 = look();
    await rm(join(folder, 'pipe'));
    await rm(join(folder, 'zero'));
    expect(with2).not.toBe(before);
    expect(look()).toBe(before);
  });

  it.skipIf(process.platform === 'darwin')('describes files whose names are not UTF-8', async () => {
    await writeFile(Buffer.from(`${folder}/caf\xe9.eta`, 'latin1'), 'x');
    expect(look()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('ends if links lead in a circle', async () => {
    await mkdir(join(folder, 'a'));
    await mkdir(join(folder, 'b'));
    await symlink('..', join(folder, 'a/up'));
    await symlink('../b', join(folder, 'a/to-b'));
    await symlink('../a', join(folder, 'b/to-a'));
    const before = look();
    await edit('templates/b/file');
    expect(before).not.toBe(look());
  });
});
