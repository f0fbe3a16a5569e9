import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { hashTree } from '../support/hash-tree.ts';
import { runLecternProcess } from '../support/lectern.ts';
import { createOfflineProject, type WrittenArticle } from '../support/offline-project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A build that starts no thread would not show what threads do.
const listener = "data:text/javascript,process.on('worker',()=>console.error('[thread]'))";
const env = { NODE_OPTIONS: `--import=${listener}` };

it('publishes a site of 600 pages by the command, which starts threads for it', async () => {
  const project = createOfflineProject();
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
  const args = ['build', '--offline', '--quiet'];
  const { code, stderr } = await runLecternProcess(args, { cwd: project.folder, env });
  expect({ code, stderr: stderr.replaceAll('[thread]\n', '') }).toEqual({ code: 0, stderr: '' });
  expect(stderr).toContain('[thread]');
  const published = Object.keys(await hashTree(project.out));
  expect(published.filter((path) => /tit(?:le|el)-\d+\/index\.html$/.test(path))).toHaveLength(600);
});

it.skipIf(availableParallelism() === 1)(
  'publishes 300 files of Markdown, most of which a thread renders',
  async () => {
    const folder = temporaryFolder();
    const numbers = Array.from({ length: 300 }, (_, number) => number);
    const files = numbers.map((number) => [
      `docs/p${number}.md`,
      `# Page ${number}\n\nText **number ${number}**, then [the next](p${(number + 1) % 300}.md).\n`,
    ]);
    // Markdown that would take too long: some here, some in the thread.
    const deep = Array.from({ length: 9 }, (_, number) => `z${number}`);
    for (const name of deep) files.push([`docs/${name}.md`, `# Deep\n\n${'> '.repeat(150)}quoted\n`]);
    writeTree(folder, Object.fromEntries(files));
    const args = ['build', 'docs', '--site-url', 'https://help.example.com', '--report', 'report.json'];
    const { code, stderr } = await runLecternProcess(args, { cwd: folder, env });
    expect([code, stderr.split('\n').filter((line) => line === '[thread]')]).toEqual([0, ['[thread]']]);
    for (const number of numbers) {
      const page = readFileSync(join(folder, `dist/p${number}/index.html`), 'utf8');
      expect(page).toContain(`<strong>number ${number}</strong>`);
      expect(page).toMatch(new RegExp(`href="[^"]*p${(number + 1) % 300}/[^"]*">the next<`));
    }
    for (const name of deep)
      expect(readFileSync(join(folder, `dist/${name}/index.html`), 'utf8')).toContain('&gt; &gt;');
    const report = readFileSync(join(folder, 'report.json'), 'utf8');
    expect(report.match(/TEXT_TOO_COMPLEX/g)).toHaveLength(deep.length);
  },
);
