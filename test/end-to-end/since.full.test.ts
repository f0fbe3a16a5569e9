import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import type { Manifest } from '../../src/feed/read/manifest.ts';
import { build } from '../../src/pipeline/build.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

let project: OfflineProject;

beforeEach(() => {
  project = createOfflineProject();
});

const write = (title: string) =>
  project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title, body: '<p>Text.</p>' } } }], []);

async function runOf(folder: string): Promise<Manifest['run']> {
  return (JSON.parse(await readFile(join(folder, 'feed/manifest.json'), 'utf8')) as Manifest).run;
}

async function seqOf(folder: string): Promise<number> {
  return (await runOf(folder)).seq;
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

  it('reports a missing feed to continue although nothing else changed', async () => {
    await write('One');
    await project.build();
    const { problems } = await project.build({}, { since: join(project.folder, 'nowhere') });
    expect(problems.map(({ code }) => code)).toEqual(['FEED_RESTARTED']);
  });

  it('is up to date only if it continues the feed that is published', async () => {
    await write('One');
    await project.build();
    const isUpToDate = async (since: string) => {
      let is = false;
      const onUpToDate = () => {
        is = true;
      };
      await project.build({}, { since, onUpToDate });
      return is;
    };
    expect(await isUpToDate(project.out)).toBe(true);
    expect(await isUpToDate(join(project.folder, 'nowhere'))).toBe(false);
  });
});

describe('a run without the last output', () => {
  const other = { newFeedId: 'f'.repeat(32) };

  it('starts a feed with another id and a later run, and warns once', async () => {
    await write('One');
    await project.build();
    await write('Two');
    await project.build();
    await rm(project.out, { recursive: true });
    const { problems } = await project.build({}, other);
    expect(problems.map(({ code }) => code)).toEqual(['FEED_RESTARTED']);
    expect(await runOf(project.out)).toMatchObject({ feed_id: other.newFeedId, seq: 3 });
    const again = await project.build();
    expect(again.problems).toEqual([]);
    await write('Three');
    await project.build();
    expect(await runOf(project.out)).toMatchObject({ feed_id: other.newFeedId, seq: 4 });
  });

  it('starts a feed with another id if an earlier output was restored, whether the articles changed or not', async () => {
    const copy = join(project.folder, 'copy');
    await write('One');
    await project.build();
    await cp(project.out, copy, { recursive: true, preserveTimestamps: true });
    await write('Two');
    await project.build();
    await rm(project.out, { recursive: true });
    await cp(copy, project.out, { recursive: true, preserveTimestamps: true });
    await write('One');
    await project.build({}, other);
    expect(await runOf(project.out)).toMatchObject({ feed_id: other.newFeedId, seq: 3 });
  });

  it('has a random id by default', async () => {
    await write('One');
    const ids = new Set<string>();
    for (const out of ['one', 'two']) {
      const { newFeedId: _, ...options } = project.options({});
      await build(configSchema.parse({ out }), options);
      ids.add((await runOf(join(project.folder, out))).feed_id);
    }
    expect([...ids]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
  });
});
