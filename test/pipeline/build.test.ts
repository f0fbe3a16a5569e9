import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { build } from '../../src/pipeline/library-build.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';
import { openFiles } from '../support/open-files.ts';
import { readTree } from '../support/read-tree.ts';

let project: OfflineProject;

beforeEach(() => {
  project = createOfflineProject();
});

const articles = (count: number): WrittenArticle[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `article${String(index).padStart(3, '0')}`,
    categoryId: null,
    texts: { en: { title: `Article ${index}`, body: `<p>Text ${index}.</p>` } },
  }));

describe('build', () => {
  it('reports no problem in a first run: there is no feed to continue', async () => {
    await project.write(articles(2), []);
    expect((await project.build()).problems).toEqual([]);
  });

  it('reports that the feed it should continue does not exist', async () => {
    await project.write(articles(2), []);
    const { problems } = await project.build({}, { since: join(project.folder, 'nowhere') });
    expect(problems.map(({ code }) => code)).toEqual(['FEED_RESTARTED']);
    expect(problems[0]?.message).toBe('no feed found at the URL or in the folder of --since');
  });

  it('restarts no feed for an empty --since, as of a variable that is not set', async () => {
    await project.write(articles(2), []);
    await project.build();
    const before = await readTree(project.out);
    await expect(project.build({}, { since: '' })).rejects.toMatchObject({ code: 'USAGE', exitCode: 2 });
    expect(await readTree(project.out)).toEqual(before);
  });

  it('tells a program the report of a strict run that fails', async () => {
    await project.write(articles(2), []);
    const told: string[] = [];
    const run = build(
      { languages: ['en', 'de'] },
      {
        folder: project.folder,
        offline: true,
        strict: true,
        onReport: ({ problems }) => {
          told.push(...problems.map(({ code }) => code));
        },
      },
    );
    await expect(run).rejects.toMatchObject({ code: 'STRICT' });
    expect(told.sort()).toEqual(['LANGUAGE_EMPTY', 'SITE_URL_MISSING']);
  });

  it('stops when its signal is aborted, and leaves the previous output and nothing else', async () => {
    await project.write(articles(2), []);
    await project.build();
    const before = await readTree(project.out);
    const names = await readdir(project.folder);
    const locks = async () => (await readdir(project.cache)).filter((name) => /lock/.test(name));
    await project.write(articles(300), []);
    for (const kind of ['before', 'rendering']) {
      const controller = new AbortController();
      const reason = new Error('enough');
      if (kind === 'before') controller.abort(reason);
      const run = build(
        {},
        {
          folder: project.folder,
          offline: true,
          allowMassDelete: true,
          signal: controller.signal,
          onProgress: (progress) => {
            if (progress.kind === kind) controller.abort(reason);
          },
        },
      );
      await expect(run).rejects.toBe(reason);
      expect(await readTree(project.out)).toEqual(before);
      expect([await readdir(project.folder), await locks()]).toEqual([names, []]);
    }
    expect((await project.build()).articles).toBe(300);
  });

  it.skipIf(process.platform !== 'linux')(
    'closes the snapshot that it opens while it is aborted',
    async () => {
      await project.write(articles(2), []);
      const controller = new AbortController();
      const run = build({}, { folder: project.folder, offline: true, signal: controller.signal });
      setImmediate(() => controller.abort(new Error('no')));
      await expect(run).rejects.toThrow('no');
      expect(await openFiles(project.folder)).toEqual([]);
    },
  );

  it('stops before it would empty the published feed, and leaves it as it was', async () => {
    await project.write(articles(10), []);
    await project.build();
    const manifest = join(project.out, 'feed/manifest.json');
    const before = await readFile(manifest, 'utf8');
    await project.write(articles(5), []);
    await expect(project.build({}, { allowMassDelete: false })).rejects.toMatchObject({
      code: 'MASS_DELETE',
    });
    expect(await readFile(manifest, 'utf8')).toBe(before);
    expect((await project.build({}, { allowMassDelete: true })).articles).toBe(5);
  });
});
