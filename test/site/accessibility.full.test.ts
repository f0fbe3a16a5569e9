import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { translatedArticle } from '../source/support/records.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { publishSite, type Records } from '../support/publish-site.ts';
import { type SiteFiles, serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { pagesOfEachKind, sampleRecords } from './support/sample.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

type TestedLanguage = 'en' | 'ar' | 'ja';

const queries = { en: 'password', ar: 'المرور', ja: 'パスワード' } as const;

/** Every part of a page that a setting turns on. */
const everyOption: UserConfig['site'] = {
  feedback: '/answers',
  editUrl: 'https://example.com/edit/{id}/{lang}.md',
  announcement: { title: 'Exports are slow today.', href: 'https://status.example.com' },
};

/** A table and an aside under one heading each, twice. */
const landmarks = '<aside><p>บันทึก</p></aside><table><tr><td>ก</td><td>ข</td></tr></table>'.repeat(2);

/** Dark is checked on a phone, so that both widths are met without doubling the runs. */
const appearances = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 780 } },
] as const;

/** What axe-core says against a page and the frames in it in either appearance, one line per element. */
async function findViolations(page: Page, kind: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { colorScheme, viewport } of appearances) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const violations: Violation[] = [];
    for (const frame of page.frames())
      violations.push(
        ...(await frame.evaluate<readonly Violation[]>(
          'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
        )),
      );
    for (const { id, nodes } of violations) {
      for (const { html, failureSummary } of nodes) {
        found.push(`${kind}, ${colorScheme}: ${id}: ${html}: ${failureSummary}`);
      }
    }
  }
  return found;
}

/** The sample with an article that only Thai readers have. */
const records: Records = {
  ...sampleRecords,
  articles: [
    ...sampleRecords.articles,
    translatedArticle(
      'aaaaaaaaa5',
      {
        th: ['คืนเงิน', `<h2>ขั้นตอน</h2><p>เปิด <a href="/category/ccccccccc1">การตั้งค่า</a></p>${landmarks}`],
      },
      { category_id: 'ccccccccc1' },
    ),
  ],
};

/** Path of the page that is shown instead of the Thai article. */
function standIn(files: SiteFiles, language: TestedLanguage): string {
  const path = [...files.keys()].find((name) => name.startsWith(`${language}/article/aaaaaaaaa5`));
  if (path === undefined) throw new Error(`no page is shown instead of the Thai article in ${language}`);
  return path;
}

/** A site with a page of every kind, and their paths by kind. */
async function buildEveryKind(look: 'help' | 'docs', language: TestedLanguage) {
  // The root page is written in the default language.
  const build = (mode: 'notice' | 'redirect') =>
    publishSite(records, { defaultLanguage: language, site: { ...everyOption, look, fallback: { mode } } });
  const { files } = await build('notice');
  const { files: redirecting } = await build('redirect');
  const redirect = redirecting.get(standIn(redirecting, language))?.toString() ?? '';
  expect(redirect).toContain('http-equiv="refresh"');
  // A browser leaves for the target before anything could look at the page.
  const standing = redirect.replace(/<meta http-equiv="refresh"[^>]*>/, '');
  return {
    files: new Map([...files, ['redirect.html', standing]]),
    paths: {
      root: '/',
      ...pagesOfEachKind(language),
      notice: `/${standIn(files, language)}`,
      redirect: '/redirect.html',
    },
  };
}

describeWith('chromium', 'pages have no accessibility violation', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => closePages(browser));

  test('in the widget on a page of another origin, with results and with an article', async () => {
    const product = new Map<string, string>();
    const host = await serveFiles(product);
    const { files } = await publishSite(sampleRecords, { site: { widget: { origins: [host.origin] } } });
    const site = await serveFiles(files);
    product.set(
      'index.html',
      `<!DOCTYPE html><html lang="en"><head><meta name="color-scheme" content="light dark"><title>Product</title></head>
      <body><main><h1>Product</h1></main><script src="${site.origin}/widget.js" defer></script></body></html>`,
    );
    const context = await browser.newContext({ reducedMotion: 'reduce', bypassCSP: true });
    await context.addInitScript(axeSource);
    const page = await context.newPage();
    try {
      await page.goto(`${host.origin}/`);
      await page.locator('lectern-help').waitFor({ state: 'attached' });
      const found = [...(await findViolations(page, 'closed'))];
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const frame = page.frameLocator('lectern-help iframe');
      await frame.locator('input[name=q]:focus').first().waitFor();
      await page.keyboard.type('password');
      await frame.locator('.results .snippet mark').first().waitFor();
      found.push(...(await findViolations(page, 'results')));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await frame.locator('.prose').waitFor();
      found.push(...(await findViolations(page, 'article')));
      expect(found).toEqual([]);
      expect(page.frames().length).toBe(2);
    } finally {
      await context.close();
    }
  });

  describe.each(['help', 'docs'] as const)('in the %s look', (look) => {
    test.each(['en', 'ar', 'ja'] as const)(
      'in %s, light and dark, on desktop and phone',
      async (language) => {
        const { files, paths } = await buildEveryKind(look, language);
        const server = await serveFiles(files);
        // In a language that the site does not have, the root page does not redirect.
        const context = await browser.newContext({ locale: 'cy', reducedMotion: 'reduce' });
        await context.addInitScript(axeSource);
        const page = await context.newPage();
        try {
          const found: string[] = [];
          for (const [kind, path] of Object.entries(paths)) {
            const answer = await page.goto(server.origin + path);
            expect(answer?.status(), path).toBe(200);
            expect(new URL(page.url()).pathname, kind).toBe(encodeURI(path));
            found.push(...(await findViolations(page, kind)));
          }
          await page.goto(server.origin + (pagesOfEachKind(language).article ?? ''));
          await page.route('**/answers', (route) => route.fulfill());
          await page.locator('.feedback button[value=no]').click();
          await page.locator('.feedback textarea').waitFor();
          found.push(...(await findViolations(page, 'feedback')));
          await page.goto(`${server.origin}/${language}/index/`);
          await page.locator('.search-link').click();
          await page.locator('dialog input').fill(queries[language]);
          await page.locator('dialog .results .snippet mark').first().waitFor();
          found.push(...(await findViolations(page, 'search dialog')));
          await page.locator('dialog input').fill('qqqqzzzz');
          await page.locator('dialog .search-rest .contact').waitFor();
          found.push(...(await findViolations(page, 'search dialog without results')));
          expect(found).toEqual([]);
        } finally {
          await context.close();
        }
      },
      120_000,
    );
  });
});
