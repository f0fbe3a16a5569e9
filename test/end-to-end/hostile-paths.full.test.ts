import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLectern } from '../support/lectern.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';

let project: OfflineProject;
beforeEach(async () => {
  project = createOfflineProject();
  const texts = { en: { title: 'One', body: '<p>Text.</p>' } };
  await project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts }], []);
});

const redirect = (from: string) => ({ redirects: { formats: ['html'], rules: [{ from, to: '/en/' }] } });

describe('a build writes nothing outside of its output and cache', () => {
  it.each<[string, object]>([
    ['urls.article', { urls: { article: '../../{id}' } }],
    ['urls.category', { urls: { category: '../{id}' } }],
    ['urls.article, with a backslash', { urls: { article: '..\\{id}' } }],
    ['urls.category, with a slash', { urls: { category: '/../{id}' } }],
    ['redirects.rules', redirect('/../outside')],
    ['redirects.rules, percent-encoded', redirect('/%2e%2e/outside')],
    ['redirects.rules, with an encoded slash', redirect('/..%2Foutside')],
    ['redirects.rules, with a NUL', redirect('/a%00')],
    ['languages', { languages: ['../en'] }],
    ['site.look', { site: { look: '../../x' } }],
  ])('whatever %s says', async (_what, settings) => {
    const config = { siteUrl: 'https://help.example.com', out: 'inner/dist', ...settings };
    await writeFile(join(project.folder, 'lectern.config.json'), JSON.stringify(config));
    const { code, stderr } = await runLectern(['build', '--offline'], { cwd: project.folder });
    expect(stderr).toContain('error CONFIG_INVALID');
    expect(code).toBe(2);
    expect((await readdir(project.folder)).sort()).toEqual(['.lectern', 'lectern.config.json']);
  });

  it('and --report writes nothing into the output', async () => {
    await writeFile(join(project.folder, 'lectern.config.json'), '{"siteUrl":"https://help.example.com"}');
    await mkdir(join(project.folder, 'dist'));
    const args = ['build', '--offline', '--report', 'dist/en/report'];
    const { code, stderr } = await runLectern(args, { cwd: project.folder });
    expect(stderr).toContain('error REPORT_UNWRITABLE: the report dist/en/report');
    expect(code).toBe(2);
    expect(await readdir(join(project.folder, 'dist'))).toEqual([]);
  });
});
