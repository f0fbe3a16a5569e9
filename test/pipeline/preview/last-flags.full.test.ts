import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runLecternProcess, startLectern } from '../../support/lectern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const siteUrl = 'https://help.example.com/docs';

let folder: string;
let preview: ChildProcess | null = null;

beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(join(folder, 'pages'));
  await writePage('First text.');
});
afterEach(async () => {
  preview?.kill('SIGTERM');
  if (preview?.exitCode === null) await once(preview, 'close');
  preview = null;
});

const writePage = (text: string) => writeFile(join(folder, 'pages/pay.md'), `# Pay\n\n${text}\n`);

async function build(...flags: readonly string[]): Promise<void> {
  const { code, stderr } = await runLecternProcess(['build', '--quiet', ...flags], { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
}

async function startPreview(...flags: readonly string[]): Promise<string> {
  preview = startLectern(['preview', '--port', '0', ...flags], { cwd: folder });
  for await (const line of createInterface({ input: preview.stdout ?? process.stdin })) return line;
  throw new Error('the preview ended');
}

async function readArticle(url: string, path: string = 'pay/'): Promise<string> {
  return (await fetch(new URL(path, url))).text();
}

it('follows the folder of the last build, and builds again with its flags', async () => {
  await build('--source', 'pages', '--site-url', siteUrl, '--out', 'public-site');
  const url = await startPreview();
  expect(url).toMatch(/\/docs\/$/);
  expect(await readArticle(url)).toContain('First text.');

  await writePage('Second text.');
  await expect.poll(() => readArticle(url)).toContain('Second text.');
  const published = () => readFile(join(folder, 'public-site/feed/en/source.txt'), 'utf8');
  await expect.poll(published).toContain('Second text.');
  expect(await published()).toContain(`${siteUrl}/pay/`);

  // From now on, the file decides.
  const settings = { siteUrl: 'https://new.example.com/docs', source: { kind: 'folder', path: 'pages' } };
  await writeFile(join(folder, 'lectern.config.json'), JSON.stringify(settings));
  await expect.poll(published).toContain(`${settings.siteUrl}/pay/`);
});

it('prints the problems of a saved page, and why a build failed', async () => {
  await build('--source', 'pages', '--site-url', siteUrl);
  await startPreview();
  let printed = '';
  preview?.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await writePage('[Refund](refund.md)');
  await expect
    .poll(() => printed)
    .toBe(
      `shows pages, and each change as you save it; Ctrl-C stops it
  warning LINK_BROKEN
    pages/pay.md:3 (en)
      the link "refund.md" in pay.md points to a file that does not exist
    → The link leads to nothing that can be published. Correct its URL.
`,
    );
  await writeFile(join(folder, 'pages/pay.md'), '---\ntitle: [oops\n---\n\nText.\n');
  await expect.poll(() => printed).toContain('error NOTHING_TO_PUBLISH');
  expect(printed).toContain('error FILE_SKIPPED\n');
});

it('uses the flags rather than a configuration file that was there before the build', async () => {
  await writeFile(join(folder, 'lectern.config.json'), '{ "siteUrl": "https://help.example.com/" }');
  await build('--source', 'pages', '--site-url', siteUrl);
  const url = await startPreview();
  expect(url).toMatch(/\/docs\/$/);
  await writePage('Second text.');
  const published = () => readFile(join(folder, 'dist/feed/en/source.txt'), 'utf8');
  await expect.poll(published).toContain('Second text.');
  expect(await published()).toContain(`${siteUrl}/pay/`);
});

it('uses the flags only with the configuration file of the last build', async () => {
  const settings = { source: { kind: 'folder', path: 'pages' } };
  await writeFile(join(folder, 'own.json'), JSON.stringify(settings));
  await build('--source', 'pages', '--site-url', siteUrl);
  expect(await startPreview('--config', 'own.json')).not.toMatch(/\/docs\/$/);
  preview?.kill('SIGTERM');
  if (preview !== null) await once(preview, 'close');

  await build('--config', 'own.json', '--site-url', siteUrl);
  expect(await startPreview('--config', 'own.json')).toMatch(/\/docs\/$/);
});

it('takes the settings of a configuration file and its own flags first', async () => {
  await build('--source', 'pages', '--site-url', siteUrl);
  await writeFile(join(folder, 'lectern.config.json'), '{ "siteUrl": "https://help.example.com/docs" }');
  await mkdir(join(folder, 'others'));
  await writeFile(join(folder, 'others/refund.md'), '# Refund\n\nOther text.\n');
  const url = await startPreview('--source', 'others', '--out', 'other-site');
  expect(await readArticle(url, 'refund/')).toContain('Other text.');
});

it('shows a built site in the language of its home page, as a build publishes it', async () => {
  await mkdir(join(folder, '_site'));
  const text = 'Ein Text, der lang genug ist, damit die Seite ein Artikel wird.';
  const page = `<!doctype html><html lang="de"><title>Zahlen</title><main><h1>Zahlen</h1><p>${text}</p></main></html>`;
  for (const name of ['index', 'pay']) await writeFile(join(folder, '_site', `${name}.html`), page);
  const url = await startPreview('_site');
  expect(await readArticle(url, '')).toContain('<html lang="de"');
});
