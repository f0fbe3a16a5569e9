import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { translatedArticle } from '../source/support/records.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { publishSite, type Records } from '../support/publish-site.ts';
import { serve } from '../support/serve.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { sampleRecords } from './support/sample.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core says against a part of a document. */
const findViolations = (frame: Frame | undefined, part: string): Promise<readonly string[]> | undefined =>
  frame?.evaluate(
    `${axeSource}; axe.run('${part}', { iframes: false, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );

/** A product's page of another origin, under a strict policy of its own, that has the widget of a site. */
async function startProduct() {
  const page = { html: '', policy: '' };
  const { origin } = await serve((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', page.policy);
    response.end(page.html);
  });
  // Another host name: browsers count 127.0.0.1 and localhost as different sites.
  return { origin: origin.replace('127.0.0.1', 'localhost'), page };
}

interface Choice {
  /** Attributes of the script tag. */
  readonly attributes?: string;
  /** Style sheet of the product. */
  readonly style?: string;
  readonly pageLanguage?: string;
  /** Whether the site lists the product's origin. */
  readonly isListed?: boolean;
  /** URL that receives the contact form. */
  readonly form?: string;
  readonly records?: Records;
  readonly defaultLanguage?: string;
}

describeWith('chromium', 'the widget in a page of another origin', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });
  afterAll(() => closePages(browser));

  async function openProduct({
    attributes = '',
    style = '',
    pageLanguage = 'en',
    isListed = true,
    form = 'https://desk.example.com/',
    records = sampleRecords,
    defaultLanguage = 'en',
  }: Choice = {}) {
    const product = await startProduct();
    const origins = [isListed ? product.origin : 'https://app.example.com'];
    const { files } = await publishSite(records, {
      defaultLanguage,
      site: { widget: { origins }, contact: { form } },
    });
    const server = await serveFiles(files);
    product.page.policy = `default-src 'none'; script-src ${server.origin}; frame-src ${server.origin}; style-src 'unsafe-inline'; require-trusted-types-for 'script'`;
    product.page.html = `<!doctype html><html lang="${pageLanguage}"><title>Product</title><style>${style}</style><body><a href="#">First</a>
      <script src="${server.origin}/widget.js" ${attributes} defer></script></body></html>`;
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(server.origin, '')));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(product.origin);
    await page.locator('lectern-help').waitFor({ state: 'attached' });
    return { page, asked, complaints, site: server.origin };
  }

  const frameOf = (page: Page) => page.frameLocator('lectern-help iframe');
  const isOpen = (page: Page) =>
    page.locator('lectern-help dialog').evaluate((it: HTMLDialogElement) => it.open);
  /** The label of the focused part of the widget. */
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label'));

  test('opens by keyboard, finds an article and shows it, and returns the focus on Escape', async () => {
    const { page, asked, complaints } = await openProduct();
    expect(asked.slice(1)).toEqual(['/widget.js']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('How can we help?');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog', { name: 'How can we help?' }).isVisible()).toBe(true);
    const frame = frameOf(page);
    await frame.locator('.search-output').waitFor({ state: 'attached' });
    // The focus goes into the search field: nothing has to be clicked before typing.
    await frame.locator('input[name=q]:focus').first().waitFor();
    await page.keyboard.type('password');
    await frame.locator('.results a', { hasText: 'Reset your password' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await frame.locator('h1', { hasText: 'Reset your password' }).waitFor();
    for (const hidden of ['.site-footer', '.brand', '.header-links', '.toc', '.article-tools'])
      expect(await frame.locator(hidden).first().isVisible(), hidden).toBe(false);
    expect(await frame.locator('.prose').isVisible()).toBe(true);
    // Back to the same results.
    await frame.locator('.search-link').click();
    await frame.locator('.results a', { hasText: 'Reset your password' }).waitFor();
    expect(await frame.locator('main input[name=q]').inputValue()).toBe('password');
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
    expect(await focused(page)).toBe('How can we help?');
    expect(complaints).toEqual([]);
  });

  test('stays open when Escape belongs to an input method', async () => {
    const { page } = await openProduct();
    await page.locator('lectern-help button').first().click();
    const input = frameOf(page).locator('main input[name=q]');
    for (const composition of [{ isComposing: true }, { keyCode: 229 }])
      await input.dispatchEvent('keydown', { key: 'Escape', ...composition });
    await input.fill('password');
    await frameOf(page).locator('.results a').first().waitFor();
    expect(await isOpen(page)).toBe(true);
    await input.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
  });

  test('opens by click, keeps the focus in the dialog, and closes by its button', async () => {
    const { page } = await openProduct({ attributes: 'data-label="Help me"' });
    await page.getByRole('button', { name: 'Help me' }).click();
    await frameOf(page).locator('.search-output').waitFor({ state: 'attached' });
    expect(await page.locator('lectern-help iframe').getAttribute('title')).toBe('How can we help?');
    // The page behind the dialog cannot be reached.
    for (let at = 0; at < 12; at += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).not.toBe('First');
    }
    await page.getByRole('button', { name: 'Close' }).first().click();
    expect(await isOpen(page)).toBe(false);
    expect(await focused(page)).toBe('Help me');
  });

  test.each([
    ['of the page', { pageLanguage: 'ar-EG' }],
    ['of a page with a wrong tag', { pageLanguage: 'ar_EG' }],
    ['that the script tag names', { attributes: 'data-language="ar" data-theme="dark"' }],
  ])('speaks the language %s, from right to left', async (_name, choice) => {
    const { page } = await openProduct(choice);
    const button = page.locator('lectern-help button').first();
    const { x = Number.NaN } = (await button.boundingBox()) ?? {};
    expect(x).toBeLessThan(100);
    await button.click();
    const frame = frameOf(page);
    await frame.locator('html[lang=ar][dir=rtl][data-widget]').waitFor();
    const theme = await frame.locator('html').getAttribute('data-theme');
    expect(theme).toBe('attributes' in choice ? 'dark' : null);
  });

  test('speaks Chinese in the script of the page', async () => {
    const texts = { 'zh-Hans': ['文章', '<p>正文。</p>'], 'zh-Hant': ['文章', '<p>內文。</p>'] } as const;
    const { page } = await openProduct({
      pageLanguage: 'zh-TW',
      records: { articles: [translatedArticle('aaaaaaaaa1', texts)] },
      defaultLanguage: 'zh-Hans',
    });
    expect(await page.locator('lectern-help').getAttribute('lang')).toBe('zh-Hant');
  });

  test('opens links to other sites in a new tab', async () => {
    const { page } = await openProduct();
    await page.locator('lectern-help button').first().click();
    const frame = frameOf(page);
    await frame.locator('.search-output').waitFor({ state: 'attached' });
    await frame.locator('main').evaluate((main) => {
      main.insertAdjacentHTML('beforeend', '<a id="away" href="http://127.0.0.1:9/">Away</a>');
    });
    const opened = page.context().waitForEvent('page');
    await frame.locator('#away').click();
    await (await opened).close();
    expect(await frame.locator('main input[name=q]').isVisible()).toBe(true);
  });

  test('sends the contact form to another site in a new tab, because the product allows no frame of that site', async () => {
    const messages: string[] = [];
    const desk = await serve((request, response) => {
      request.on('data', (part) => messages.push(String(part)));
      request.on('end', () => response.end('Received'));
    });
    const { page, site } = await openProduct({
      form: `${desk.origin}/`,
    });
    await page.locator('lectern-help button').first().click();
    await frameOf(page).locator('.search-output').waitFor({ state: 'attached' });
    const inside = page.frames().find((each) => each !== page.mainFrame());
    await inside?.goto(`${site}/en/search/contact/?subject=Parcel`);
    const frame = frameOf(page);
    await frame.locator('[name=email]').fill('reader@example.com');
    await frame.locator('[name=message]').fill('Where is it?');
    const opened = page.context().waitForEvent('page');
    await frame.locator('.contact-form button').click();
    const tab = await opened;
    await tab.getByText('Received').waitFor();
    await tab.close();
    expect(messages.join()).toContain('message=Where+is+it%3F');
    expect(await frame.locator('h1').isVisible()).toBe(true);
  });

  test.each(['light', 'dark'])('has nothing that axe-core finds, in %s mode', async (theme) => {
    const { page } = await openProduct({ attributes: `data-theme="${theme}"` });
    expect(await findViolations(page.mainFrame(), 'lectern-help')).toEqual([]);
    await page.locator('lectern-help button').first().click();
    const frame = frameOf(page);
    await frame.locator('.search-output').waitFor({ state: 'attached' });
    await page.keyboard.type('password');
    await frame.locator('.results a').first().waitFor();
    const inside = () => page.frames().find((each) => each !== page.mainFrame());
    expect(await findViolations(page.mainFrame(), 'lectern-help')).toEqual([]);
    expect(await findViolations(inside(), 'html')).toEqual([]);
    await frame.locator('.results a').first().click();
    await frame.locator('.prose').waitFor();
    expect(await findViolations(inside(), 'html')).toEqual([]);
  });

  test('closes on Escape before its page is there, and gives the page the focus when it comes', async () => {
    const { page } = await openProduct();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/en/search/', (route) => answered.then(() => route.continue()));
    const button = page.locator('lectern-help button').first();
    await button.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
    await button.click();
    answer();
    await frameOf(page).locator('.search-output').waitFor({ state: 'attached' });
    await page.keyboard.type('password');
    await frameOf(page).locator('.results a', { hasText: 'Reset your password' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
    await button.click();
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.tagName')).toBe('IFRAME');
  });

  test('is not shown to origins that are not listed, which get a link', async () => {
    const { page, complaints, site } = await openProduct({ isListed: false });
    await page.locator('lectern-help button').first().click();
    await expect.poll(() => complaints.join()).toContain('frame-ancestors https://app.example.com');
    expect(await frameOf(page).locator('main').count()).toBe(0);
    // The browser shows a page of its own in the frame, which would keep the key.
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
    const link = page.locator('lectern-help a');
    expect(await link.textContent()).toBe('Acme Help');
    expect(await link.evaluate((it: HTMLAnchorElement) => it.href)).toBe(`${site}/en/`);
  });

  test.each([
    ['has small letters', 'html { font-size: 62.5% }'],
    ['moves its body', 'body { height: 3000px; transform: translateX(0) }'],
    ['has gaps between all parts of its body', 'body { display: grid; gap: 50px; margin: 0 }'],
    ['hides buttons', 'button, dialog, iframe { display: none !important }'],
    ['resets all styles', '* { all: revert; box-sizing: content-box }'],
  ])('has its size and place in a page that %s, and moves nothing', async (_what, style) => {
    const { page } = await openProduct({ style });
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    const button = page.locator('lectern-help .open');
    expect(await button.boundingBox()).toEqual({ x: width - 76, y: height - 76, width: 56, height: 56 });
    await button.click();
    expect((await page.locator('lectern-help dialog').boundingBox())?.width).toBe(434);
    expect((await frameOf(page).owner().boundingBox())?.width).toBe(432);
    const measure = () => page.evaluate<number>('document.body.offsetHeight');
    const withWidget = await measure();
    await page.locator('lectern-help').evaluate((host) => host.remove());
    expect(await measure()).toBe(withWidget);
  });

  test('changes nothing of the site outside its frame', async () => {
    const { page, site } = await openProduct();
    await page.goto(`${site}/en/search/`);
    expect(await page.locator('.site-footer').isVisible()).toBe(true);
    expect(await page.locator('html').getAttribute('data-widget')).toBeNull();
  });
});
