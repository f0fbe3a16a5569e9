import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

const articles = [
  { id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title: 'One', body: '<p>First.</p>' } } },
  { id: 'bbbbbbbbbb', categoryId: null, texts: { en: { title: 'Two', body: '<a href="/article/x">?</a>' } } },
];
let project: OfflineProject;

beforeEach(async () => {
  project = await createOfflineProject();
  await project.write(articles, []);
});
afterEach(() => project.remove());

/** The output folder itself is another one after a swap. */
const outputInode = async () => (await stat(project.out)).ino;
const page = () => join(project.out, 'en/article/aaaaaaaaaa-one/index.html');
const record = () => join(project.cache, 'last-run.json');

describe('a run after a run of the same', () => {
  it('leaves the output alone and reports the same', async () => {
    const first = await project.build();
    const inode = await outputInode();
    const second = await project.build();
    expect(await outputInode()).toBe(inode);
    expect(second).toEqual({ ...first, changes: 0 });
    expect(second.problems.length).toBeGreaterThan(0);
  });

  it('still fails a strict run on the warnings it remembers', async () => {
    await project.build();
    await expect(project.build({}, { strict: true })).rejects.toMatchObject({ code: 'STRICT' });
  });

  it('puts back what somebody changed or deleted in the output', async () => {
    await project.build();
    const before = await readFile(page(), 'utf8');
    await writeFile(page(), 'changed');
    await project.build();
    expect(await readFile(page(), 'utf8')).toBe(before);
    await rm(page());
    await project.build();
    expect(await readFile(page(), 'utf8')).toBe(before);
  });

  it.each([
    ['the knowledge base', () => project.write(articles.slice(0, 1), [])],
    ['a template', () => writeTemplate('hooks/footer-end.eta')],
    ['an interface text', () => writeTemplate('locales/en.json', '{"search":"Find"}')],
  ])('builds anew when %s changed', async (_what, change) => {
    await project.build();
    const inode = await outputInode();
    await change();
    await project.build();
    expect(await outputInode()).not.toBe(inode);
  });

  it('builds anew with another configuration or another version of the program', async () => {
    await project.build();
    const first = await outputInode();
    await project.build({ site: { title: 'Other' } });
    const second = await outputInode();
    await project.build({ site: { title: 'Other' } }, { generator: 'lectern next' });
    // The first folder is gone by now, and its inode may have been given away again.
    expect(second).not.toBe(first);
    expect(await outputInode()).not.toBe(second);
  });

  it.each([
    ['damaged', '{"format":"lectern-last-run","ver'],
    ['of another version', '{"format":"lectern-last-run","version":0}'],
    ['no record at all', '[]'],
  ])('builds anew when the record of the last run is %s', async (_what, text) => {
    await project.build();
    const inode = await outputInode();
    await writeFile(record(), text);
    await project.build();
    expect(await outputInode()).not.toBe(inode);
  });

  it('takes a record for what it is when cache and output were moved together', async () => {
    await project.build();
    const inode = await outputInode();
    const moved = `${project.folder}-moved`;
    await rename(project.folder, moved);
    try {
      const report = await project.build({}, { folder: moved });
      expect(report.out).toBe(join(moved, 'dist'));
      expect((await stat(join(moved, 'dist'))).ino).toBe(inode);
    } finally {
      await rename(moved, project.folder);
    }
  });
});

async function writeTemplate(name: string, text = '<p>Hello</p>'): Promise<void> {
  const file = join(project.folder, 'templates', name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
}
