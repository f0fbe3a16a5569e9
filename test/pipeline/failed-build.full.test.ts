import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { openFiles } from '../support/open-files.ts';

const articles = ['a000000000', 'a000000001'].map((id) => ({
  id,
  categoryId: null,
  texts: { en: { title: id, body: '<p>Text.</p>' } },
}));

describe('a process whose build failed has no file open', () => {
  let project: OfflineProject;
  beforeEach(async () => {
    project = createOfflineProject();
    await project.write(articles, []);
  });

  it('if the cache belongs to another program', async () => {
    await project.build();
    for (const name of ['CACHEDIR.TAG', 'snapshot.db']) await rm(join(project.cache, name));
    await expect(project.build()).rejects.toMatchObject({ code: 'CACHE_UNUSABLE' });
    expect(await openFiles(project.folder)).toEqual([]);
  });
});
