import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { saying, startMcp, startModel } from '../consumers/answers/support/answering.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { publishSite } from '../support/publish-site.ts';
import { serve } from '../support/serve.ts';
import { serveFiles } from '../support/static-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';
import { sampleRecords } from './support/sample.ts';

/** An endpoint that answers each question with these events; `null` ends the stream without `[DONE]`. */
async function startEndpoint(events: readonly (object | null)[], status = 200) {
  const asked: unknown[] = [];
  const server = await serve(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    let body = '';
    for await (const part of request) body += part;
    asked.push({ ...JSON.parse(body), cookie: request.headers.cookie, referer: request.headers.referer });
    response.writeHead(status, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const event of events) if (event !== null) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end(events.includes(null) ? '' : 'data: [DONE]\n\n');
  });
  return { url: `${server.origin}/answers`, asked };
}

const text = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });

describeWith('chromium', 'answers in the search', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });
  afterAll(() => closePages(browser));

  /** Opens the search dialog of an article page, under the site's own Content-Security-Policy, and types a question. */
  async function typeQuestion(url: string, host = '127.0.0.1'): Promise<Page> {
    const { files } = await publishSite(sampleRecords, { site: { answers: { url } } });
    const server = await serveFiles(files);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${server.origin.replace('127.0.0.1', host)}/en/index/`);
    await page.locator('.search-link').click();
    await page.locator('.search-dialog input').fill('reset my password');
    await page.locator('.search-dialog .results .result').first().waitFor();
    return page;
  }

  const boxOf = (page: Page) => page.locator('.search-dialog .answer');

  test('are asked only when the reader wants one, and shown above the results with links to sections', async () => {
    const endpoint = await startEndpoint([
      {
        choices: [],
        citations: [
          { number: 1, title: 'Reset', heading: 'Phone', url: 'https://help.example.com/en/a/#phone' },
          { number: 2, title: 'Bad', heading: '', url: 'javascript:alert(1)' },
        ],
      },
      text('Open <b>Settings</b>. [1] '),
      text('Then wait. [2] [7]'),
    ]);
    const page = await typeQuestion(endpoint.url);
    expect(endpoint.asked).toEqual([]);
    await page.locator('.search-dialog .ask').click();
    const box = boxOf(page);
    await box.getByText('Generated automatically').waitFor();
    expect(endpoint.asked).toEqual([
      { messages: [{ role: 'user', content: 'reset my password' }], stream: true, language: 'en' },
    ]);
    expect(await box.locator('p').first().textContent()).toBe('Open <b>Settings</b>. [1] Then wait.');
    const links = await box.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['https://help.example.com/en/a/#phone', 'https://help.example.com/en/a/#phone']);
    expect(await box.locator('li').textContent()).toBe('Reset › Phone');
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
    expect(await top('.search-dialog section')).toBeLessThan(await top('.search-dialog .results'));
    // Another question starts again.
    await page.locator('.search-dialog input').fill('billing');
    expect(await box.locator('p').first().textContent()).toBe('');
    expect(endpoint.asked).toHaveLength(1);
  });

  test('come from lectern mcp for pages of the site, and not for pages of others', async () => {
    const { files } = await publishSite(sampleRecords);
    const folder = temporaryFolder();
    writeTree(folder, Object.fromEntries([...files].filter(([path]) => path.startsWith('feed/'))));
    const model = await startModel();
    const args = ['--answers-model', model.url, '--answers-model-name', 'fake-1'];
    const server = await startMcp(folder, args);
    onTestFinished(async () => void (await server.stop()));
    model.model = (request, response, incoming) => {
      const [{ text: passage }] = JSON.parse(request.messages[1]?.content ?? '').passages;
      const words = passage
        .match(/[A-Za-z]{4,}/g)
        .slice(0, 5)
        .join(' ');
      saying(`Read ${words}. [1]`)(request, response, incoming);
    };
    const page = await typeQuestion(server.answers ?? '');
    await page.locator('.search-dialog .ask').click();
    await boxOf(page).getByText('Generated automatically').waitFor();
    expect(await boxOf(page).locator('p').first().textContent()).toMatch(/^Read .+\. \[1\]/);
    expect(await boxOf(page).locator('li a').count()).toBe(1);
    const other = await typeQuestion(server.answers ?? '', 'evil.localhost');
    await other.locator('.search-dialog .ask').click();
    await boxOf(other).getByText('The answer could not be loaded.').waitFor();
  });

  test.each([
    [
      'The articles do not answer this question.',
      [{ choices: [{ delta: { refusal: 'no_passages' } }] }],
      200,
    ],
    ['The answer could not be loaded. Try again later.', [text('Half an'), null], 200],
    ['The answer could not be loaded. Try again later.', [{ error: { message: 'broken' } }], 200],
    ['The answer could not be loaded. Try again later.', [], 502],
  ] as const)('say %j', async (message, events, status) => {
    const endpoint = await startEndpoint(events, status);
    const page = await typeQuestion(endpoint.url);
    await page.locator('.search-dialog .ask').click();
    await boxOf(page).getByText(message).waitFor();
    expect(await boxOf(page).getByText('Generated automatically').count()).toBe(0);
    expect(await page.locator('.search-dialog .results .result').count()).toBeGreaterThan(0);
  });

  test('are not offered without an endpoint', async () => {
    const { files } = await publishSite(sampleRecords);
    expect(files.get('en/index.html')?.toString()).not.toContain('data-answer');
    expect(files.get('_headers')?.toString()).toContain("connect-src 'self';");
  });
});
