import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { translatedArticle } from '../source/support/records.ts';
import { closePages, launchBrowser, loadIcon } from '../support/browser.ts';
import { publishSite } from '../support/publish-site.ts';
import type { LocalServer } from '../support/serve.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { pagesOfEachKind, sampleRecords } from './support/sample.ts';

describeWith(
  'chromium',
  'a built site in a browser, under its own Content-Security-Policy',
  (executablePath) => {
    let browser: Browser;
    let server: LocalServer;

    beforeAll(async () => {
      const { files } = await publishSite(sampleRecords);
      server = await serveFiles(files);
      browser = await launchBrowser(executablePath);
    });

    afterAll(() => closePages(browser));

    /** Runs on a new page; fails on console errors and on requests that leave the site. */
    async function onPage(
      path: string,
      act: (page: Page) => Promise<void>,
      options: BrowserContextOptions = {},
    ): Promise<void> {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(server.origin) && !url.startsWith('data:')) complaints.push(`asked ${url}`);
      });
      await page.goto(server.origin + path);
      await act(page);
      await context.close();
      expect(complaints).toEqual([]);
    }

    const english = pagesOfEachKind('en');
    const articlePath = english.article ?? '';

    test.each(['en', 'ar', 'ja'] as const)(
      'is quiet and fits a phone on every kind of page in %s',
      async (language) => {
        for (const [kind, path] of Object.entries(pagesOfEachKind(language))) {
          await onPage(
            path,
            async (page) => {
              const overflow = await page.evaluate(
                'document.documentElement.scrollWidth - document.documentElement.clientWidth',
              );
              expect(overflow, kind).toBe(0);
              await loadIcon(page);
            },
            { viewport: { width: 360, height: 780 } },
          );
        }
      },
    );

    test.each(['home', 'category', 'article'] as const)(
      'moves nothing while a page is loaded: %s',
      async (kind) => {
        await onPage(english[kind] ?? '', async (page) => {
          await page.evaluate('document.fonts.ready');
          const shift = await page.evaluate(`new Promise((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
          }).observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        })`);
          expect(shift).toBeLessThan(0.02);
        });
      },
    );

    test('keeps paragraphs in lists and cells and questions beside their triangles close, and wraps header cells', async () => {
      await onPage(
        articlePath,
        async (page) => {
          const measured = await page.evaluate(`(() => {
            document.querySelector('.prose').innerHTML =
              '<p>Text</p><ul><li><p>a</p><ul id="inner"><li>b</li></ul></li></ul>' +
              '<div class="table-scroll"><table><thead><tr><th>A</th></tr></thead><tr><td><h3>b</h3><p>c</p></td></tr></table></div>' +
              '<details><summary><h3 id="question">Why?</h3></summary></details>';
            const style = (selector) => getComputedStyle(document.querySelector(selector));
            return {
              item: parseFloat(style('.prose li > p').marginBlockStart) < 8,
              nested: parseFloat(style('#inner').marginBlockStart) < 8,
              heading: style('.prose td > h3').marginBlockStart,
              cell: style('.prose td > p').marginBlockEnd,
              header: style('.prose th').whiteSpace,
              question: style('#question').display,
            };
          })()`);
          expect(measured).toEqual({
            item: true,
            nested: true,
            heading: '0px',
            cell: '0px',
            header: 'normal',
            question: 'inline',
          });
        },
        { viewport: { width: 1440, height: 900 } },
      );
    });

    test.each(['ltr', 'rtl'])(
      'keeps the copy button in the head of the code on a phone, %s',
      async (direction) => {
        await onPage(
          articlePath,
          async (page) => {
            await page.locator('.copy-button').first().waitFor();
            const measured = await page.evaluate(`(() => {
            document.documentElement.dir = '${direction}';
            const block = document.querySelector('.prose pre');
            block.firstChild.textContent = 'long '.repeat(200);
            const button = block.parentNode.querySelector('.copy-button');
            const head = button.parentNode.getBoundingClientRect();
            const { right, bottom } = button.getBoundingClientRect();
            block.scrollLeft = 1e6;
            return { isScrolled: block.scrollLeft > 0, isInside: right <= head.right && bottom <= head.bottom + 1 };
          })()`);
            expect(measured).toEqual({ isScrolled: true, isInside: true });
          },
          { viewport: { width: 360, height: 780 } },
        );
      },
    );

    test.each([
      ['en', 'recovery code', 'Reset your password'],
      ['ja', 'パスワード', 'パスワードを再設定する'],
      ['zh-CN', '密码', '重置密码'],
      ['ar', 'كلمة المرور', 'إعادة تعيين كلمة المرور'],
      ['th', 'รหัสผ่าน', 'รีเซ็ตรหัสผ่าน'],
    ])('searches in %s by keyboard alone', async (language, query, title) => {
      await onPage(`/${language}/index/`, async (page) => {
        await page.keyboard.press('/');
        await page.locator('dialog[open] input').waitFor();
        await page.keyboard.type(query);
        const first = page.locator('dialog .results .result').first();
        await first.waitFor();
        expect(await first.locator('strong').textContent()).toBe(title);
        await first.locator('.snippet mark').first().waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL(/\/article\/aaaaaaaaa1/);
        expect(await page.locator('h1').textContent()).toBe(title);
      });
    });

    test('closes the search dialog with Escape and gives the focus back', async () => {
      await onPage(articlePath, async (page) => {
        await page.locator('.search-link').focus();
        await page.keyboard.press('Enter');
        await page.locator('dialog[open] input').waitFor();
        await page.keyboard.press('Escape');
        await page.locator('dialog[open]').waitFor({ state: 'detached' });
        expect(await page.evaluate('document.activeElement.className')).toBe('search-link');
      });
    });

    test.each(['its results', 'no script'])(
      'closes the search dialog with one Escape, and keeps the words in it: with %s',
      async (part) => {
        await onPage(articlePath, async (page) => {
          if (part === 'no script') await page.route('**/search-*.js', () => {});
          await page.keyboard.press('/');
          await page.keyboard.type('password');
          if (part === 'its results') await page.locator('dialog[open] .results a').first().waitFor();
          await page.keyboard.press('Escape');
          expect(await page.locator('dialog[open]').count()).toBe(0);
          await page.keyboard.press('/');
          expect(await page.locator('dialog[open] input').inputValue()).toBe('password');
        });
      },
    );

    test('opens the search dialog again if the shortcut comes before the browser draws the closed one', async () => {
      await onPage(articlePath, async (page) => {
        await page.keyboard.press('/');
        await page.locator('dialog[open] .search-status').waitFor({ state: 'attached' });
        await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('/')]);
        await page.locator('dialog[open] input').waitFor();
      });
    });

    test('shows results below the field of the home page, and all of them on the search page', async () => {
      await onPage('/en/', async (page) => {
        await page.keyboard.press('/');
        await page.keyboard.type('password');
        await page.locator('.hero .results a').first().waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(/\/en\/search\/\?q=password$/);
        await page.locator('.search-page .results a').first().waitFor();
        expect(await page.locator('[role=status]').textContent()).toBe('1 result');
      });
    });

    test('loads nothing of the search before it is wanted', async () => {
      const asked: string[] = [];
      await onPage(articlePath, async (page) => {
        page.on('request', (request) => asked.push(request.url()));
        await page.reload({ waitUntil: 'networkidle' });
      });
      expect(asked.filter((url) => /search|minisearch|tokens/.test(url))).toEqual([]);
    });

    test('keeps the reader on the article when the language is switched', async () => {
      await onPage(articlePath, async (page) => {
        await page.locator('.languages summary').click();
        await page.locator('.languages a[hreflang=ja]').click();
        expect(await page.locator('h1').textContent()).toBe('パスワードを再設定する');
        expect(await page.locator('html').getAttribute('lang')).toBe('ja');
      });
    });

    test('keeps the reader at the section when the language is switched, because headings have the same ids', async () => {
      await onPage(`${articlePath}#steps`, async (page) => {
        await page.locator('.languages summary').click();
        await page.locator('.languages a[hreflang=ja]').click();
        await page.waitForURL(/\/ja\/.*#steps$/);
        expect(await page.locator(':target').textContent()).toContain('手順');
      });
    });

    test('keeps the reader on the search page, with the typed words, when the language is switched', async () => {
      await onPage('/en/search/', async (page) => {
        await page.keyboard.type('E-1023');
        await page.waitForURL(/\?q=E-1023$/);
        await page.locator('.languages summary').click();
        await page.locator('.languages a[hreflang=ja]').click();
        await page.waitForURL(/\/ja\/search\/\?q=E-1023$/);
        expect(await page.locator('.search-page input').inputValue()).toBe('E-1023');
      });
    });

    test('closes the language menu when the focus leaves it', async () => {
      await onPage(articlePath, async (page) => {
        await page.locator('.languages summary').focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        expect(await page.locator('.languages[open]').count()).toBe(1);
        await page.locator('.languages a').last().focus();
        await page.keyboard.press('Tab');
        await page.locator('.languages[open]').waitFor({ state: 'detached' });
      });
    });

    test('takes a reader from the root to the language the browser asks for', async () => {
      await onPage('/', (page) => page.waitForURL(/\/ja\/$/), { locale: 'ja-JP' });
    });

    test.each([
      ['zh-TW', 'zh-hant'],
      ['zh-HK', 'zh-hant'],
      ['zh-CN', 'zh-hans'],
      ['zh', 'zh-hans'],
    ])('takes a reader of %s from the root to the language in the same script', async (locale, language) => {
      const titles = { 'zh-hans': ['文章', '<p>正文。</p>'], 'zh-hant': ['文章', '<p>內文。</p>'] } as const;
      const { files } = await publishSite(
        { articles: [translatedArticle('aaaaaaaaa1', titles)] },
        { defaultLanguage: 'zh-hans' },
      );
      const chinese = await serveFiles(files);
      const page = await browser.newPage({ locale });
      await page.goto(chinese.origin);
      await page.waitForURL(`${chinese.origin}/${language}/`);
      await page.close();
      await chinese.close();
    });

    test('lets a reader without JavaScript read, navigate and reach the index', async () => {
      await onPage(
        articlePath,
        async (page) => {
          expect(await page.locator('.prose table').count()).toBe(1);
          await page.locator('.search-link').click();
          expect(await page.locator('h1').textContent()).toBe('All articles A–Z');
          await page.goto(`${server.origin}/en/`);
          await page.locator('.search-form input').fill('password');
          await page.keyboard.press('Enter');
          await page.waitForURL(/\/en\/index\/\?q=password$/);
        },
        { javaScriptEnabled: false },
      );
    });

    test('follows the system in dark and light, and remembers a choice', async () => {
      const background = (page: Page) =>
        page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      await onPage(
        '/en/',
        async (page) => {
          const dark = await background(page);
          await page.locator('.theme-switch').click();
          const light = await background(page);
          expect(light).not.toBe(dark);
          await page.goto(server.origin + articlePath);
          expect(await background(page)).toBe(light);
        },
        { colorScheme: 'dark' },
      );
    });

    test('has the theme that was chosen on a later page when the browser shows a page that it kept', async () => {
      await onPage(articlePath, async (page) => {
        await page.evaluate(`localStorage.setItem('theme', 'dark');
          dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
        expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
      });
    });

    test('marks the section being read in the table of contents', async () => {
      await onPage(
        articlePath,
        async (page) => {
          await page.locator('.prose h2').last().scrollIntoViewIfNeeded();
          await page.evaluate('scrollTo(0, document.body.scrollHeight)');
          await page.locator('.toc a[aria-current]', { hasText: 'Limits' }).waitFor();
        },
        { viewport: { width: 1280, height: 500 } },
      );
    });

    test('shows the page for unknown URLs', async () => {
      const page = await browser.newPage();
      const answer = await page.goto(`${server.origin}/en/article/none/`);
      expect(answer?.status()).toBe(404);
      expect(await page.locator('h1').textContent()).toBe('Page not found');
      await page.close();
    });
  },
);
