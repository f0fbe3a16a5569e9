import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { closePages, launchBrowser } from '../support/browser.ts';
import { publishSite } from '../support/publish-site.ts';
import { serve } from '../support/serve.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { sampleRecords } from './support/sample.ts';

/** An endpoint of another origin that keeps the messages it receives. */
async function startEndpoint() {
  const received: Record<string, string>[] = [];
  const server = await serve(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    received.push(Object.fromEntries(new URLSearchParams(body)));
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Thank you</h1>');
  });
  return { url: `${server.origin}/requests`, received };
}

describeWith('chromium', 'the contact form', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });
  afterAll(() => closePages(browser));

  test.each([true, false])(
    'sends a message to the endpoint, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const endpoint = await startEndpoint();
      const statistics = `http://127.0.0.1:9/v1?key=lc_${'a'.repeat(10)}_${'b'.repeat(43)}`;
      const { files } = await publishSite(sampleRecords, {
        site: { contact: { form: endpoint.url }, statistics },
      });
      const server = await serveFiles(files);
      const context = await browser.newContext({ javaScriptEnabled });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const requested: string[] = [];
      await page.goto(`${server.origin}/en/index/`);
      await page.locator('.site-footer .contact a').click();
      page.on('request', (request) => requested.push(request.url()));
      const subject = page.getByLabel('Subject');
      await subject.fill('reset my password');
      if (javaScriptEnabled) {
        await page.locator('.contact-form .results .result').first().waitFor();
        expect(await page.locator('.contact-form .results .result').count()).toBeLessThanOrEqual(3);
        expect(await page.locator('.contact-form .results a').first().textContent()).toContain('password');
        await page.keyboard.press('Escape');
        expect(await page.locator('.contact-form .results').isVisible()).toBe(false);
        // What somebody writes to you is no search of the site, also if nothing is found.
        await subject.fill('qqzzvv');
        await page.getByText('Nothing found for').waitFor();
        await page.waitForTimeout(2500);
        await subject.fill('reset my password');
        // On a busy machine they would appear below the pointer, and the form would move away from it.
        await page.locator('.contact-form .results .result').first().waitFor();
      } else expect(requested).toEqual([]);
      await page.getByLabel('Your email address').fill('reader@example.com');
      await page.getByLabel('Message').fill('It does not work.');
      expect(requested.filter((url) => url.includes('/stats/'))).toEqual([]);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      expect(endpoint.received).toEqual([
        {
          language: 'en',
          subject: 'reset my password',
          email: 'reader@example.com',
          message: 'It does not work.',
        },
      ]);
    },
  );

  test('keeps the subject and the message for a reader who comes back from an article that is offered', async () => {
    const { files } = await publishSite(sampleRecords, {
      site: { contact: { form: 'https://desk.example.com/' } },
    });
    const server = await serveFiles(files);
    // The browser of tests keeps no page.
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${server.origin}/en/index/`);
    await page.locator('.site-footer .contact a').click();
    const subject = page.getByLabel('Subject');
    await page.getByLabel('Message').fill('It does not work.');
    await subject.fill('reset my password');
    await page.locator('.contact-form .results .result').first().click();
    await page.locator('.prose').waitFor();
    await page.goBack();
    await page.locator('.contact-form').waitFor();
    await expect.poll(() => subject.inputValue()).toBe('reset my password');
    expect(await page.getByLabel('Message').inputValue()).toBe('It does not work.');
  });
});
