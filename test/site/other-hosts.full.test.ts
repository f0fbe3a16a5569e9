import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { readBlocks } from '../docs/support/read-blocks.ts';
import { closePages, launchBrowser, loadIcon } from '../support/browser.ts';
import { publishSite } from '../support/publish-site.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { pagesOfEachKind, sampleRecords } from './support/sample.ts';

const blocks = readBlocks(fileURLToPath(new URL('../../docs/site.md', import.meta.url)));

/** The template of an example in docs/site.md, and the settings that follow it, with the host of the service replaced. */
function example(host: string, standIn: string): { readonly template: string; readonly config: UserConfig } {
  const at = blocks.findIndex(({ language, code }) => language === 'html' && code.includes(host));
  const settings = blocks[at + 1]?.code ?? '';
  const ours = (text: string) =>
    text.replaceAll(`https://${host}`, standIn).replaceAll(`wss://${host}`, standIn.replace('http', 'ws'));
  return { template: ours(blocks[at]?.code ?? ''), config: JSON.parse(ours(settings)) as UserConfig };
}

/** Counts a page view, as scripts of page statistics do. */
const statistics = `fetch(new URL('/api/event', document.currentScript.src), { method: 'POST', mode: 'no-cors', body: '{}' })
  .then(() => { document.body.dataset.counted = 'yes'; });`;

/** Opens a frame on its own host. */
const widget = `const frame = document.createElement('iframe');
frame.title = 'Chat';
frame.src = new URL('/chat.html', document.currentScript.src);
document.body.append(frame);`;

describeWith('chromium', 'the examples of docs/site.md for scripts of other hosts', (executablePath) => {
  async function openWith(hook: string, host: string, csp: boolean) {
    const service = await serveFiles(
      new Map([
        ['js/script.js', statistics],
        ['widget.js', widget],
        ['chat.html', '<!doctype html><title>Chat</title><p id="chat">Hello</p>'],
        ['api/event', ''],
      ]),
    );
    const { template, config } = example(host, service.origin);
    expect(template).toContain(service.origin);
    const { headers } = config;
    const { files } = await publishSite(sampleRecords, csp ? { headers } : {}, {
      [`templates/${hook}`]: template,
    });
    const site = await serveFiles(files);
    const browser = await launchBrowser(executablePath);
    onTestFinished(() => closePages(browser));
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(site.origin + (pagesOfEachKind('en').article ?? ''), { waitUntil: 'networkidle' });
    await loadIcon(page);
    return { page, complaints };
  }

  test('let statistics count a view', async () => {
    const { page, complaints } = await openWith('hooks/head-end.eta', 'plausible.io', true);
    await page.locator('body[data-counted=yes]').waitFor();
    expect(complaints).toEqual([]);
  });

  test('let a chat open in its frame', async () => {
    const { page, complaints } = await openWith('hooks/main-after.eta', 'chat.example.com', true);
    expect(await page.frameLocator('iframe[title=Chat]').locator('#chat').textContent()).toBe('Hello');
    expect(complaints).toEqual([]);
  });

  test('are blocked without their settings', async () => {
    const { complaints } = await openWith('hooks/head-end.eta', 'plausible.io', false);
    expect(complaints).toEqual([expect.stringContaining('Content Security Policy')]);
  });
});
