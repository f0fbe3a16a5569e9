import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExclusionReason } from '../../src/core/model.ts';
import type { ChangeRecord } from '../../src/feed/records/record-schemas.ts';
import { recordsIn } from '../support/feed-records.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';

let project: OfflineProject;

beforeEach(() => {
  project = createOfflineProject();
});

const guarded = { allowMassDelete: false };

/** Numbered articles in these languages. */
const articles = (count: number, ...languages: string[]): WrittenArticle[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `article${String(index).padStart(3, '0')}`,
    categoryId: null,
    texts: Object.fromEntries(
      languages.map((tag) => [tag, { title: `Title ${index}`, body: '<p>Text.</p>' }]),
    ),
  }));

const published = (path: string): Promise<string> => readFile(join(project.out, path), 'utf8');

/** What run 2 deleted, and why. */
const reasons = async () =>
  recordsIn<ChangeRecord>(await published('feed/changes/2.jsonl')).flatMap((change) =>
    change.op === 'delete' ? [[change.id, change.reason]] : [],
  );

describe('a run that would publish no page', () => {
  it('fails, names the languages, and does not change the previous output', async () => {
    await project.write(articles(2, 'en'), []);
    await project.build();
    const before = await published('index.html');
    await expect(project.build({ languages: ['fr'] }, guarded)).rejects.toMatchObject({
      code: 'NOTHING_TO_PUBLISH',
      message: 'the site would have no articles: no article is published in fr',
      exitCode: 1,
    });
    expect(await published('index.html')).toBe(before);
  });

  it('fails the first time, too', async () => {
    await project.write([], []);
    await expect(project.build({}, guarded)).rejects.toMatchObject({
      code: 'NOTHING_TO_PUBLISH',
      message: 'the site would have no articles',
    });
  });

  it('publishes a root, a home page and an empty feed with allowMassDelete', async () => {
    await project.write(articles(2, 'en'), []);
    await project.build();
    await project.write([], []);
    const report = await project.build();
    expect(report.articles).toBe(0);
    for (const path of ['index.html', '404.html', 'en/index.html', 'en/search/index.html']) {
      expect(await published(path)).toContain('<!doctype html>');
    }
    expect(await published('robots.txt')).toContain('User-agent');
    expect(await published('en/index.html')).toContain('No articles yet.');
    const { changes, languages } = JSON.parse(await published('feed/manifest.json'));
    // Reading no document is less than reading two deletions.
    expect([changes, languages]).toEqual([
      undefined,
      [{ language: 'en', name: 'English', title: 'Help centre', documents: 0, chunks: 0, tokens: 0 }],
    ]);
  });
});

describe('a run that would drop a published language', () => {
  it('fails when the configuration no longer names it', async () => {
    await project.write(articles(2, 'en', 'de'), []);
    await project.build();
    await expect(project.build({ languages: ['en'] }, guarded)).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: 'de is published (2 documents), but "languages" does not include it',
    });
    await project.build({ languages: ['de', 'en'] }, guarded);
  });

  it('writes language-removed and other reasons correctly in the changes', async () => {
    // Deletions are published only if they are smaller than what stays.
    const others = articles(9, 'en').slice(3);
    await project.write([...articles(3, 'en', 'de'), ...others], []);
    await project.build();
    const excluded = new Map<string, ExclusionReason>([['article001', 'draft']]);
    await project.write([...articles(1, 'en', 'de'), ...articles(3, 'de').slice(2), ...others], [], {
      excluded,
    });
    await project.build({ languages: ['en'] });
    expect(await reasons()).toEqual([
      ['a-article000-de', 'language-removed'],
      ['a-article001-de', 'unpublished'],
      ['a-article001-en', 'unpublished'],
      ['a-article002-de', 'language-removed'],
      ['a-article002-en', 'translation-withdrawn'],
    ]);
  });
});

describe('a slow loss', () => {
  const build = (count: number, day: number, allowMassDelete = false) =>
    project
      .write(articles(count, 'en'), [])
      .then(() =>
        project.build({}, { allowMassDelete, now: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z` }),
      );

  it('is compared with the largest count of the last 30 days, not only with the last run', async () => {
    await build(20, 1);
    await build(17, 2);
    await expect(build(15, 3)).rejects.toMatchObject({
      code: 'MASS_DELETE',
      message: '15 documents, down from 20 on 2026-01-01: a drop of more than 20%',
    });
    await expect(build(15, 4)).rejects.toMatchObject({ code: 'MASS_DELETE' });
    expect((await build(16, 5)).articles).toBe(16);
  });

  it('starts from the accepted count after --allow-mass-delete', async () => {
    await build(20, 1);
    await build(15, 2, true);
    expect((await build(12, 3)).articles).toBe(12);
    await expect(build(11, 4)).rejects.toMatchObject({ message: expect.stringContaining('down from 15') });
  });
});
