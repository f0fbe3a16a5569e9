import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recallBuild } from '../../src/build/check-up-to-date.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { Manifest } from '../../src/feed/manifest.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

let project: OfflineProject;

beforeEach(async () => {
  project = await createOfflineProject();
});
afterEach(() => project.remove());

const write = (title: string) =>
  project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title, body: '<p>Text.</p>' } } }], []);

async function seqOf(folder: string): Promise<number> {
  const manifest = JSON.parse(await readFile(join(folder, 'feed/manifest.json'), 'utf8')) as Manifest;
  return manifest.run.seq;
}

describe('a run with --since', () => {
  it('continues the published feed that is ahead although its own folder is as the last run left it', async () => {
    const published = join(project.folder, 'published');
    await write('One');
    await project.build();
    await write('Two');
    await project.build({ out: 'published' }, { since: project.out });
    await write('One');
    await project.build({ out: 'published' }, { since: published });
    expect([await seqOf(project.out), await seqOf(published)]).toEqual([1, 3]);

    await project.forget();
    await cp(project.out, join(project.folder, 'stale'), { recursive: true });
    await project.build({ out: 'stale' });
    await project.build({ out: 'stale' }, { since: published });
    expect(await seqOf(join(project.folder, 'stale'))).toBe(3);
  });

  it('says that there is no feed to continue although nothing else changed', async () => {
    await write('One');
    await project.build();
    const { problems } = await project.build({}, { since: join(project.folder, 'nowhere') });
    expect(problems.map(({ code }) => code)).toEqual(['PREVIOUS_FEED_MISSING']);
  });

  it('is never answered from the last run alone', async () => {
    await write('One');
    await project.build();
    const config = configSchema.parse({ siteUrl: 'https://help.example.com' });
    expect(await recallBuild(config, project.options({}))).not.toBeNull();
    expect(await recallBuild(config, project.options({ since: project.out }))).toBeNull();
  });
});
