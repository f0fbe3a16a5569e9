import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../../src/core/config/schema.ts';
import { startPreview } from '../../../src/pipeline/preview/start-preview.ts';
import { createOfflineProject } from '../../support/offline-project.ts';

it('shows what the next fetch finds, and builds once for it', async () => {
  const project = createOfflineProject();
  const write = (body: string) =>
    project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title: 'One', body } } }], []);
  await write('<p>First.</p>');
  await project.build();
  let built = 0;
  const server = await startPreview({
    loadConfig: async () => configSchema.parse({ siteUrl: 'https://help.example.com' }),
    configFiles: [],
    folder: project.folder,
    port: 0,
    // As a build does, it reads the snapshot and writes none.
    async rebuild() {
      built += 1;
      await project.build();
      return [];
    },
    onNote: () => {},
    onProblems: () => {},
  });
  onTestFinished(() => server.close());
  const read = async () => (await fetch(new URL('/en/article/aaaaaaaaaa-one/', server.url))).text();
  expect(await read()).toContain('First.');
  await write('<p>Second.</p>');
  await expect.poll(read).toContain('Second.');
  await expect.poll(() => built).toBe(1);
  // The page still shows it, and reading the snapshot is no reason for another build.
  await setTimeout(1000);
  expect(await read()).toContain('Second.');
  expect(built).toBe(1);
});
