import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { configSchema } from '../../src/core/config/schema.ts';
import { hashTree } from '../support/hash-tree.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';

// Threads run the compiled program, which `npm test` makes first.
const compiled = fileURLToPath(new URL('../../lib/pipeline/build.js', import.meta.url));

/** Enough text for several batches, of very different sizes, so that they are not ready in the order they were sent. */
const articles = Array.from({ length: 30 }, (_, index): WrittenArticle => {
  const id = String(index).padStart(10, '0');
  const paragraph = `<h2>Part ${index}</h2><p>See <a href="/article/0000000007">seven</a>. ${'Some words. '.repeat(40)}</p>`;
  const body = paragraph.repeat(index % 7 === 0 ? 60 : 4);
  return {
    id,
    categoryId: null,
    texts: { en: { title: `Title ${index}`, body }, de: { title: `Titel ${index}`, body } },
  };
});

const switches = {
  pagesPerPart: 4,
  apiKey: null,
  offline: true,
  allowMassDelete: false,
  insecureLoopback: false,
  strict: false,
  generator: 'lectern test',
  now: '2026-01-01T00:00:00.000Z',
  newFeedId: '0'.repeat(32),
};

let project: OfflineProject;
beforeEach(() => {
  project = createOfflineProject();
});

it('builds on the output of a build in threads', async () => {
  const { build } = (await import(compiled)) as typeof import('../../src/pipeline/build.ts');
  await project.write(articles, []);
  const config = configSchema.parse({ siteUrl: 'https://help.example.com' });
  const options = { ...switches, folder: project.folder, threads: 1 };
  await build(config, options);
  // The index of English stays as it is.
  const edited = articles.map((article, at) => {
    const { en, de } = article.texts;
    return at === 3 && en && de ? { ...article, texts: { en, de: { ...de, body: '<p>Neu</p>' } } } : article;
  });
  await project.write(edited, []);
  const { changes } = await build(config, options);
  expect(changes).toBe(1);
});

it('publishes the same bytes with any number of threads', async () => {
  const { build } = (await import(compiled)) as typeof import('../../src/pipeline/build.ts');
  await project.write(articles, []);
  const trees = [];
  for (const threads of [0, 1, 3]) {
    const out = `dist-${threads}`;
    const config = configSchema.parse({ siteUrl: 'https://help.example.com', out });
    const options = { ...switches, folder: project.folder, threads };
    await build(config, options);
    trees.push(await hashTree(join(project.folder, out)));
    // Or the next run would be given what this one made.
    await project.forget();
  }
  expect(trees[1]).toEqual(trees[0]);
  expect(trees[2]).toEqual(trees[0]);
});

it('reports a template error from any thread', async () => {
  const { build } = (await import(compiled)) as typeof import('../../src/pipeline/build.ts');
  await project.write(articles, []);
  await mkdir(join(project.folder, 'templates/hooks'), { recursive: true });
  // On one page only: threads that fail on several pages would report the one that fails first.
  const hook = `<% if (it.article.id === '${articles[20]?.id}') { %><%= it.article.nothing %><% } %>`;
  await writeFile(join(project.folder, 'templates/hooks/article-after.eta'), hook);
  const config = configSchema.parse({ siteUrl: 'https://help.example.com' });
  const failures = [];
  for (const threads of [0, 2]) {
    const failure = build(config, { ...switches, folder: project.folder, threads });
    failures.push(await failure.catch(({ code, message, hint }) => ({ code, message, hint })));
  }
  expect(failures[0]).toMatchObject({
    code: 'TEMPLATE_FAILED',
    message: expect.stringContaining('article-after.eta:1'),
  });
  expect(failures[1]).toEqual(failures[0]);
});

it('has no thread any more when everything is rendered, because threads hold most of the memory', async () => {
  const { build } = (await import(compiled)) as typeof import('../../src/pipeline/build.ts');
  await project.write(articles, []);
  const countPorts = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = countPorts();
  const seen: number[] = [];
  const onReport = async () => void seen.push(countPorts());
  const options = { ...switches, folder: project.folder, threads: 2, onReport };
  await build(configSchema.parse({ siteUrl: 'https://help.example.com' }), options);
  expect(seen).toEqual([before]);
});
