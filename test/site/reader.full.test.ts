import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { translatedArticle, translatedCategory } from '../source/support/records.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { pageRecords, publishSite, type Records } from '../support/publish-site.ts';
import { type SiteFiles, serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';

const phone = { width: 375, height: 667 };
const desktop = { width: 1440, height: 900 };

function svg(attributes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="100%" height="100%" fill="teal"/></svg>`;
}

const pathOf = (id: string) => (path: string) => path.includes(id) && path.endsWith('index.html');

describeWith('chromium', 'what a reader sees first', (executablePath) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });

  afterAll(() => closePages(browser));

  /** Serves a site, and gives a page of it that is not yet opened. */
  async function serve(files: SiteFiles, options: BrowserContextOptions) {
    const server = await serveFiles(files);
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    return { page, origin: server.origin, open: (path: string) => page.goto(`${server.origin}/${path}`) };
  }

  const build = async (records: Records, config: UserConfig = {}) =>
    (await publishSite(records, config)).files;

  /** A PNG with this size, made by the browser. */
  async function png(page: Page, width: number, height: number): Promise<Buffer> {
    const url = await page.evaluate<string>(
      `Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} }).toDataURL()`,
    );
    return Buffer.from(url.split(',')[1] ?? '', 'base64');
  }

  describe.each(['help', 'docs'] as const)('the logo in the %s look', (look) => {
    test.each([
      ['a PNG', 'logo.png', 600, 200, 84],
      ['a small PNG', 'logo.png', 14, 14, 28],
      ['a wide PNG', 'logo.png', 4000, 100, 150],
      ['a tall PNG', 'logo.png', 100, 1000, 3],
      ['an SVG with its size', svg('width="600" height="200"'), 600, 200, 84],
      ['an SVG without size', svg('viewBox="0 0 600 200"'), 600, 200, 84],
      ['a wide SVG without size', svg('viewBox="0 0 4000 100"'), 4000, 100, 150],
      ['a tall SVG without size', svg('viewBox="0 0 100 1000"'), 100, 1000, 3],
    ])('is as high as a line: %s', async (_what, source, width, height, shown) => {
      const name = source.startsWith('<svg') ? 'logo.svg' : 'logo.png';
      const blank = await browser.newPage();
      const logo = name === 'logo.svg' ? source : await png(blank, width, height);
      await blank.close();
      const { files } = await publishSite(
        pageRecords('en', { aaaaaaaaa1: ['Text', '<p>Text.</p>'] }),
        { site: { look, logo: `/${name}` } },
        { [`public/${name}`]: logo },
      );
      const { page, open } = await serve(files, { viewport: phone });
      await open('en/');
      const image = page.locator('.brand img');
      await image.evaluate((element: HTMLImageElement) => element.decode());
      const box = await image.boundingBox();
      expect(box?.height).toBe(28);
      expect(Math.round(box?.width ?? 0)).toBe(shown);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    });
  });

  describe.each(['en', 'ar', 'ja'])('the topics of the search in %s', (language) => {
    /** 28 articles in 14 categories. */
    const pages = Object.fromEntries(
      Array.from({ length: 28 }, (_, at) => [
        `a${String(at).padStart(9, '0')}`,
        [`Parcel ${at}`, '<p>Parcel at the locker.</p>'] as const,
      ]),
    );
    const topics = Array.from({ length: 28 }, (_, at) => `A topic with a long name ${at % 14}`);
    const publish = () => build(pageRecords(language, pages, topics), { defaultLanguage: language });

    test.each([
      ['the dialog', 'index/', 'dialog'],
      ['the panel of the home page', '', '.hero'],
      ['the search page', 'search/', '.search-page'],
    ])('leave room for results on a phone, in %s', async (_what, path, place) => {
      const { page, open } = await serve(await publish(), { viewport: phone });
      await open(`${language}/${path}`);
      if (place === 'dialog') await page.keyboard.press('/');
      const input = page.locator(`${place} input[name=q]`);
      await input.click();
      await page.keyboard.type('parcel');
      const first = page.locator(`${place} .results a`).first();
      await first.waitFor();
      const top = await first.evaluate((link) => link.getBoundingClientRect().top);
      expect(top).toBeLessThan(330);
      // The sentence below the title says what the site is, also on a phone.
      if (place === '.hero') expect(await page.locator('.hero .lead').isVisible()).toBe(true);
      expect(await page.locator(`${place} .search-filter button:visible`).count()).toBe(
        place === '.search-page' ? 5 : 0,
      );
    });

    test('are one row of five on a desktop, and the chosen one stays', async () => {
      const { page, open } = await serve(await publish(), { viewport: desktop });
      const chosen = 'A topic with a long name 9';
      await open(`${language}/search/?q=parcel&topic=${encodeURIComponent(chosen)}`);
      const buttons = page.locator('.search-filter button');
      await page.locator('[aria-pressed=true]', { hasText: chosen }).waitFor();
      expect(await buttons.count()).toBe(5);
      const tops = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
    });
  });

  test('shows the chosen topic of the search also in the colours of a reader with high contrast', async () => {
    const pages = { aaaaaaaaa1: ['Parcel', '<p>A.</p>'], aaaaaaaaa2: ['Parcels', '<p>B.</p>'] } as const;
    const files = await build(pageRecords('en', pages, ['Lockers', 'Prices']));
    const { page, open } = await serve(files, { viewport: desktop, forcedColors: 'active' });
    await open('en/search/?q=parcel&topic=Prices');
    await page.locator('[aria-pressed=true]', { hasText: 'Prices' }).waitFor();
    // Computed styles do not say what is painted.
    const grounds: string[] = [];
    for (const button of await page.locator('.search-filter button').all()) {
      const { x, y, height } = (await button.boundingBox()) ?? { x: 0, y: 0, height: 0 };
      const clip = { x: x + 5, y: y + height / 2, width: 2, height: 2 };
      grounds.push((await page.screenshot({ clip })).toString('base64'));
    }
    expect(grounds).toHaveLength(2);
    expect(grounds[0]).not.toBe(grounds[1]);
  });

  describe('in a page from right to left', () => {
    const long = 'How to open a locker of which the door is closed, '.repeat(5).trim();
    const english = ['aaaaaaaaa2', 'aaaaaaaaa3'].map((id) =>
      translatedArticle(id, { en: [`${long} ${id}`, '<p>Text.</p>'] }, { category_id: 'ccccccccc1' }),
    );
    const link = '<p>افتح <a href="https://example.com/parcels/">الموقع</a> الآن</p>';
    const records = {
      articles: [
        ...english,
        translatedArticle('aaaaaaaaa1', { en: ['Door', '<p>Text.</p>'], ar: ['باب', link] }),
      ],
      categories: [translatedCategory('ccccccccc1', { en: 'Lockers', ar: 'خزائن' })],
    };
    const title = 'Is it slow (again)?';
    const config: UserConfig = {
      site: {
        announcement: title,
        headerLinks: [{ title, href: '/a' }],
        footerLinks: [{ title, href: '/b' }],
      },
    };

    test.each(['.announcement', '.header-links > a', '.footer-links a:not(.phone-only)[href="/b"]'])(
      'ends an English text of the settings with its own last sign: %s',
      async (selector) => {
        const { page, open } = await serve(await build(records, config), { viewport: desktop });
        await open('ar/');
        const [start = 0, end = 0] = await page.locator(selector).evaluate((box) => {
          const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
          let text = walker.nextNode();
          while (text && !text.nodeValue?.includes('slow')) text = walker.nextNode();
          const length = text?.nodeValue?.length ?? 0;
          return [0, length - 1].map((at) => {
            const range = document.createRange();
            range.setStart(text as Node, at);
            range.setEnd(text as Node, at + 1);
            return range.getBoundingClientRect().left;
          });
        });
        expect(end).toBeGreaterThan(start);
      },
    );

    test('shows the dots where a text in another language is cut', async () => {
      const { page, open } = await serve(await build(records, config), { viewport: desktop });
      await open('ar/');
      const areShown = await page.locator('.card-links a').evaluateAll((all) =>
        all.map((cut) => {
          const { paddingInlineEnd } = getComputedStyle(cut);
          return cut.scrollWidth - cut.clientWidth <= Number.parseFloat(paddingInlineEnd);
        }),
      );
      expect(areShown).toEqual([true, true]);
    });

    test('prints the URL of a link from left to right', async () => {
      const files = await build(records, config);
      const { page, open } = await serve(files, { viewport: desktop });
      await page.emulateMedia({ media: 'print' });
      await open(
        [...files.keys()].find((path) => path.startsWith('ar/') && pathOf('aaaaaaaaa1')(path)) ?? '',
      );
      const style = await page.locator('.prose a').evaluate((printed) => {
        const { direction, unicodeBidi } = getComputedStyle(printed, '::after');
        return [direction, unicodeBidi];
      });
      expect(style).toEqual(['ltr', 'isolate']);
    });
  });

  test.each([375, 800, 1000, 1280])(
    'keeps a header with many links in the page, %d px wide',
    async (width) => {
      const titles = [
        'Product overview',
        'Pricing and plans',
        'Developer documentation',
        'Community forum',
        'Training',
      ];
      const headerLinks = titles.map((title, at) => ({ title, href: `https://example.com/${at}` }));
      const { articles } = pageRecords('en', { aaaaaaaaa1: ['Text', '<p>Text.</p>'] });
      const files = await build({ articles }, { site: { headerLinks } });
      const { page, open } = await serve(files, { viewport: { width, height: 800 } });
      await open('en/index/');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect((await page.locator('.brand span').boundingBox())?.width).toBeGreaterThan(30);
      // The links of a phone are in the footer.
      expect(await page.locator('.header-links a:visible').count()).toBe(width === 375 ? 0 : titles.length);
      expect((await page.locator('.site-header').boundingBox())?.height).toBeLessThan(
        width === 375 ? 66 : 90,
      );
    },
  );

  describe('the home page', () => {
    const title = `Error ${'CERTIFICATE_'.repeat(5)}UNKNOWN`;
    const dated = (id: string, heading: string, category: string | null = null) =>
      translatedArticle(
        id,
        { en: [heading, '<p>Text.</p>'] },
        { category_id: category, updated_at: '2026-09-30T00:00:00.000Z' },
      );

    test.each([320, 768, 1280])('breaks a long word in titles of articles, %d px wide', async (width) => {
      const { page, open } = await serve(
        await build({
          articles: [dated('aaaaaaaaa1', title, 'ccccccccc1')],
          categories: [translatedCategory('ccccccccc1', { en: 'Connections' })],
        }),
        {
          viewport: { width, height: 800 },
        },
      );
      await open('en/');
      expect(await page.locator('.card-links a, .columns .article-list a').allTextContents()).toEqual([
        title,
        title,
      ]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });

    test('puts a date below a title whose word leaves no room beside it', async () => {
      const articles = [
        dated('aaaaaaaaa1', 'Internationalization of numbers'),
        dated('aaaaaaaaa2', 'Numbers of parcels that arrived'),
      ];
      const { page, open } = await serve(await build({ articles }), {
        viewport: { width: 280, height: 800 },
      });
      await open('en/');
      const isBelow = await page.locator('.columns li').evaluateAll((rows) =>
        rows.map((row) => {
          const [link, date] = [...row.children].map((child) => child.getBoundingClientRect());
          return (date?.top ?? 0) >= (link?.bottom ?? 0);
        }),
      );
      expect(isBelow).toEqual([true, false]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(280);
    });

    test.each([phone, desktop])(
      'has room above the first list if there are no categories: %o',
      async (viewport) => {
        const { page, open } = await serve(await build({ articles: [dated('aaaaaaaaa1', title)] }), {
          viewport,
        });
        await open('en/');
        const hero = await page.locator('.hero').boundingBox();
        const heading = await page.locator('h2').first().boundingBox();
        expect((heading?.y ?? 0) - (hero?.y ?? 0) - (hero?.height ?? 0)).toBeGreaterThan(16);
      },
    );
  });

  describe('on paper', () => {
    const words = (count: number) => '<td>configuration_value_of_the_wall</td><td>on</td>'.repeat(count / 2);

    test.each([
      [
        'code',
        `<pre><code>const parcel = ${'await'.repeat(40)};\nconst door = ${'open '.repeat(60)};</code></pre>`,
      ],
      ['a table of two columns', `<table><tr><td>${'deposit'.repeat(40)}</td><td>stored</td></tr></table>`],
      ['a table of 6 columns', `<table><tr>${words(6)}</tr></table>`],
      ['a table of 12 columns', `<table><tr>${words(12)}</tr></table>`],
      ['a table of 18 columns', `<table><tr>${words(18)}</tr></table>`],
    ])('shows %s as a whole, in the width of the paper', async (_what, markup) => {
      const files = await build(
        pageRecords('en', { aaaaaaaaa1: ['Parcels', `<p>${'Text '.repeat(99)}</p>${markup}`] }),
      );
      const { page, open } = await serve(files, { viewport: { width: 718, height: 900 } });
      await page.emulateMedia({ media: 'print' });
      await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
      const shown = await page.evaluate<Readonly<Record<string, unknown>>>(`(() => {
        const box = document.querySelector('.prose :is(pre, .table-scroll)');
        const range = document.createRange();
        range.selectNodeContents(box);
        return {
          text: document.querySelector('.prose > p').getBoundingClientRect().width,
          end: Math.max(...[...range.getClientRects()].map(({ right }) => right)) <= 718,
          overflow: getComputedStyle(box).overflowX,
          shadow: getComputedStyle(box).backgroundImage,
        };
      })()`);
      expect(shown).toEqual({ text: 718, end: true, overflow: 'visible', shadow: 'none' });
    });

    test('shows the home page in the colours of texts, because browsers print no grounds', async () => {
      const files = await build(pageRecords('en', { aaaaaaaaa1: ['Parcels', '<p>Text.</p>'] }));
      const { page, open } = await serve(files, { viewport: { width: 718, height: 900 } });
      await page.emulateMedia({ media: 'print' });
      await open('en/');
      const [text, title, ground, hero] = await page.evaluate<readonly string[]>(`(() => {
        const [body, hero, title] = ['body', '.hero', '.hero h1'].map((name) => getComputedStyle(document.querySelector(name)));
        return [body.color, title.color, body.backgroundColor, hero.backgroundColor];
      })()`);
      expect({ title, hero }).toEqual({ title: text, hero: ground });
    });

    test('breaks no short word of a table that has room for it', async () => {
      const cells = ['Name', 'Type', 'Required', 'Default', 'The number of a parcel. '.repeat(20)];
      const table = `<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`;
      const files = await build(pageRecords('en', { aaaaaaaaa1: ['Parcels', table] }));
      const { page, open } = await serve(files, { viewport: { width: 718, height: 900 } });
      await page.emulateMedia({ media: 'print' });
      await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
      const lines = await page.locator('.table-wide td').evaluateAll((all) =>
        all.slice(0, 4).map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        }),
      );
      expect(lines).toEqual([1, 1, 1, 1]);
    });
  });

  describe.each([
    ['ar', 'مركز المساعدة في الخزائن'],
    ['fa', 'پشتیبانی برای پچ'],
    ['th', 'ศูนย์ช่วยเหลือฟู่ที่'],
    ['vi', 'Trợ giúp Ấợặ'],
    ['hi', 'हिन्दी में सहायता क़ुरू'],
    ['fr', 'Gyqpj çĄ'],
  ])('the letters of a language, %s,', (language, title) => {
    test.each([375, 1280])('are not cut off in the header and on cards, %s pixels wide', async (width) => {
      const pages = { aaaaaaaaa1: [title, `<p>${title}</p>`] } as const;
      const records = pageRecords(language, pages, [`${title} ${title}`]);
      const files = await build(records, { defaultLanguage: language, site: { title } });
      const { page, open } = await serve(files, { viewport: { width, height: 1200 } });
      await open(`${language}/`);
      expect(await page.locator('.card-links a').count()).toBe(1);
      const clamped = page.locator(':is(.brand span, .card-links a)');
      // What is above and below the boxes that cut off what leaves them.
      const strips = await clamped.evaluateAll((all) =>
        all.flatMap((element) => {
          const { x, width, top, bottom } = element.getBoundingClientRect();
          return [Math.floor(top) - 4, Math.ceil(bottom)].map((y) => ({ x, y, width, height: 4 }));
        }),
      );
      const shoot = () => Promise.all(strips.map((clip) => page.screenshot({ clip })));
      const before = await shoot();
      await clamped.evaluateAll((all) => {
        for (const element of all) (element as HTMLElement).style.overflow = 'visible';
      });
      const after = await shoot();
      expect(before).toHaveLength(4);
      expect(before.map((strip, at) => strip.equals(after[at] ?? strip))).toEqual([true, true, true, true]);
    });
  });

  test('shows the signs of roots if the machine has a font for formulas', async (context) => {
    const math = '<p><math><msqrt><mi>x</mi></msqrt></math></p>';
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Formulas', math] }));
    const { page, open } = await serve(files, { viewport: desktop });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
    const { fonts, hasFont, sign } = await page.evaluate<{
      readonly fonts: number;
      readonly hasFont: boolean;
      readonly sign: number;
    }>(`(() => {
      const families = getComputedStyle(document.querySelector('math')).fontFamily.split(', ');
      const named = families.filter((family) => family !== 'math');
      const pen = document.createElement('canvas').getContext('2d');
      const lengthIn = (font) => Object.assign(pen, { font: '40px ' + font }).measureText('mixed ∑').width;
      const hasFont = named.some((family) => lengthIn(family + ', monospace') !== lengthIn('monospace'));
      const width = (name) => document.querySelector(name).getBoundingClientRect().width;
      return { fonts: named.length, hasFont, sign: width('msqrt') - width('msqrt mi') };
    })()`);
    expect(fonts).toBeGreaterThan(1);
    if (!hasFont) context.skip();
    expect(sign).toBeGreaterThan(5);
  });

  test('scrolls a formula that is wider than a phone, and not the page; nothing scrolls on paper', async () => {
    const sum = Array.from({ length: 40 }, (_, at) => `<mi>x</mi><mo>+</mo><mn>${at}</mn>`).join('');
    const files = await build(
      pageRecords('en', { aaaaaaaaa1: ['Formulas', `<p><math display="block">${sum}</math></p>`] }),
    );
    const { page, open } = await serve(files, { viewport: phone });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    const formula = page.locator('math');
    expect(await formula.evaluate((math) => math.scrollWidth)).toBeGreaterThan(phone.width);
    const overflow = () => formula.evaluate((math) => getComputedStyle(math).overflowX);
    expect(await overflow()).toBe('auto');
    await page.emulateMedia({ media: 'print' });
    expect(await overflow()).toBe('visible');
  });

  test('copies a command without the end of its line, so that a terminal waits for the Enter key', async () => {
    const body = '<pre><code class="language-sh">rm -r cache\nls\n</code></pre>';
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Commands', body] }));
    const { page, open } = await serve(files, { permissions: ['clipboard-read', 'clipboard-write'] });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('rm -r cache\nls');
  });

  test('shows the whole of each character at both ends of a text that is cut for the results', async () => {
    const smiles = '😀'.repeat(120);
    const marked = 'किं'.repeat(120);
    const bodies = [
      `<p>x${smiles}wombat${smiles}</p>`,
      `<p>${smiles} wombat ${smiles}</p>`,
      `<p>wombat ${marked}</p>`,
      `<p>wombat1${marked}</p>`,
      `<p>wombat12${marked}</p>`,
    ];
    const pages = Object.fromEntries(
      bodies.map((body, at) => [`aaaaaaaaa${at}`, [`Animals ${at}`, body] as const]),
    );
    const { page, open } = await serve(await build(pageRecords('en', pages)), { viewport: desktop });
    await open('en/search/?q=wombat');
    await page.locator('.results .snippet').nth(4).waitFor();
    const ends = (await page.locator('.snippet').allTextContents()).map((text) => {
      const parts = /^…?(.*?)…?$/su.exec(text)?.[1] ?? '';
      const whole = bodies.map((body) => body.slice(3, -4)).find((body) => body.includes(parts)) ?? '';
      const characters = [...new Intl.Segmenter('en').segment(whole)].map(({ segment }) => segment);
      const starts = new Set(
        characters.map((_, at) => characters.slice(0, at).join('').length).concat(whole.length),
      );
      const from = whole.indexOf(parts);
      return [!/\p{Surrogate}/u.test(text), starts.has(from), starts.has(from + parts.length)];
    });
    expect(ends).toEqual(bodies.map(() => [true, true, true]));
  });

  test('copies a heading without the sign of its link', async () => {
    const body = '<h2 id="limits">Limits</h2><p>Text.</p>';
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Steps', body] }));
    const { page, open } = await serve(files, { viewport: desktop });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
    await page.locator('.anchor').waitFor();
    await page.locator('#limits').click({ clickCount: 3, position: { x: 10, y: 10 } });
    expect(await page.evaluate<string>('getSelection().toString().trim()')).toBe('Limits');
  });

  test('names a heading by its text alone, also with an image', async () => {
    const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    const body = `<h2 id="limits">Limits <code>x</code></h2><h3 id="dot"><img src="${dot}" alt="Dot"> panel</h3>`;
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Steps', body] }));
    const { page, open } = await serve(files, { viewport: desktop });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
    await page.locator('.anchor').nth(1).waitFor();
    const { nodes } = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
    const headings = nodes.filter((node) => !node.ignored && node.role?.value === 'heading');
    expect(headings.map(({ name }) => name?.value).sort()).toEqual(['Dot panel', 'Limits x', 'Steps']);
  });

  test('has no link in a question that opens its answer, which is itself a control', async () => {
    const body = '<h2>Limits</h2><details><summary><h2>Lost?</h2></summary><p>Ask.</p></details>';
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Steps', body] }));
    const { page, open } = await serve(files, { viewport: desktop });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
    await page.locator('.anchor').first().waitFor();
    expect(await page.locator('.anchor').count()).toBe(1);
    expect(await page.locator('summary :is(h2, h3)').allTextContents()).toEqual(['Lost?']);
  });

  test('copies a text with code and steps without buttons, and keeps the numbers of steps where it is pasted', async () => {
    const body =
      '<p>Run:</p><pre><code class="language-sh">ls</code></pre><ol><li>One.</li><li>Two.</li></ol>';
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Steps', body] }));
    const { page, open } = await serve(files, { permissions: ['clipboard-read', 'clipboard-write'] });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.prose'))");
    await page.keyboard.press('ControlOrMeta+c');
    const [text, html] = await page.evaluate<readonly string[]>(`navigator.clipboard.read().then(([item]) =>
      Promise.all(['text/plain', 'text/html'].map(async (type) => (await item.getType(type)).text())))`);
    expect(text?.split(/\n+/)).toEqual(['Run:', 'ls', 'One.', 'Two.']);
    expect(html).toContain('<ol');
    expect(html).not.toContain('list-style: none');
    const { nodes } = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
    // A screen reader says each number once.
    const numbers = nodes.flatMap(({ ignored, role, name }) =>
      !ignored && /^\d/.test(name?.value ?? '') && role?.value !== 'InlineTextBox' ? [name?.value] : [],
    );
    expect(numbers).toEqual(['1. ', '2. ']);
  });

  describe('in letters of twice the size on a small phone', () => {
    test.each(['en', 'ar'])(
      'the header, its menu and the form for feedback stay in the page, in %s',
      async (language) => {
        const records = {
          articles: [
            translatedArticle('aaaaaaaaa1', { en: ['Text', '<p>A.</p>'], ar: ['باب', '<p>ب.</p>'] }),
          ],
        };
        const files = await build(records, { site: { feedback: '/answers' } });
        const { page, open } = await serve(files, { viewport: { width: 320, height: 640 } });
        const session = await page.context().newCDPSession(page);
        await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
        await open(`${language}/index/`);
        const boxes = () =>
          page.evaluate<
            Readonly<Record<string, { left: number; right: number; bottom: number; width: number }>>
          >(
            `Object.fromEntries(['.skip-link', '.brand span', '.search-link', '.theme-switch', '.menu'].map((selector) =>
            [selector, document.querySelector(selector).getBoundingClientRect().toJSON()]))`,
          );
        await page.locator('.languages summary').click();
        const shown = await boxes();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
        expect(shown['.skip-link']?.bottom).toBeLessThanOrEqual(0);
        expect(shown['.brand span']?.width).toBeGreaterThan(60);
        for (const selector of ['.brand span', '.search-link', '.theme-switch', '.menu']) {
          expect(shown[selector]?.left, selector).toBeGreaterThanOrEqual(0);
          expect(shown[selector]?.right, selector).toBeLessThanOrEqual(320);
        }
        await page.keyboard.press('Escape');
        await page.locator('.skip-link').focus();
        expect((await page.locator('.skip-link').boundingBox())?.y).toBe(0);
        await open(
          [...files.keys()].find((path) => path.startsWith(language) && pathOf('aaaaaaaaa1')(path)) ?? '',
        );
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      },
    );
  });

  test.each(['light', 'dark'] as const)(
    'shows the sign of the site in the colours of a reader with high contrast, %s',
    async (colorScheme) => {
      const files = await build(pageRecords('en', { aaaaaaaaa1: ['Text', '<p>Text.</p>'] }));
      const { page, open } = await serve(files, { viewport: desktop, forcedColors: 'active', colorScheme });
      await open('en/');
      const mark = page.locator('.brand-mark');
      const shown = await mark.screenshot();
      await mark.evaluate((svg) => svg.replaceChildren());
      expect(shown.equals(await mark.screenshot())).toBe(false);
    },
  );

  test.each([320, 1000])('breaks a long word in names of categories, %d px wide', async (width) => {
    const word = 'com.example.product.configuration.SecurityPropertiesAutoConfigurationImportSelectorFactory';
    const topics = Array.from({ length: 5 }, (_, at) =>
      translatedCategory(
        `ccccccccc${at}`,
        { en: `${word}${at}` },
        at === 0 ? {} : { parent_category_id: 'ccccccccc0' },
      ),
    );
    const articles = topics.map(({ category_id }, at) =>
      translatedArticle(`aaaaaaaaa${at}`, { en: [`${word}.${at}`, '<p>Text.</p>'] }, { category_id }),
    );
    const files = await build({ articles, categories: topics });
    const { page, open } = await serve(files, { viewport: { width, height: 800 } });
    for (const path of [...files.keys()].filter((name) => name.endsWith('index.html'))) {
      await open(path);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
    }
  });

  test('opens the search with the key of K, also of a keyboard for other letters', async () => {
    const files = await build(pageRecords('ru', { aaaaaaaaa1: ['Шаги', '<p>Текст.</p>'] }), {
      defaultLanguage: 'ru',
    });
    const { page, open } = await serve(files, { viewport: desktop });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await open('ru/index/');
    const press = (properties: object) =>
      page.evaluate(
        `document.body.dispatchEvent(new KeyboardEvent('keydown', { ...${JSON.stringify(properties)}, bubbles: true }))`,
      );
    // What browsers send when they fill in a form.
    await page.evaluate("document.body.dispatchEvent(new Event('keydown', { bubbles: true }))");
    // K of a Dvorak keyboard is elsewhere, and its key at the place of K is T.
    await press({ key: 't', code: 'KeyK', ctrlKey: true });
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await press({ key: 'л', code: 'KeyK', ctrlKey: true });
    expect(await page.locator('dialog[open]').count()).toBe(1);
    expect(errors).toEqual([]);
  });

  test.each([
    ['a phone', phone, []],
    ['a phone in landscape, where the header scrolls away', { width: 812, height: 375 }, []],
    ['a header of several lines', { width: 1000, height: 800 }, Array(9).fill('Developer documentation')],
  ] as const)('sticks to the header, and is not hidden by it: %s', async (_what, viewport, links) => {
    const rows = '<tr><td>1</td><td>2</td></tr>'.repeat(80);
    const body = `<table><thead><tr><th>A</th><th>B</th></tr></thead>${rows}</table>${'<h2>Limits</h2><p>Text.</p>'.repeat(40)}`;
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Table', body] }, ['Tables']), {
      site: { headerLinks: links.map((title, at) => ({ title, href: `https://example.com/${at}` })) },
    });
    const { page, open } = await serve(files, { viewport });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1'))?.replace('index.html', '#limits-20') ?? '');
    await page.locator('.table-scroll.fits').waitFor();
    const edge = (selector: string, side: 'top' | 'bottom') =>
      page.locator(selector).evaluate((found, name) => found.getBoundingClientRect()[name], side);
    const bottom = Math.max(0, await edge('.site-header', 'bottom'));
    if (viewport.height < 400) expect(bottom).toBe(0);
    if (links.length > 0) expect(bottom).toBeGreaterThan(100);
    await expect.poll(async () => (await edge(':target', 'top')) - bottom).toBeGreaterThan(0);
    expect((await edge(':target', 'top')) - bottom).toBeLessThan(32);
    if (links.length > 0) expect(Math.abs((await edge('.tree', 'top')) - bottom)).toBeLessThanOrEqual(1);
    await page
      .locator('tr')
      .nth(40)
      .evaluate((row) => row.scrollIntoView({ block: 'center' }));
    expect(Math.abs((await edge('th >> nth=0', 'top')) - bottom)).toBeLessThanOrEqual(1);
  });

  test('marks the section being read in the contents, also short ones at the end of the page', async () => {
    const sections = ['One', 'Two', 'Three', 'Four', 'Five'];
    const body = sections.map((name, at) => `<h2>${name}</h2>${'<p>Text.</p>'.repeat(at < 2 ? 30 : 1)}`);
    const files = await build(pageRecords('en', { aaaaaaaaa1: ['Sections', body.join('')] }));
    const { page, open } = await serve(files, { viewport: desktop });
    await open([...files.keys()].find(pathOf('aaaaaaaaa1'))?.replace('index.html', '') ?? '');
    const marked = page.locator('.toc [aria-current=location]');
    await expect.poll(() => marked.textContent()).toBe('One');
    for (const name of ['Two', 'Three', 'Four', 'Five', 'Two']) {
      await page.locator('.toc a', { hasText: name }).click();
      await expect.poll(() => marked.textContent()).toBe(name);
    }
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await expect.poll(() => marked.textContent()).toBe('Five');
  });

  describe('a link to a section', () => {
    const images = (attributes: string) =>
      Array.from(
        { length: 12 },
        (_, at) =>
          `<p>Step ${at}</p><p><img src="https://img.example/${at}.png" alt="Step ${at}"${attributes}></p>`,
      ).join('');

    /** Opens the section before images have a size, then delivers them. */
    async function openSection(attributes: string) {
      const body = `${images(attributes)}<h2 id="limits">Limits</h2>${images(attributes)}`;
      const files = await build(pageRecords('en', { aaaaaaaaa1: ['Steps', body] }));
      const { page, origin } = await serve(files, { viewport: desktop });
      const image = await png(page, 1600, 1000);
      const held: (() => Promise<void>)[] = [];
      let isHeld = true;
      await page.route('https://img.example/**', async (route) => {
        const deliver = () => route.fulfill({ body: image, contentType: 'image/png' });
        if (isHeld) held.push(deliver);
        else await deliver();
      });
      const path = [...files.keys()].find(pathOf('aaaaaaaaa1'))?.replace('index.html', '') ?? '';
      // The images hold the load event.
      await page.goto(`${origin}/${path}#limits`, { waitUntil: 'domcontentloaded' });
      return {
        page,
        deliver: async () => {
          isHeld = false;
          await Promise.all(held.map((one) => one()));
          // `waitForFunction` evaluates again and again in the page, whose policy refuses that.
          const hasImage = `[...document.querySelectorAll('.prose img')].some((image) => image.complete && image.naturalWidth > 0)`;
          await expect.poll(() => page.evaluate(hasImage)).toBe(true);
          await page.waitForLoadState('load');
          // Two frames: the observer of sizes runs after layout.
          await page.evaluate(
            'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
          );
        },
      };
    }
    const topOf = (page: Page) =>
      page.locator('#limits').evaluate((heading) => heading.getBoundingClientRect().top);

    test('has arrived when the page is shown, and is not on its way', async () => {
      const body = `${'<p>Text.</p>'.repeat(200)}<h2 id="limits">Limits</h2>${'<p>Text.</p>'.repeat(200)}`;
      const files = await build(pageRecords('en', { aaaaaaaaa1: ['Steps', body] }));
      const { page, open } = await serve(files, { viewport: desktop });
      const path = [...files.keys()].find(pathOf('aaaaaaaaa1'))?.replace('index.html', '') ?? '';
      await open(`${path}#limits`);
      expect(await page.evaluate('getComputedStyle(document.documentElement).scrollBehavior')).toBe('auto');
      // Directly below the header, which stays at the top.
      const header = await page.locator('.site-header').evaluate((bar) => bar.getBoundingClientRect().bottom);
      expect(await topOf(page)).toBeGreaterThan(header);
      expect(await topOf(page)).toBeLessThan(header + 32);
    });

    test.each(['', ' width="800"', ' width="800" height="500"'])(
      'shows the section also when the images above it come late:%s',
      async (attributes) => {
        const { page, deliver } = await openSection(attributes);
        await deliver();
        await expect.poll(() => topOf(page)).toBeGreaterThanOrEqual(0);
        await expect.poll(() => topOf(page)).toBeLessThan(200);
      },
    );

    test('leaves a reader alone who has scrolled away', async () => {
      const { page, deliver } = await openSection('');
      await expect.poll(() => topOf(page)).toBeLessThan(200);
      await page.mouse.move(500, 500);
      await page.mouse.wheel(0, -600);
      await expect.poll(() => topOf(page)).toBeGreaterThan(600);
      await deliver();
      expect(await topOf(page)).toBeGreaterThan(600);
    });

    test('reserves room for an image of which only the width is known', async () => {
      const { page } = await openSection(' width="480"');
      const box = await page.locator('.prose img').first().boundingBox();
      expect(box?.height).toBe(300);
    });
  });

  test.each([3, 6])(
    'leaves several letters for each line of a Japanese table on a phone, %d columns',
    async (columns) => {
      const cells = [
        '設定項目名',
        '文字列',
        'なし',
        '任意',
        '不可',
        'パスワードを再設定するときに使用される値をここで指定します。'.repeat(2),
      ];
      const row = [...cells.slice(0, columns - 1), cells.at(-1)].map((cell) => `<td>${cell}</td>`).join('');
      const files = await build(
        pageRecords('ja', { aaaaaaaaa1: ['表', `<table>${`<tr>${row}</tr>`.repeat(4)}</table>`] }),
        {
          defaultLanguage: 'ja',
        },
      );
      const { page, open } = await serve(files, { viewport: phone });
      await open([...files.keys()].find(pathOf('aaaaaaaaa1')) ?? '');
      const letters = await page.locator('.prose :is(th, td)').evaluateAll((found) =>
        found.map((cell) => {
          const { fontSize, paddingInlineStart } = getComputedStyle(cell);
          return (cell.clientWidth - 2 * Number.parseFloat(paddingInlineStart)) / Number.parseFloat(fontSize);
        }),
      );
      expect(Math.min(...letters)).toBeGreaterThanOrEqual(3.9);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
      expect(await page.locator('.table-scroll.fits').count()).toBe(columns === 3 ? 1 : 0);
    },
  );

  describe('a wide table', () => {
    const row = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const many = `<table>${row(Array(7).fill('Configuration'))}${row(Array(7).fill('Configuration'))}</table>`;
    const long = `<table>${row(['Setting', 'Value'])}${row(['a_setting_with_a_long_name_for_readers', 'a_value_with_a_name_that_is_even_longer_than_that'])}</table>`;

    test.each([
      ['many columns', many],
      ['many columns, in a wrapper', `<div>${many}</div>`],
      ['many columns, in two wrappers with text', `<div><p>Before.</p><div><p>Text.</p>${many}</div></div>`],
      ['long columns', long],
      ['long columns, in a wrapper', `<div>${long}<p>After.</p></div>`],
    ])('takes the free width of the page, and the text keeps its measure: %s', async (_what, table) => {
      const text = `<p>${'Some words of a paragraph. '.repeat(20)}</p>`;
      const files = await build(
        pageRecords('en', { aaaaaaaaa1: ['Table', `${text}${table}<div>${text}</div>`] }),
      );
      const { page, open } = await serve(files, { viewport: desktop });
      await open([...files.keys()].find(pathOf('aaaaaaaaa1'))?.replace('index.html', '') ?? '');
      const sizes = await page.evaluate<{
        region: number;
        content: number;
        prose: number;
        text: number;
      }>(`(() => {
        const region = document.querySelector('.table-scroll');
        return {
          region: region.clientWidth,
          content: region.scrollWidth,
          prose: document.querySelector('.prose').clientWidth,
          text: Math.max(...[...document.querySelectorAll('.prose p')].map((each) => each.clientWidth)),
        };
      })()`);
      expect(sizes.region).toBe(sizes.prose);
      expect(sizes.content).toBe(sizes.region);
      expect(sizes.text).toBeLessThan(700);
    });
  });
});
