import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { translatedArticle, translatedCategory } from '../source/support/records.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { pageRecords, publishSite, type Records } from '../support/publish-site.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';
import { pagesOfEachKind, sampleRecords } from './support/sample.ts';

const tags = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'cs', 'sv', 'da', 'fi', 'hu', 'tr', 'ja', 'ar'];
const manyLanguages: Records = {
  articles: [
    translatedArticle(
      'aaaaaaaaa1',
      Object.fromEntries(tags.map((tag) => [tag, [`Title ${tag}`, '<p>Text</p>'] as const])),
    ),
  ],
};

const oneArticle = (body: string): Records => pageRecords('en', { aaaaaaaaa1: ['Title', body] });

/** One article in each of so many categories with descriptions. */
function withTopics(count: number): Records {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return {
    articles: numbers.map((number) =>
      translatedArticle(
        `a${String(number).padStart(9, 'a')}`,
        { en: [`Title ${number}`, '<p>Text</p>'] },
        { category_id: `ccccccccc${number}` },
      ),
    ),
    categories: numbers.map((number) =>
      translatedCategory(
        `ccccccccc${number}`,
        { en: `Problems with topic ${number}` },
        { description: 'What to do when it does not work, whom to ask, and how long an answer takes.' },
      ),
    ),
  };
}

/** A category of 600 articles; every tenth is about exports. */
const longCategory = ((): Records => {
  const titles = Array.from(
    { length: 600 },
    (_, at) => `${String.fromCharCode(65 + (at % 26))} ${at % 10 === 0 ? 'éxport' : 'import'} number ${at}`,
  );
  const pages = titles.map((title, at) => [
    `a${String(at).padStart(9, '0')}`,
    [title, '<p>Text</p>'] as const,
  ]);
  return pageRecords(
    'en',
    Object.fromEntries(pages),
    titles.map(() => 'Everything'),
  );
})();

