import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { createKey } from '../../src/service/keys.ts';
import { startTestService } from '../service/support/service.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { publishSite } from '../support/publish-site.ts';
import { serve } from '../support/serve.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { pagesOfEachKind, sampleRecords } from './support/sample.ts';

interface Answer {
  readonly fields: Readonly<Record<string, string>>;
  readonly cookie: string | undefined;
}

/** Receives forms, and gives every visitor a cookie. */
async function startEndpoint() {
  const answers: Answer[] = [];
  const server = await serve(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method === 'POST') {
      answers.push({ fields: Object.fromEntries(new URLSearchParams(body)), cookie: request.headers.cookie });
    }
    response.setHeader('set-cookie', 'visitor=1').setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Thanks</title><h1>Received</h1>');
  });
  return { answers, origin: server.origin };
}

describeWith('chromium', 'the end of an article in a browser', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => closePages(browser));

  async function open(
    settings: NonNullable<UserConfig['site']>,
    javaScriptEnabled = true,
    path = pagesOfEachKind('en').article ?? '',
    options: { readonly ignoreHTTPSErrors?: boolean } = {},
  ) {
    const { files } = await publishSite(sampleRecords, { site: settings });
    const server = await serveFiles(files);
    const context = await browser.newContext({
      ...options,
      javaScriptEnabled,
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 360, height: 780 },
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(server.origin + path);
    return { page, context };
  }

  test('takes an answer and stays on the page, without cookies', async () => {
    const { answers, origin } = await startEndpoint();
    const { page, context } = await open({ feedback: `${origin}/answers` });
    await page.locator('.feedback button[value=no]').click();
    await page.locator('.feedback [role=status]').waitFor();
    expect(await page.locator('.feedback [role=status]').textContent()).toBe('Thank you for your feedback.');
    const fields = {
      article: 'aaaaaaaaa1',
      language: 'en',
      page: 'en/article/aaaaaaaaa1-reset-your-password/index.html',
    };
    expect(answers).toEqual([{ fields: { ...fields, helpful: 'no' }, cookie: undefined }]);
    const field = page.getByLabel('What is missing or unclear?');
    await page.getByRole('button', { name: 'Send' }).click();
    // The browser asks for a text.
    expect(answers).toHaveLength(1);
    await field.fill('The step for phones');
    await page.getByRole('button', { name: 'Send' }).click();
    await field.waitFor({ state: 'detached' });
    expect(await page.locator('.feedback').textContent()).toBe('Thank you for your feedback.');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Thank you for your feedback.');
    expect(answers[1]).toEqual({ fields: { ...fields, text: 'The step for phones' }, cookie: undefined });
    expect(await context.cookies()).toEqual([]);
  });

  test('asks readers whom the article helped for nothing more', async () => {
    const { answers, origin } = await startEndpoint();
    const { page } = await open({ feedback: `${origin}/answers` });
    await page.locator('.feedback button[value=yes]').click();
    await page.locator('.feedback [role=status]').waitFor();
    expect(await page.locator('.feedback :is(textarea, button)').count()).toBe(0);
    expect(answers.map(({ fields }) => fields.helpful)).toEqual(['yes']);
  });

  test('sends one answer if a reader presses twice while the host is slow', async () => {
    const { answers, origin } = await startEndpoint();
    const { page } = await open({ feedback: `${origin}/answers` });
    await page.route(`${origin}/answers`, async (route) => {
      await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
    await page.locator('.feedback button[value=no]').dblclick();
    await page.locator('.feedback [role=status]').waitFor();
    await page.waitForTimeout(700);
    expect(answers.map(({ fields }) => fields.helpful)).toEqual(['no']);
  });

  test('says on the page that a text was not received, keeps it, and sends it again', async () => {
    const { answers, origin } = await startEndpoint();
    const { page } = await open({ feedback: `${origin}/answers` });
    const path = page.url();
    await page.locator('.feedback button[value=no]').click();
    const field = page.getByLabel('What is missing or unclear?');
    await field.fill('The step for phones');
    await page.route(`${origin}/answers`, (route) => route.abort());
    const send = page.getByRole('button', { name: 'Send' });
    await send.click();
    const alert = page.locator('.feedback [role=alert]');
    await alert.waitFor();
    expect(await alert.textContent()).toBe('Your feedback could not be sent. Try again later.');
    await send.click();
    await expect.poll(() => alert.count()).toBe(1);
    expect(await field.inputValue()).toBe('The step for phones');
    expect(page.url()).toBe(path);
    await page.unroute(`${origin}/answers`);
    await send.click();
    await field.waitFor({ state: 'detached' });
    expect(await page.locator('.feedback').textContent()).toBe('Thank you for your feedback.');
    expect(answers.map(({ fields }) => fields.text)).toEqual([undefined, 'The step for phones']);
  });

  test('says in the language of the page that no host answers', async () => {
    const { page } = await open(
      { feedback: 'http://127.0.0.1:9/answers' },
      true,
      pagesOfEachKind('ar').article,
    );
    const path = page.url();
    await page.locator('.feedback button[value=yes]').click();
    await page.locator('.feedback .failed').waitFor();
    expect(await page.locator('.feedback .failed').textContent()).toBe('تعذّر إرسال ملاحظاتك. حاول لاحقًا.');
    expect(await page.locator('.feedback button:visible').count()).toBe(2);
    expect(page.url()).toBe(path);
  });

  test('is counted by the service once a view, without cookies, unless the reader objects to tracking', async () => {
    const service = await startTestService();
    const article = { article_id: 'aaaaaaaaa1', title: 'Reset your password' };
    await service.call('/article', { method: 'POST', body: article });
    const { key } = await createKey(join(service.folder, 'kb.sqlite'), 'website', 'count');
    const statistics = `${service.baseUrl}?key=${key}`;
    const { page, context } = await open({ statistics }, true, '/', { ignoreHTTPSErrors: true });
    const article1 = new URL(pagesOfEachKind('en').article ?? '', page.url()).href;
    const views = async () => (await service.call('/stats/article')).json.top_articles;

    const counted = () => page.waitForResponse((response) => response.url().startsWith(service.baseUrl));
    const objecting = await context.newPage();
    await objecting.addInitScript(
      "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })",
    );
    await objecting.goto(article1);
    await Promise.all([counted(), page.goto(article1)]);
    await Promise.all([counted(), page.reload()]);
    await expect.poll(views).toEqual([{ ...article, count: 2 }]);
    expect(await context.cookies()).toEqual([]);
  });

  test('counts a search without a result once, when the reader has stopped typing', async () => {
    const service = await startTestService();
    const { key } = await createKey(join(service.folder, 'kb.sqlite'), 'website', 'count');
    const statistics = `${service.baseUrl}?key=${key}`;
    const { page } = await open({ statistics }, true, '/', { ignoreHTTPSErrors: true });
    const missed = async () => (await service.call('/stats/search')).json.searches;
    const input = page.locator('main .search-form input');
    // What an input method composes is no query yet.
    const session = await page.context().newCDPSession(page);
    await input.focus();
    const text = 'qzqxw';
    await session.send('Input.imeSetComposition', { text, selectionStart: 5, selectionEnd: 5 });
    await page.locator('.search-status', { hasText: text }).waitFor();
    await page.waitForTimeout(2500);
    expect(await missed()).toEqual([]);
    await session.send('Input.insertText', { text: 'Wqqzx' });
    await expect.poll(missed).toMatchObject([{ query: 'wqqzx' }]);
    await input.fill('');
    await input.pressSequentially('Xylophqzw Password', { delay: 30 });
    await input.fill('Xylophqzw');
    const first = { query: 'wqqzx', count: 1 };
    await expect.poll(missed).toMatchObject([first, { query: 'xylophqzw', language_code: 'en', count: 1 }]);
    await input.fill('password');
    await page.locator('.results .result').first().waitFor();
    await input.fill('Xylophqzw');
    await page.locator('.search-status', { hasText: 'Xylophqzw' }).waitFor();
    await page.waitForTimeout(2500);
    expect(await missed()).toMatchObject([{ count: 1 }, { count: 1 }]);
  });

  test('counts feedback by the service', async () => {
    const service = await startTestService();
    const ids = pagesOfEachKind('en').article?.match(/[A-Za-z0-9]{10}/) ?? [];
    await service.call('/article', { method: 'POST', body: { article_id: ids[0], title: 'Reset' } });
    const { key } = await createKey(join(service.folder, 'kb.sqlite'), 'website', 'count');
    const feedback = `${service.baseUrl}/stats/feedback?key=${key}`;
    const { page } = await open({ feedback }, true, '/', { ignoreHTTPSErrors: true });
    await page.goto(new URL(pagesOfEachKind('en').article ?? '', page.url()).href);
    await page.locator('.feedback button[value=no]').click();
    await page.locator('.feedback [role=status]').waitFor();
    await expect
      .poll(async () => (await service.call('/stats/feedback')).json.feedback)
      .toMatchObject([{ article_id: ids[0], helpful: 0, unhelpful: 1, texts: [] }]);
    await page.getByLabel('What is missing or unclear?').fill('The step for phones');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(async () => (await service.call('/stats/feedback')).json.feedback)
      .toMatchObject([{ article_id: ids[0], unhelpful: 1, texts: ['The step for phones'] }]);
  });

  test('takes an answer without JavaScript', async () => {
    const { answers, origin } = await startEndpoint();
    const { page } = await open({ feedback: `${origin}/answers` }, false);
    await page.locator('.feedback button[value=yes]').click();
    await page.locator('h1', { hasText: 'Received' }).waitFor();
    expect(answers.map(({ fields }) => fields.helpful)).toEqual(['yes']);
  });

  test('thanks for no answer that the host refuses', async () => {
    const { page } = await open({ feedback: '/answers/' });
    await page.locator('.feedback button[value=yes]').click();
    await page.locator('.feedback .failed').waitFor();
    expect(await page.locator('.feedback [role=status]').count()).toBe(0);
  });

  test('copies the Markdown of the page', async () => {
    const { page } = await open({});
    await page.locator('.copy-page').click();
    await page.locator('.copy-page', { hasText: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain('## Before you start');
  });

  test('copies the page where the clipboard is open only during the click, as in Safari', async () => {
    const { page } = await open({});
    await page.evaluate(`(() => {
      let isOpen = false;
      addEventListener('click', () => {
        isOpen = true;
        setTimeout(() => { isOpen = false; });
      }, true);
      const refuse = (method) => (...values) =>
        isOpen ? method.apply(navigator.clipboard, values) : Promise.reject(new DOMException('late', 'NotAllowedError'));
      for (const name of ['write', 'writeText']) navigator.clipboard[name] = refuse(navigator.clipboard[name]);
    })()`);
    await page.route('**/*.md', async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.continue();
    });
    await page.locator('.copy-page').click();
    await page.locator('.copy-page', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('## Before you start');
  });

  test('enlarges an image by keyboard, and gives the focus back', async () => {
    const { page } = await open({});
    // A chart of 2,000 by 200 pixels.
    const chart = await page.evaluate<string>(`(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 200 });
      return canvas.toDataURL();
    })()`);
    await page.route('**/article/**', async (route) => {
      const answer = await route.fetch();
      const image = `<p><img class="image-block" alt="A chart" width="2000" height="200" src="${chart}"></p>`;
      await route.fulfill({ response: answer, body: (await answer.text()).replace('<h2', `${image}<h2`) });
    });
    await page.reload();
    const button = page.getByRole('button', { name: 'Enlarge image: A chart' });
    await button.focus();
    // Pressed twice while its script is loading.
    await page.route('**/zoom*.js', async (route) => {
      await page.keyboard.press('Enter');
      await route.continue();
    });
    await page.keyboard.press('Enter');
    const dialog = page.locator('dialog.zoom-dialog');
    await dialog.waitFor();
    expect(await dialog.locator('button').getAttribute('aria-label')).toBe('Close');
    const width = await page.evaluate<number>(`document.querySelector('.zoom-dialog img').clientWidth`);
    expect(width).toBe(2000);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.className')).toBe('zoom');
    await button.click();
    await dialog.click({ position: { x: 5, y: 700 } });
    await dialog.waitFor({ state: 'detached' });
  });

  test('prints a category with the texts of all articles, also of its subcategories and of one that is gone', async () => {
    const { page } = await open({}, true, pagesOfEachKind('en').category ?? '');
    await page.route('**/aaaaaaaaa2-change-your-email/', (route) => route.fulfill({ status: 404 }));
    await page.evaluate('print = () => { document.body.dataset.printed = "yes"; }');
    const button = page.getByRole('button', { name: 'Print all articles' });
    // Pressed twice while its script is loading.
    await page.route('**/print*.js', async (route) => {
      await button.click();
      await route.continue();
    });
    await button.click();
    await page.locator('body[data-printed]').waitFor();
    expect(await page.locator('.print-book').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    const parts = await page.locator('.listing > :visible').allInnerTexts();
    expect(parts[0]).toMatch(/^Your account/);
    expect(parts[1]).toMatch(
      /^Reset your password\n+Reset the password you[\s\S]+\nChange your email\n+http\S+aaaaaaaaa2-change-your-email\/\n/,
    );
    expect(parts[1]).toContain('Money comes back within five days.');
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await page.locator('.print-book').count()).toBe(0);
  });
});
