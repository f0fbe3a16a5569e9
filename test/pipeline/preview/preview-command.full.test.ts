import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, launchBrowser } from '../../support/browser.ts';
import { runLectern, serveSeed, startLectern } from '../../support/lectern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith } from '../../support/tools.ts';

const sample = join(import.meta.dirname, '../../../sample');
const builtInHome = join(import.meta.dirname, '../../../templates/home.eta');

describeWith('chromium', 'lectern preview in a browser', (executablePath) => {
  let folder: string;
  let preview: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    await writeFile(join(folder, 'lectern.config.json'), '{ "site": { "title": "First title" } }');
    const service = await serveSeed(sample, folder);
    const { code, stderr } = await runLectern(['build', '--quiet'], { cwd: folder, env: service.env });
    await service.stop();
    expect([code, stderr]).toEqual([0, '']);
    preview = startLectern(['preview', '--port', '0'], { cwd: folder });
    for await (const line of createInterface({ input: preview.stdout ?? process.stdin })) {
      url = line;
      break;
    }
  });
  afterAll(async () => {
    preview?.kill('SIGTERM');
    if (preview?.exitCode === null) await once(preview, 'close');
  });

  it('shows saved templates, texts and settings, and template errors with file and line, without a key or network', async () => {
    const browser = await launchBrowser(executablePath);
    try {
      const page = await browser.newPage();
      const refused: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && message.text().includes('Content Security Policy')) {
          refused.push(message.text());
        }
      });
      await page.goto(`${url}en/`);
      await expect.poll(() => page.title()).toContain('First title');

      await writeFile(join(folder, 'lectern.config.json'), '{ "site": { "title": "Second title" } }');
      await expect.poll(() => page.title()).toContain('Second title');

      const home = await readFile(builtInHome, 'utf8');
      await mkdir(join(folder, 'templates'));
      await writeFile(join(folder, 'templates/home.eta'), `${home}<p id="mark">saved</p>\n`);
      await page.locator('#mark').waitFor();

      await writeFile(join(folder, 'templates/home.eta'), `${home}<%= it.no.such.field %>\n`);
      await page.locator('h1', { hasText: 'TEMPLATE_FAILED' }).waitFor();
      const line = home.split('\n').length;
      expect(await page.locator('pre').textContent()).toContain(`templates/home.eta:${line}`);

      await writeFile(join(folder, 'templates/home.eta'), home);
      await page.locator('h1', { hasNotText: 'TEMPLATE_FAILED' }).first().waitFor();

      await mkdir(join(folder, 'templates/locales'));
      await writeFile(join(folder, 'templates/locales/en.json'), '{ "homeTitle": "What now?" }');
      await page.locator('h1', { hasText: 'What now?' }).waitFor();
      expect(refused).toEqual([]);
    } finally {
      await closePages(browser);
    }
  });

  it('builds the whole output after a change', async () => {
    const read = async () =>
      (await readFile(join(folder, 'dist/en/index.html'), 'utf8')).includes('Second title');
    await expect.poll(read).toBe(true);
    expect(await readdir(join(folder, 'dist'))).toContain('feed');
  });

  it('says that there is nothing to preview in an empty folder', async () => {
    const empty = temporaryFolder();
    const { code, stderr } = await runLectern(['preview'], { cwd: empty });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error NOTHING_TO_PREVIEW: /);
  });
});

it('has the 404 page at an unknown address while a file cannot be read, and the reason at that of the file', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs/a.md'), '# A\n\nText\n');
  await writeFile(join(folder, 'docs/b.md'), '---\ntitle: [x\n---\nText\n');
  const preview = startLectern(['preview', '--source', 'docs', '--port', '0'], { cwd: folder });
  try {
    let url = '';
    for await (const line of createInterface({ input: preview.stdout ?? process.stdin })) {
      url = line;
      break;
    }
    const get = async (path: string) => {
      const response = await fetch(new URL(path, url));
      return [response.status, /<(?:title|h1)>(.*?)</.exec(await response.text())?.[1]];
    };
    expect(await get('/a/')).toEqual([200, expect.stringMatching(/^A/)]);
    for (const path of ['/nope/', '/nope', '/en/nope/', '/favicon.ico', '/assets/x.css'])
      expect([path, ...(await get(path))]).toEqual([path, 404, expect.stringMatching(/^Page not found/)]);
    expect(await get('/b/')).toEqual([500, 'FILE_SKIPPED']);
  } finally {
    preview.kill('SIGTERM');
    await once(preview, 'close');
  }
});
