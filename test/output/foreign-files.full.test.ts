import {
  chmod,
  cp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

let project: OfflineProject;
beforeEach(async () => {
  project = createOfflineProject();
  await publish('One');
});

type Settings = NonNullable<Parameters<OfflineProject['build']>[0]>;

const edit = (title: string) =>
  project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title, body: '<p>Text.</p>' } } }], []);
async function publish(title: string, config: Settings = {}, options = {}) {
  await edit(title);
  return project.build(config, options);
}
const add = (path: string, content = 'mine') => writeTree(project.out, { [path]: content });
const read = (path: string) => readFile(join(project.out, path), 'utf8');

describe('files of the user in the output', () => {
  it.each([
    'CNAME',
    '.well-known/security.txt',
    'en/mine.html',
    'en/article/aaaaaaaaaa-one/notes/draft.txt',
    'a/b/c/d.txt',
    '.gitignore',
    'en/.git/config',
  ])('are not deleted: %s is refused by name, and everything stays as it was', async (path) => {
    add(path);
    const before = await readTree(project.out);
    await expect(publish('Two')).rejects.toMatchObject({
      code: 'OUTPUT_FOREIGN_FILES',
      message: `${project.out} contains files that Lectern did not write: ${path}`,
    });
    expect(await readTree(project.out)).toEqual(before);
    expect((await readdir(project.folder)).sort()).toEqual(['.lectern', 'dist']);
  });

  it('are named, the first five of them', async () => {
    for (const name of 'gfedcba') add(`${name}.txt`);
    await expect(publish('Two')).rejects.toMatchObject({
      message: expect.stringMatching(/: a\.txt, b\.txt, c\.txt, d\.txt, e\.txt and 2 more$/),
    });
  });

  it('are refused also when nothing else changed', async () => {
    add('CNAME');
    await expect(project.build()).rejects.toMatchObject({ code: 'OUTPUT_FOREIGN_FILES' });
  });

  it('are found without the cache, and without times', async () => {
    add('en/mine.html');
    await project.forget();
    await expect(publish('Two')).rejects.toMatchObject({ code: 'OUTPUT_FOREIGN_FILES' });
  });

  it.each<[string, () => Promise<void>]>([
    [
      'copied',
      async () => {
        await cp(project.out, join(project.folder, 'copy'), { recursive: true });
        await rm(project.out, { recursive: true });
        await rename(join(project.folder, 'copy'), project.out);
      },
    ],
    ['touched', () => utimes(join(project.out, 'feed/manifest.json'), new Date(), new Date())],
    ['given other rights', () => chmod(join(project.out, 'feed/manifest.json'), 0o600)],
  ])('are found in an output that was %s afterwards', async (_what, change) => {
    add('en/mine.html');
    await change();
    await expect(publish('Two')).rejects.toMatchObject({ code: 'OUTPUT_FOREIGN_FILES' });
  });

  it.each([
    ['is lost', () => rm(join(project.out, 'output-files.txt'))],
    ['is damaged', () => writeFile(join(project.out, 'output-files.txt'), 'CNAME\n')],
  ])('at the root are found also when the list of files %s', async (_what, change) => {
    await change();
    await publish('Two');
    add('CNAME');
    await change();
    await expect(publish('Three')).rejects.toMatchObject({ code: 'OUTPUT_FOREIGN_FILES' });
  });

  it('are not overwritten by a new file of the same name', async () => {
    add('de/index.html', 'mine');
    const texts = { en: { title: 'One', body: 'x' }, de: { title: 'Eins', body: 'x' } };
    await project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts }], []);
    await expect(project.build()).rejects.toMatchObject({ code: 'OUTPUT_FOREIGN_FILES' });
    expect(await read('de/index.html')).toBe('mine');
  });

  it('are no files that a previous build wrote and the next one does not, nor what systems leave', async () => {
    add('.DS_Store');
    add('en/Thumbs.db');
    await publish('Two');
    expect([...(await readTree(project.out)).keys()].filter((path) => path.includes('-one/'))).toEqual([]);
  });

  it('do not count as removed in the list of changed files, if they are a repository', async () => {
    add('.git/HEAD');
    const { changedFiles } = await publish(
      'One',
      {},
      {
        compareFiles: true,
        now: '2026-02-02T00:00:00.000Z',
      },
    );
    expect(changedFiles?.removed).toEqual([]);
  });

  it('may be a repository, which is not touched', async () => {
    add('.git/objects/aa/bb', 'object');
    add('.git/HEAD', 'ref: refs/heads/pages\n');
    await symlink('HEAD', join(project.out, '.git/link'));
    for (const title of ['Two', 'Three', 'Four']) await publish(title);
    expect(await read('.git/objects/aa/bb')).toBe('object');
    expect(await read('.git/HEAD')).toBe('ref: refs/heads/pages\n');
    expect(await readlink(join(project.out, '.git/link'))).toBe('HEAD');
    await rm(join(project.out, '.git'), { recursive: true });
    for (const title of ['Five', 'Six']) await publish(title);
    expect(await readdir(project.out)).not.toContain('.git');
  });

  it('may be a repository alone, before the first build', async () => {
    await rm(project.out, { recursive: true });
    add('.git', 'gitdir: ../.git/worktrees/dist\n');
    await publish('Two');
    expect(await read('.git')).toBe('gitdir: ../.git/worktrees/dist\n');
  });
});
