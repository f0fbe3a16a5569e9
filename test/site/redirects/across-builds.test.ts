import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOfflineProject, type OfflineProject } from '../../support/offline-project.ts';

let project: OfflineProject;

beforeEach(() => {
  project = createOfflineProject();
});

const write = (title: string) =>
  project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title, body: '<p>Text.</p>' } } }], []);
const redirects = () => readFile(join(project.out, '_redirects'), 'utf8');
const renamed = '/en/article/aaaaaaaaaa-one /en/article/aaaaaaaaaa-two/ 301';

describe('a build after an article was renamed', () => {
  it('redirects its old URL to the new one, also when the build is repeated', async () => {
    await write('One');
    await project.build();
    await write('Two');
    await project.build();
    expect(await redirects()).toContain(renamed);
    await project.build({ redirects: { movedFrom: [] } });
    expect(await redirects()).toBe(`${renamed}\n`);
  });

  it('uses the published history if the output is missing', async () => {
    await write('One');
    await project.build();
    const published = join(project.folder, 'published');
    await rename(project.out, published);
    await write('Two');
    await project.build({}, { since: published });
    expect(await redirects()).toContain(renamed);
  });
});
