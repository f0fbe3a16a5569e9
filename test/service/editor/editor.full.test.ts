import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../../src/service/keys.ts';
import { launchBrowser } from '../../support/browser.ts';
import { describeWith } from '../../support/tools.ts';
import { startTestService, type TestService } from '../support/service.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const desktop = { width: 1280, height: 900 };
const phone = { width: 375, height: 740 };

/** Sets `hit` if anything of it runs. */
const hostile = [
  '<p>Harmless text</p>',
  '<script>window.hit = 1</script>',
  '<img src="x:" onerror="window.hit = 2" alt="picture">',
  '<svg><script>window.hit = 3</script><a href="javascript:window.hit=4"><text>x</text></a></svg>',
  '<p><a href="javascript:window.hit=5">A link</a></p>',
  '<iframe srcdoc="<script>parent.hit = 6</script>"></iframe><iframe src="javascript:parent.hit=7"></iframe>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hit=8&gt;">',
  '<details open ontoggle="window.hit = 9"><summary>More</summary><p>Hidden</p></details>',
  '<p style="position:fixed;inset:0">Overlay</p><form action="//evil.example"><input autofocus onfocus="window.hit=10"></form>',
].join('');

describeWith('chromium', 'the page for authors', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => browser.close());

  /** A new tab at the page of a service, and what its console says. */
  async function openTab(service: TestService, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: desktop,
      timezoneId: 'Europe/Berlin',
      ...options,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // Refused requests of the tests themselves.
      if (message.type() === 'error' && !/status of 4\d\d|ERR_/.test(message.text()))
        errors.push(message.text());
    });
    await page.goto(`${new URL(service.baseUrl).origin}/editor/`);
    return { page, context, errors };
  }

  async function signIn(service: TestService, key = service.apiKey, options: BrowserContextOptions = {}) {
    const tab = await openTab(service, options);
    await tab.page.getByLabel('Key').fill(key);
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { name: 'Articles', exact: true }).waitFor();
    return tab;
  }

  /** What axe-core says against the page. It is run by the debugger, because the page allows no script of others. */
  async function findViolations(page: Page): Promise<unknown> {
    const session: CDPSession = await page.context().newCDPSession(page);
    const { result } = await session.send('Runtime.evaluate', {
      expression: `${axeSource}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  }

  const text = (page: Page) => page.getByRole('textbox', { name: /^Text in/ });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const says = (page: Page, sentence: string | RegExp) =>
    page.getByRole('status').filter({ hasText: sentence }).waitFor();

  test('somebody who has never seen a terminal publishes a translated article with an image, and schedules another', async () => {
    const service = await startTestService({ editor: true });
    await service.call('/category', { method: 'POST', body: { title: 'Account', category_id: 'account' } });
    const { page, errors } = await signIn(service);
    await page.getByRole('heading', { name: 'No articles yet' }).waitFor();
    await page.getByRole('link', { name: 'Write an article' }).click();

    await button(page, 'Publish').click();
    await page.getByText('Write a title before you publish.').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Reset your password');
    await page.getByLabel('Summary').fill('What to do if you forgot it.');
    await page.getByLabel('Category').selectOption({ label: 'Account' });
    await text(page).click();
    await page.keyboard.type('Before you start');
    await page.getByLabel('Style of the paragraph').selectOption('Heading');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('You need ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('your phone');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('.');
    await page.keyboard.press('Enter');
    await button(page, 'Numbered list').click();
    await page.keyboard.type('Open the settings');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Choose Reset');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');

    await button(page, 'Image').click();
    const picture = await page.evaluate<string>(
      "Object.assign(document.createElement('canvas'), { width: 900, height: 400 }).toDataURL()",
    );
    await page.getByLabel('From this computer').setInputFiles({
      name: 'drawing.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit = 1"/>'),
    });
    await button(page, 'Add image').click();
    await page.getByText('Choose a photo or a screenshot').waitFor();
    await page.getByLabel('From this computer').setInputFiles({
      name: 'settings.png',
      mimeType: 'image/png',
      buffer: Buffer.from(picture.split(',')[1] ?? '', 'base64'),
    });
    await page.getByLabel('Description').fill('The settings of the app');
    await button(page, 'Add image').click();
    await text(page).locator('img').waitFor();

    await button(page, 'Preview').click();
    const preview = page.frameLocator('iframe[title="Preview of the article"]');
    await preview.getByRole('heading', { name: 'Before you start' }).waitFor();
    expect(await preview.locator('img').getAttribute('alt')).toBe('The settings of the app');
    expect(await findViolations(page)).toEqual([]);
    await button(page, 'Close').click();

    await button(page, 'Publish').click();
    await says(page, 'Published. Readers see it when the site is next built.');
    await button(page, 'Add a language').click();
    await page.getByLabel('Language', { exact: true }).selectOption('ar');
    await button(page, 'Translate').click();
    await page.getByRole('region', { name: 'Original text' }).getByText('Open the settings').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('إعادة تعيين كلمة المرور');
    expect(await text(page).getAttribute('dir')).toBe('rtl');
    await text(page).click();
    await page.keyboard.type('افتح الإعدادات.');
    await button(page, 'Save draft').click();
    await says(page, 'Saved.');
    const [article] = (await service.call('/article?include_body=true')).json.articles;
    expect(article.multilingual).toMatchObject([{ language_code: 'ar', is_live: false }]);
    await button(page, 'Publish').click();
    await says(page, 'Published.');

    const saved = (await service.call(`/article/${article.article_id}`)).json.article;
    expect(saved).toMatchObject({
      title: 'Reset your password',
      description: 'What to do if you forgot it.',
      category_id: 'account',
      is_published: true,
      multilingual: [
        {
          language_code: 'ar',
          title: 'إعادة تعيين كلمة المرور',
          body: '<p>افتح الإعدادات.</p>',
          is_live: true,
        },
      ],
    });
    expect(saved.body.replace(/data:image\/webp;base64,[\w+/=]+/, 'DATA')).toMatchInlineSnapshot(`
      "<h2>Before you start</h2>
      <p>You need <strong>your phone</strong>.</p>
      <ol><li>Open the settings</li><li>Choose Reset</li></ol>
      <p><img src="DATA" alt="The settings of the app"></p>"
    `);
    expect(saved.body).not.toMatch(/ style=| class=| on\w+=/);

    await page.getByRole('link', { name: 'All articles' }).click();
    await page.getByRole('link', { name: 'New article' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Prices of next year');
    await text(page).click();
    await page.keyboard.type('They will not change.');
    await page.getByLabel('Publish at', { exact: true }).fill('2031-03-01T09:00');
    await page.getByLabel('Publish at', { exact: true }).press('Tab');
    await button(page, 'Schedule').click();
    await says(page, /^Scheduled for /);
    await page.getByRole('link', { name: 'All articles' }).click();
    await page.getByRole('link', { name: /Prices of next year\s*Scheduled/ }).waitFor();
    expect((await service.call('/article?status=draft')).json.articles).toMatchObject([
      { title: 'Prices of next year', is_published: true, publish_at: '2031-03-01T08:00:00.000Z' },
    ]);

    await page.getByLabel('Search in titles').fill('forgot');
    await page.getByText('1 article').waitFor();
    await page.getByRole('link', { name: /Reset your password/ }).click();
    await button(page, 'Unpublish').click();
    await says(page, 'Unpublished.');
    expect((await service.call(`/article/${article.article_id}`)).json.article.is_published).toBe(false);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('two authors of one article lose nothing: other parts are joined, and the same part is shown in both versions', async () => {
    const service = await startTestService({ editor: true });
    const body = {
      article_id: 'aaaaaaaaa1',
      title: 'Reset',
      body: '<p>One.</p><p>Two.</p>',
      is_published: true,
    };
    await service.call('/article', { method: 'POST', body });
    const patch = (change: object) => service.call('/article/aaaaaaaaa1', { method: 'PATCH', body: change });
    const read = async () => (await service.call('/article/aaaaaaaaa1')).json.article;
    const { page } = await signIn(service);
    await page.getByRole('link', { name: /Reset/ }).click();
    // Read before the other author writes.
    await text(page).getByText('One.').waitFor();

    await patch({
      tags: ['theirs'],
      multilingual: [{ language_code: 'de', title: 'Zurücksetzen', body: '<p>Eins.</p>' }],
    });
    await page.getByLabel('Title', { exact: true }).fill('Reset my way');
    await button(page, 'Save changes').click();
    await says(page, 'somebody else made');
    expect(await read()).toMatchObject({
      title: 'Reset my way',
      tags: ['theirs'],
      multilingual: [{ title: 'Zurücksetzen' }],
    });
    expect(await page.getByLabel('Tags').inputValue()).toBe('theirs');

    await patch({ title: 'Reset their way', body: '<p>One.</p><p>Their two.</p>' });
    await page.getByLabel('Title', { exact: true }).fill('Reset, mine');
    await text(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' My two.');
    await button(page, 'Save changes').click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this article' });
    await dialog.getByRole('group', { name: 'Text' }).getByText('Their two.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Decide later' }).click();
    expect(await read()).toMatchObject({ title: 'Reset their way', body: '<p>One.</p><p>Their two.</p>' });
    await button(page, 'Save changes').click();
    await dialog.getByRole('group', { name: 'Title' }).getByLabel('Take theirs').check();
    await dialog.getByRole('button', { name: 'Save my choice' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await read()).toMatchObject({
      title: 'Reset their way',
      body: '<p>One.</p>\n<p>Two. My two.</p>',
    });
  });

  test('nothing of a hostile article or paste runs, in the text field, the preview and the conflict; what cannot be edited is kept', async () => {
    const service = await startTestService({ editor: true });
    const body = { article_id: 'aaaaaaaaa1', title: '<img src=x onerror="window.hit=20">', body: hostile };
    await service.call('/article', { method: 'POST', body });
    const { page, errors } = await signIn(service);
    await page.getByRole('link', { name: /onerror/ }).click();
    await text(page).getByText('Harmless text').waitFor();
    expect(
      await text(page).locator('script, iframe, svg, form, [onerror], [ontoggle], [style]').count(),
    ).toBe(0);
    await text(page).getByText('A link').click();
    await button(page, 'Preview').click();
    const frame = page.frameLocator('iframe[title="Preview of the article"]');
    await frame.getByText('Harmless text').waitFor();
    expect(await frame.locator('script, form, [onerror], [ontoggle], [href^="javascript:"]').count()).toBe(0);
    await button(page, 'Close').click();

    // A paste, and a string that the page itself turns into HTML.
    await text(page).evaluate((element, html) => {
      const data = new DataTransfer();
      data.setData('text/html', `<p>Pasted</p>${html}`);
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
      element.insertAdjacentHTML('beforeend', '<p>Undone<img src="x:" onerror="window.hit = 30"></p>');
    }, hostile);
    await text(page).getByText('Pasted').first().waitFor();
    await text(page).getByText('Undone').waitFor();
    expect(await text(page).locator('script, iframe, svg, form, [onerror], [ontoggle]').count()).toBe(0);
    await service.call('/article/aaaaaaaaa1', { method: 'PATCH', body: { body: `${hostile}<p>More</p>` } });
    await button(page, 'Save draft').click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this article' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Save my choice' }).click();
    await says(page, 'somebody else made');
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(errors.filter((error) => !error.includes('Content Security Policy'))).toEqual([]);
    const saved = (await service.call('/article/aaaaaaaaa1')).json.article.body;
    // What the author wrote and cannot edit here is as it was; what was pasted is clean.
    expect(saved.match(/<iframe /g)).toHaveLength(2);
    expect(saved).toContain('<details');
    expect(saved).toContain('<summary>More</summary>');
    expect(saved.slice(0, saved.indexOf('Pasted'))).not.toContain('onerror');
  });

  test('unsaved changes survive a reload and a failure of the service, and the author chooses whether to continue with them', async () => {
    const service = await startTestService({ editor: true });
    await service.call('/article', {
      method: 'POST',
      body: { article_id: 'aaaaaaaaa1', title: 'Reset', body: '<p>One.</p>' },
    });
    const { page, context } = await signIn(service);
    await page.getByRole('link', { name: /Reset/ }).click();
    await text(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Written on a train.');
    await page.getByText('Not saved', { exact: true }).waitFor();
    await context.setOffline(true);
    await button(page, 'Save draft').click();
    await page
      .getByRole('alert')
      .getByText('The service cannot be reached. What you have written stays in this browser.')
      .waitFor();
    await context.setOffline(false);

    let asked = 0;
    page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.accept();
    });
    await page.reload();
    expect(asked).toBe(1);
    await page.getByRole('dialog', { name: 'You have unsaved changes' }).waitFor();
    await button(page, 'Continue with my changes').click();
    await text(page).getByText('One. Written on a train.').waitFor();
    await page.getByRole('link', { name: 'All articles' }).click();
    await page.getByRole('link', { name: /Reset\s*Draft\s*Unsaved changes/ }).click();
    await button(page, 'Continue with my changes').click();
    await text(page).getByText('One. Written on a train.').waitFor();
    await page.keyboard.press('Control+s');
    await says(page, 'Saved.');
    expect((await service.call('/article/aaaaaaaaa1')).json.article.body).toBe(
      '<p>One. Written on a train.</p>',
    );
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    // The key is for this tab alone.
    expect(await page.evaluate('document.cookie + Object.keys(sessionStorage)')).toBe('lectern-key');
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByLabel('Key').waitFor();
  });

  test('says in plain words what is wrong with a key, and lets a reader look but not save', async () => {
    const service = await startTestService({ editor: true });
    await service.call('/article', {
      method: 'POST',
      body: { article_id: 'aaaaaaaaa1', title: 'Reset', body: '<p>One.</p>' },
    });
    const { page } = await openTab(service);
    await page.getByLabel('Key').fill('no-key-of-this-service');
    await button(page, 'Sign in').click();
    await page.getByText('The service does not know this key.').waitFor();
    const { key } = await createKey(service.data, 'reader', 'read', null);
    await page.getByLabel('Key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Reset/ }).click();
    await page.getByText('Your key may only read.').waitFor();
    expect(await page.getByRole('button', { name: /Save|Publish/ }).count()).toBe(0);
    expect(await text(page).getAttribute('aria-readonly')).toBe('true');
    await button(page, 'Preview').click();
    await page.frameLocator('iframe').getByText('One.').waitFor();
  });

  test('axe finds nothing on any view, and a phone shows all of it without scrolling sideways', async () => {
    const service = await startTestService({ editor: true });
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung '.repeat(4).trim();
    await service.call('/article', {
      method: 'POST',
      body: {
        article_id: 'aaaaaaaaa1',
        title: long,
        is_published: true,
        body: `<h2>${long}</h2><p>Text with <a href="https://example.com">a link</a>.</p><table><tr><th>A</th><td>${long}</td></tr></table><pre>${long}</pre>`,
        multilingual: [{ language_code: 'ar', title: 'إعادة', body: '<p>نص</p>' }],
      },
    });
    for (const [colorScheme, viewport] of [
      ['light', desktop],
      ['dark', phone],
    ] as const) {
      const { page } = await openTab(service, { colorScheme, viewport });
      const look = async (view: string) => {
        expect([view, colorScheme, await findViolations(page)]).toEqual([view, colorScheme, []]);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect([view, width]).toEqual([view, viewport.width]);
      };
      await look('sign in');
      await page.getByLabel('Key').fill(service.apiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /Donau/ }).waitFor();
      await look('list');
      await page.getByRole('link', { name: /Donau/ }).click();
      await text(page).getByText('a link').click();
      await look('article');
      await page.getByRole('link', { name: 'Arabic' }).click();
      await page.getByText('Original (English)').waitFor();
      await look('translation');
      await button(page, 'Add a language').click();
      await look('dialog');
    }
  });

  test('can be used with the keyboard alone', async () => {
    const service = await startTestService({ editor: true });
    const { page } = await openTab(service);
    await page.keyboard.type(service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Write an article' }).focus();
    await page.keyboard.press('Enter');
    // The list has a field whose label contains the word, too.
    await text(page).waitFor();
    await page.getByLabel('Title', { exact: true }).focus();
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Bold');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Shift+Tab');
    // The toolbar is one stop, and arrows move in it.
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Style of the paragraph',
    );
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Bold');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await says(page, 'Saved.');
    expect((await service.call('/article?include_body=true')).json.articles[0].body).toBe(
      '<p><strong>Bold</strong></p>',
    );
  });
});