describeWith('chromium', 'a large help centre in a browser', (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => closePages(browser));

  async function open(
    records: Records,
    look: 'help' | 'docs',
    path: string,
    viewport = { width: 1600, height: 900 },
    javaScriptEnabled = true,
  ) {
    const { files } = await publishSite(records, { site: { look } });
    const server = await serveFiles(files);
    const page = await browser.newPage({ viewport, javaScriptEnabled });
    onTestFinished(() => page.close());
    await page.goto(server.origin + path);
    return page;
  }

  test.each([
    [1440, 2500],
    [375, 3500],
  ])(
    'shows a category of 600 articles on a short page with a filter, %s pixels wide',
    async (width, height) => {
      const page = await open(longCategory, 'help', '/en/category/c000000000-everything/', {
        width,
        height: 812,
      });
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(height);
      const shown = () => page.locator('.filterable li:visible').count();
      const filter = page.locator('.list-filter');
      await filter.waitFor();
      expect(await shown()).toBe(0);
      await filter.fill('EXPORT 59');
      expect(await shown()).toBe(1);
      await filter.fill('export');
      expect(await shown()).toBe(60);
      const status = page.locator('.filterable [role=status]');
      expect(await status.textContent()).toBe('Articles: 60');
      const tags = await page.locator('.letter-group:visible .tag').allTextContents();
      expect(tags.reduce((sum, count) => sum + Number(count), 0)).toBe(60);
      await filter.fill('');
      expect(await page.locator('.letter-group:visible').count()).toBe(26);
      expect(await shown()).toBe(0);
      expect(await status.textContent()).toBe('');
    },
  );

  test.each([
    ['a long category', '/en/category/c000000000-everything/'],
    ['the index', '/en/index/'],
  ])('says that no article of %s has the typed words, and counts what it shows', async (_what, path) => {
    const page = await open(longCategory, 'help', path);
    const filter = page.locator('.list-filter');
    const status = page.locator('.filterable [role=status]');
    const counts = () => page.locator('.letter-group:visible .tag').allTextContents();
    await filter.waitFor();
    const all = await counts();
    await filter.fill('EXPORT 59');
    expect(await counts()).toEqual(['1']);
    expect((await status.boundingBox())?.height).toBeLessThan(2);
    await filter.fill('$& xylophone');
    expect(await status.textContent()).toBe('Nothing found for “$& xylophone”. Try fewer or other words.');
    expect((await status.boundingBox())?.height).toBeGreaterThan(12);
    expect(await counts()).toEqual([]);
    await filter.fill('');
    expect(await counts()).toEqual(all);
    expect(await status.textContent()).toBe('');
  });

  test('filters the index by what readers type for other letters', async () => {
    const named = ['Straße', 'サーバー', 'إعدادات', 'ÆON Łódź', 'IŞIK', '설정'];
    const titles = [...named, ...Array.from({ length: 30 }, (_, at) => `Number ${at}`)];
    const pages = titles.map((title, at) => [
      `a${String(at).padStart(9, '0')}`,
      [title, '<p>Text</p>'] as const,
    ]);
    const page = await open(pageRecords('en', Object.fromEntries(pages)), 'help', '/en/index/');
    for (const [at, typed] of [
      'STRASSE',
      'ｻｰﾊﾞｰ さーば',
      'اعدادات',
      'lodz aeon',
      'isik ışı',
      '서',
    ].entries()) {
      await page.locator('.list-filter').fill(typed);
      expect(await page.locator('.filterable li:visible').allTextContents(), typed).toEqual([named[at]]);
    }
  });

  test('gives screenshots an edge by their width, not by their place', async () => {
    const svg = (width: number) =>
      `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="90"/>`)}`;
    const page = await open(oneArticle('<p>Text</p>'), 'help', '/en/article/aaaaaaaaa1-title/');
    const markup = `<p>See <img src="${svg(1600)}"></p><p><img class="image-block" src="${svg(30)}"></p>`;
    await page.route('**/aaaaaaaaa1-title/', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('<p>Text</p>', markup) });
    });
    await page.reload();
    await page.locator('.zoom-inline').waitFor();
    const [large, small] = await page
      .locator('.prose img')
      .evaluateAll((images) => images.map((image) => getComputedStyle(image).outlineStyle));
    expect([large, small]).toEqual(['solid', 'none']);
    await page.locator('.zoom-inline').click();
    await page.locator('.zoom-dialog[open] img').waitFor();
  });

  test('finds a language by its own name, its name in the reader’s language, or its tag', async () => {
    const page = await open(manyLanguages, 'help', '/en/article/aaaaaaaaa1-title-en/');
    // On a slow connection, a reader opens the menu before the script of the page runs.
    await page.route('**/site*.js', async (route) => {
      await page.locator('.languages summary').click();
      await route.continue();
    });
    await page.reload();
    const shown = () => page.locator('.languages li:visible').allTextContents();
    expect(await shown()).toHaveLength(tags.length);
    // The browser says later that the menu is open.
    await page.locator('.language-filter:focus').waitFor();
    for (const [typed, name] of [
      ['deut', 'Deutsch'],
      ['Japanese', '日本語'],
      ['turk', 'Türkçe'],
      ['cs', 'Čeština'],
    ] as const) {
      await page.locator('.language-filter').fill(typed);
      expect(await shown(), typed).toContain(name);
      expect(await shown(), typed).not.toContain('English');
    }
    const status = page.locator('.languages [role=status]');
    expect(await status.textContent()).toBe('');
    await page.locator('.language-filter').fill('Klingon');
    expect(await shown()).toEqual([]);
    expect(await status.textContent()).toContain('“Klingon”');
    expect(await status.isVisible()).toBe(true);
    await page.locator('.language-filter').fill('deut');
    expect(await status.textContent()).toBe('');
    await page.locator('.language-filter').dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await page.locator('.language-filter').dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(page.url()).toMatch(/\/en\/article\//);
    // An input method cancels what it composes.
    await page.locator('.language-filter').dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await page.locator('.language-filter').dispatchEvent('keydown', { key: 'Escape', keyCode: 229 });
    expect(await page.locator('.languages[open]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/de\/article\//);
  });

  test.each(['help', 'docs'] as const)(
    'keeps lines of text below 85 characters in the %s look, with and without a table of contents or a wide table',
    async (look) => {
      const page = await open(sampleRecords, look, pagesOfEachKind('en').article ?? '');
      const lengths = await page.evaluate<readonly number[]>(`(() => {
        const words = 'The courier opens the door of a free locker and puts the parcel in, then the app tells you the code. ';
        const prose = document.querySelector('.prose');
        const measure = (html) => {
          prose.innerHTML = '<p>' + words.repeat(20) + '</p>' + html;
          const text = prose.querySelector('p');
          const lines = text.clientHeight / parseFloat(getComputedStyle(text).lineHeight);
          return words.length * 20 / lines;
        };
        const wide = '<div class="table-scroll table-wide"><table><tr>' + '<td>Some words</td>'.repeat(7) + '</tr></table></div>';
        const found = [measure(''), measure(wide)];
        document.querySelector('.toc').remove();
        return [...found, measure(''), measure(wide)];
      })()`);
      for (const length of lengths) {
        expect(length).toBeLessThanOrEqual(85);
        expect(length).toBeGreaterThan(65);
      }
    },
  );

  test.each(['help', 'docs'] as const)(
    'keeps the search of the home page in reach when its field is scrolled away, %s look',
    async (look) => {
      // Lower windows have no header that stays.
      const page = await open(withTopics(7), look, '/en/', { width: 390, height: 440 });
      const link = page.locator('.site-header .search-link');
      await link.waitFor({ state: 'hidden' });
      // A page that is not painted yet ignores the wheel.
      const turn = async (by: number) => {
        await page.mouse.wheel(0, by);
        return link.isVisible();
      };
      await expect.poll(() => turn(2000)).toBe(true);
      await link.click();
      await page.keyboard.type('topic');
      expect(await page.locator('dialog[open] input').inputValue()).toBe('topic');
      await page.keyboard.press('Escape');
      await expect.poll(() => turn(-4000)).toBe(false);
    },
  );

  test('opens every category of the side tree with a key, without JavaScript', async () => {
    const page = await open(withTopics(7), 'docs', '/en/article/aaaaaaaaa2-title-2/', undefined, false);
    const tree = page.locator('.tree');
    expect(await tree.locator('li a:visible').allTextContents()).toEqual([
      ...Array.from({ length: 3 }, (_, number) => `Problems with topic ${number}`),
      'Title 2',
      ...Array.from({ length: 4 }, (_, number) => `Problems with topic ${number + 3}`),
    ]);
    expect(await tree.locator('a[aria-current=page]').allTextContents()).toEqual(['Title 2']);
    await tree.getByRole('link', { name: 'Problems with topic 5' }).focus();
    await page.keyboard.press('Tab');
    expect(await tree.locator('summary:focus').textContent()).toBe('Problems with topic 5');
    await page.keyboard.press('Enter');
    await tree.getByRole('link', { name: 'Title 5' }).waitFor();
    await page.keyboard.press('Enter');
    await tree.getByRole('link', { name: 'Title 5' }).waitFor({ state: 'hidden' });
  });

  test('shows seven categories on the first screen of a phone, though they have descriptions', async () => {
    const page = await open(withTopics(7), 'help', '/en/', { width: 390, height: 844 });
    const last = await page.locator('h3.card-title').last().boundingBox();
    expect(await page.locator('h3.card-title').count()).toBe(7);
    expect((last?.y ?? Infinity) + (last?.height ?? 0)).toBeLessThanOrEqual(844);
  });

  test.each([
    ['help', 1440],
    ['docs', 1440],
    ['help', 1024],
    ['help', 390],
  ] as const)(
    'keeps the edges of the header on every page, and the title in its place: %s look, %d px',
    async (look, width) => {
      const titles = new Set<number>();
      for (const kind of ['home', 'category', 'article', 'index', 'search', 'not found'] as const) {
        const page = await open(sampleRecords, look, pagesOfEachKind('en')[kind] ?? '', {
          width,
          height: 900,
        });
        const edges = await page.evaluate<Readonly<Record<string, number | null>>>(`(() => {
        const left = (selector) => document.querySelector(selector)?.getBoundingClientRect().left ?? null;
        const link = document.querySelector('.tree a');
        const { paddingLeft } = link === null ? { paddingLeft: '0' } : getComputedStyle(link);
        const isColumn = link !== null && link.checkVisibility();
        return {
          brand: left('.brand'),
          footer: left('.footer-links'),
          tree: isColumn ? left('.tree a') + parseFloat(paddingLeft) : null,
          title: left('h1'),
        };
      })()`);
        expect(edges.footer, kind).toBeCloseTo(edges.brand ?? 0, 0);
        if (edges.tree !== null) expect(edges.tree, kind).toBeCloseTo(edges.brand ?? 0, 0);
        if (kind === 'home') expect(edges.title).toBeCloseTo(edges.brand ?? 0, 0);
        else titles.add(Math.round(edges.title ?? Number.NaN));
      }
      expect([...titles]).toHaveLength(1);
    },
  );

  test('leaves no hole between text and contents, which end where the header ends', async () => {
    const page = await open(sampleRecords, 'help', pagesOfEachKind('en').article ?? '');
    const { gap, end } = await page.evaluate<{ readonly gap: number; readonly end: number }>(`(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return { gap: box('.toc').left - box('.prose > p').right, end: box('.theme-switch svg').right - box('.toc').right };
    })()`);
    expect(gap).toBeLessThanOrEqual(96);
    expect(Math.abs(end)).toBeLessThan(2);
  });

  test.each([
    ['help', 'ltr', 'en'],
    ['help', 'rtl', 'ar'],
    ['docs', 'ltr', 'en'],
  ] as const)(
    'shows that lists of articles lead on, and leads on from the whole row: %s look, %s',
    async (look, direction, language) => {
      for (const kind of ['home', 'category', 'article', 'index'] as const) {
        const page = await open(sampleRecords, look, pagesOfEachKind(language)[kind] ?? '');
        const row = page.locator('main .article-list li').first();
        const shown = await row.evaluate((item) => {
          const link = item.querySelector('a') as HTMLElement;
          return { isColoured: getComputedStyle(link).color !== getComputedStyle(document.body).color };
        });
        expect(shown.isColoured, kind).toBe(true);
        const href = await row.locator('a').getAttribute('href');
        const { width = 0, height = 0 } = (await row.boundingBox()) ?? {};
        await row.click({ position: { x: direction === 'ltr' ? width - 3 : 3, y: height / 2 } });
        await page.waitForURL((url) => decodeURI(url.pathname) === decodeURI(href ?? ''));
      }
    },
  );

  test.each(['help', 'docs'] as const)(
    'fills the last row of cards in the %s look, and no long word leaves its card',
    async (look) => {
      const selector = '.card:visible';
      const page = await open(withTopics(13), look, '/en/');
      await page.locator(selector).evaluateAll((cards) => {
        for (const [at, title] of cards.map((card) => card.querySelector('.card-title a')).entries())
          if (title !== null)
            title.textContent += at % 2 ? ' Benutzerkontenverwaltung' : ' Preocupaciones de fraude';
      });
      const alone: string[] = [];
      const holes: string[] = [];
      const wide: string[] = [];
      for (let count = 13; count > 1; count -= 1) {
        for (const width of [320, 390, 600, 700, 768, 900, 960, 1024, 1100, 1200, 1280, 1366, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          const boxes = await page.locator(selector).evaluateAll((cards) =>
            cards.map((card) => {
              const { top, right } = card.getBoundingClientRect();
              return { top, right, isWide: card.scrollWidth > card.clientWidth };
            }),
          );
          const tops = boxes.map(({ top }) => top);
          expect(tops.length - count).toBeOneOf([0, 1]);
          const ends = Math.max(...boxes.map(({ right }) => right));
          if (ends - (boxes.at(-1)?.right ?? 0) > 1) holes.push(`${count} at ${width}`);
          if (boxes.some(({ isWide }) => isWide)) wide.push(`${count} at ${width}`);
          const isList = new Set(tops).size === tops.length;
          if (!isList && tops.at(-2) !== tops.at(-1)) alone.push(`${count} at ${width}`);
        }
        await page
          .locator('section.card')
          .last()
          .evaluate((card) => card.remove());
      }
      expect({ alone, holes, wide }).toEqual({ alone: [], holes: [], wide: [] });
    },
  );

  test.each(['help', 'docs'] as const)(
    'ends a wide table beside the contents, and what follows a text, where the text ends: %s look',
    async (look) => {
      const page = await open(sampleRecords, look, pagesOfEachKind('en').article ?? '');
      const widths = await page.evaluate<Readonly<Record<string, number>>>(`(() => {
        document.querySelector('.prose').innerHTML = '<p>Text</p><div class="table-scroll table-wide"><table><tr>' +
          '<td>Some words here</td>'.repeat(9) + '</tr></table></div>';
        const width = (selector) => Math.round(document.querySelector(selector).getBoundingClientRect().width);
        const all = ['.prose > p', '.article-tools', '.related', '.neighbours'].map((each) => [each, width(each)]);
        return Object.fromEntries([...all, ['table', width('.table-wide')]]);
      })()`);
      expect(new Set(Object.values(widths)).size, JSON.stringify(widths)).toBe(1);
    },
  );

  test('writes code from left to right in Hebrew text, and Arabic titles without gaps between letters', async () => {
    const body = '<p>הריצו <code>--email</code> בתיקייה <code>/etc/acme</code>.</p>';
    const article = translatedArticle('aaaaaaaaa1', {
      en: ['Reset the password', body],
      he: ['איפוס סיסמה ב־Acme (2.4)', body],
      ar: ['كلمة المرور', body],
    });
    const page = await open({ articles: [article] }, 'help', '/he/index/');
    await page.locator('main .article-list a').click();
    const codes = await page.evaluate(`[...document.querySelectorAll('.prose code')].map((code) => {
      const leftOf = (at) => {
        const range = document.createRange();
        range.setStart(code.firstChild, at);
        range.setEnd(code.firstChild, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [...code.textContent].every((_, at) => at === 0 || leftOf(at - 1) < leftOf(at));
    })`);
    expect(codes).toEqual([true, true]);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await page.locator('.languages summary').click();
    await page.locator('.languages a[hreflang=ar]').click();
    await page.locator('html[lang=ar]').waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).letterSpacing")).toBe(
      'normal',
    );
  });

  test('caps a wide image by the column, gives it a border, and shows where a table scrolls that is wider than the text', async () => {
    const cells = '<td>A cell with some words</td>'.repeat(20);
    const image = '<img src="https://images.example.com/wide.png" alt="Wide" width="3000" height="1000">';
    const page = await open(
      oneArticle(
        `<p>${image}</p><p>Press ${image.replaceAll('3000', '16').replace('1000', '16')}.</p><table><tr>${cells}</tr></table>`,
      ),
      'help',
      '/en/article/aaaaaaaaa1-title/',
    );
    const prose = await page.locator('.prose').boundingBox();
    const shown = await page.locator('.prose img').first().boundingBox();
    expect(shown?.width).toBeLessThanOrEqual(prose?.width ?? 0);
    const borders = await page
      .locator('.prose img')
      .evaluateAll((images) => images.map((one) => getComputedStyle(one).outlineStyle));
    expect(borders).toEqual(['solid', 'none']);
    const table = page.locator('.table-scroll');
    const text = await page.locator('.prose p').first().boundingBox();
    expect((await table.boundingBox())?.width).toBeGreaterThan(1.2 * (text?.width ?? Number.NaN));
    const { hidden, background } = await table.evaluate((element) => ({
      hidden: element.scrollWidth - element.clientWidth,
      background: getComputedStyle(element).backgroundImage,
    }));
    expect(hidden).toBeGreaterThan(0);
    expect(background.match(/linear-gradient/g)).toHaveLength(4);
  });
});
