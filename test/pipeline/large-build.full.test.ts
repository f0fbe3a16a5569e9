import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hashTree } from '../support/hash-tree.ts';
import { runLecternProcess } from '../support/lectern.ts';
import { createOfflineProject, type WrittenArticle } from '../support/offline-project.ts';

it('publishes a site of 600 pages by the command, which starts threads for it', async () => {
  const project = await createOfflineProject();
  onTestFinished(() => project.remove());
  const body = (text: string) => `<h2>Part</h2><p>${`${text} a sentence of a page. `.repeat(120)}</p>`;
  const large = Array.from({ length: 300 }, (_, index): WrittenArticle => {
    const texts = {
      en: { title: `Title ${index}`, body: body(`One ${index}`) },
      de: { title: `Titel ${index}`, body: body(`Eins ${index}`) },
    };
    return { id: String(index).padStart(10, '0'), categoryId: null, texts };
  });
  await project.write(large, []);
  await writeFile(join(project.folder, 'lectern.config.json'), '{"siteUrl":"https://help.example.com"}');
  // A build that starts no thread would not show what threads do.
  const listener = "data:text/javascript,process.on('worker',()=>console.error('[thread]'))";
  const args = ['build', '--offline', '--quiet'];
  const env = { NODE_OPTIONS: `--import=${listener}` };
  const { code, stderr } = await runLecternProcess(args, { cwd: project.folder, env });
  expect({ code, stderr: stderr.replaceAll('[thread]\n', '') }).toEqual({ code: 0, stderr: '' });
  expect(stderr).toContain('[thread]');
  const published = Object.keys(await hashTree(project.out));
  expect(published.filter((path) => /tit(?:le|el)-\d+\/index\.html$/.test(path))).toHaveLength(600);
});
