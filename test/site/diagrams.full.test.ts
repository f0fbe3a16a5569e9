import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../src/pipeline/library-build.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { type Tree, writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';
import { serveFiles } from '../support/static-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';

/** Answers as Mermaid does: a style element for the id, style attributes, and an error for what it cannot read. */
const library = `globalThis.mermaid = {
  initialize(options) { globalThis.mermaidOptions = options; },
  async render(id, source) {
    if (source.includes('wrong')) throw new Error('Parse error');
    const probe = document.body.appendChild(document.createElement('div'));
    probe.id = id;
    const measured = getComputedStyle(probe).fontSize;
    probe.remove();
    return { svg: '<svg id="' + id + '" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" data-measured="' + measured + '">' +
      '<style>#' + id + ' { font-size: 21px } #' + id + ' rect { fill: rgb(1, 2, 3) }</style>' +
      '<script>globalThis.hasRun = true</script><rect width="5" height="5" style="stroke: rgb(4, 5, 6)"/></svg>' };
  },
};`;

/** The real library, which the project does not install: a path in \`LECTERN_MERMAID\`. */
const real = process.env.LECTERN_MERMAID;

const page = `---
title: Care
---

\`\`\`mermaid
graph TD
  A[Dry?] --> B[Oil the chain]
\`\`\`

\`\`\`mermaid
this is wrong [[
\`\`\`
`;

async function publish(assets: Tree) {
  const folder = temporaryFolder();
  writeTree(join(folder, 'kb'), { 'care.md': page, 'other.md': '# Other\n\nText.' });
  mkdirSync(join(folder, 'templates/assets'), { recursive: true });
  for (const [name, content] of Object.entries(assets))
    writeFileSync(join(folder, 'templates/assets', name), content);
  const report = await build(
    {
      siteUrl: 'https://help.example.com',
      source: { kind: 'folder', path: './kb' },
      urls: { article: '{path}' },
    },
    { folder, apiKey: '' },
  );
  return { report, files: await readTree(join(folder, 'dist')) };
}

describe('a diagram on a site without the library', () => {
  test('is its source, and the report says how to draw it', async () => {
    const { report, files } = await publish({});
    const found = report.problems.filter(({ code }) => code === 'DIAGRAM_AS_CODE');
    expect(
      found.map(({ message, hint, severity }) => [message, severity, hint.includes('npm install mermaid')]),
    ).toEqual([['a Mermaid diagram is shown as its source', 'info', true]]);
    expect(files.get('care/index.html')?.toString()).toContain('<code class="language-mermaid">graph TD');
    const feed = [...files].filter(([path]) => path.startsWith('feed/') && path.endsWith('documents.jsonl'));
    expect(feed.map(([, bytes]) => bytes.toString()).join('')).toContain('A[Dry?] --> B[Oil the chain]');
  });
});

describeWith('chromium', 'a diagram on a site with the library', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => closePages(browser));

  /** Opens a page of the site, and returns what the page loaded and what the policy blocked of it. */
  async function open(files: Awaited<ReturnType<typeof publish>>['files'], path: string) {
    const server = await serveFiles(files);
    const shown = await browser.newPage();
    onTestFinished(() => shown.close());
    const loaded: string[] = [];
    const complaints: string[] = [];
    shown.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    shown.on('console', (message) => complaints.push(message.text()));
    shown.on('pageerror', (error) => complaints.push(error.message));
    await shown.goto(`${server.origin}/${path}`);
    return { shown, loaded, complaints };
  }

  test('is drawn with its styles, runs nothing, and one that cannot be read stays', async () => {
    const { report, files } = await publish({ 'mermaid.js': library });
    expect(report.problems.filter(({ code }) => code === 'DIAGRAM_AS_CODE')).toEqual([]);
    const { shown, complaints } = await open(files, 'care/');
    await shown.waitForSelector('.diagram svg');
    const styles = await shown.evaluate(() => {
      const { fill, stroke } = getComputedStyle(document.querySelector('.diagram rect') as Element);
      const measured = document.querySelector('.diagram svg')?.getAttribute('data-measured');
      return { fill, stroke, measured, hasRun: 'hasRun' in globalThis };
    });
    expect(styles).toEqual({
      ...{ fill: 'rgb(1, 2, 3)', stroke: 'rgb(4, 5, 6)', hasRun: false },
      // Measured with the styles of the drawing.
      measured: '21px',
    });
    expect(await shown.locator('.prose pre').allTextContents()).toEqual(['this is wrong [[\n']);
    // What the policy blocks does no harm: the styles are applied in another way.
    expect(complaints.filter((text) => !text.startsWith('Applying inline style violates'))).toEqual([]);
  });

  test('is the only reason to load the library', async () => {
    const { files } = await publish({ 'mermaid.js': library });
    const { shown, loaded } = await open(files, 'other/');
    await shown.waitForLoadState('networkidle');
    expect(loaded.filter((path) => /mermaid|diagrams/.test(path))).toEqual([]);
  });

  test.skipIf(real === undefined || !existsSync(real))('is drawn by Mermaid itself', async () => {
    const { files } = await publish({ 'mermaid.js': readFileSync(real ?? '', 'utf8') });
    const { shown } = await open(files, 'care/');
    await shown.waitForSelector('.diagram svg');
    const labels = await shown.locator('.diagram .node').allTextContents();
    expect(labels.map((label) => label.trim())).toEqual(['Dry?', 'Oil the chain']);
    const box = await shown.locator('.diagram .node').first().boundingBox();
    expect(box?.width).toBeGreaterThan(40);
  });
});
