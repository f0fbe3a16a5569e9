import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closePages, launchBrowser } from '../support/browser.ts';
import { pageRecords, publishSite } from '../support/publish-site.ts';
import type { LocalServer } from '../support/serve.ts';
import { serveFiles } from '../support/static-server.ts';
import { describeWith } from '../support/tools.ts';

/** More articles than the dialog and two steps of the search page show. */
const count = 70;
const pages = Object.fromEntries(
  Array.from({ length: count }, (_, at) => [
    `a${String(at).padStart(9, '0')}`,
    [`Parcel ${at}`, `<p>Collect parcel ${at} at the locker.</p>`] as const,
  ]),
);

/** Ten of them are in one category, the others in another. */
const topics = Array.from({ length: count }, (_, at) => (at < 10 ? 'Returns' : 'Lockers'));

describeWith('chromium', 'the search of a large help centre in a browser', (executablePath) => {
  describe.each([
    ['en', 'ltr', 'Show all {count}', 'Did you mean “locker”?'],
    ['ar', 'rtl', 'عرض الكل ({count})', 'هل تقصد «locker»؟'],
  ] as const)('in %s, %s', (language, direction, showAll, suggestion) => {
    let browser: Browser;
    let server: LocalServer;
    let page: Page;

    beforeAll(async () => {
      const { files } = await publishSite(pageRecords(language, pages, topics), {
        defaultLanguage: language,
      });
      server = await serveFiles(files);
      browser = await launchBrowser(executablePath);
    });

    afterAll(() => closePages(browser));

    async function open(path: string, options = {}): Promise<Page> {
      page = await browser.newPage(options);
      await page.goto(server.origin + path);
      return page;
    }

    const shown = () => page.locator('.results .result').count();

    test('leads from the dialog to all results, and shows more of them on the page', async () => {
      await open(`/${language}/index/`);
      await page.keyboard.press('/');
      await page.locator('dialog[open] input').waitFor();
      await page.keyboard.type('parcel');
      const all = page.locator('dialog .search-all');
      await all.waitFor();
      expect(await page.evaluate('document.dir')).toBe(direction);
      const number = await page.evaluate<string>(`(${count}).toLocaleString('${language}')`);
      expect(await all.textContent()).toBe(showAll.replace('{count}', number));
      expect(await shown()).toBe(8);
      await all.click();
      await page.waitForURL(/\/search\/\?q=parcel$/);
      const more = page.locator('.search-rest button');
      await more.waitFor();
      expect(await shown()).toBe(10);
      await more.click();
      await page.locator('.results .result').nth(39).waitFor();
      await page.locator('.search-rest button').click();
      await page
        .locator('.results .result')
        .nth(count - 1)
        .waitFor();
      await page.locator('.search-rest button').waitFor({ state: 'detached' });
      await page.close();
    });

    test('filters by top category, and keeps that on the page of all results', async () => {
      await open(`/${language}/index/`);
      await page.keyboard.press('/');
      await page.locator('dialog[open] input').waitFor();
      await page.keyboard.type('parcel');
      const numbers = await page.evaluate<readonly string[]>(
        `[60, 10].map((number) => number.toLocaleString('${language}'))`,
      );
      const chips = page.locator('.search-filter button');
      await chips.first().waitFor();
      expect(await chips.allTextContents()).toEqual([`Lockers ${numbers[0]}`, `Returns ${numbers[1]}`]);
      await chips.nth(1).click();
      await page.locator('[aria-pressed=true]', { hasText: 'Returns' }).waitFor();
      expect(await page.locator('.result-category').allTextContents()).toEqual(Array(8).fill('Returns'));
      expect(await page.evaluate('document.activeElement.textContent')).toBe(`Returns ${numbers[1]}`);
      await page.locator('dialog .search-all').click();
      await page.waitForURL(/\?q=parcel&topic=Returns$/);
      await page.locator('.results .result').nth(9).waitFor();
      expect(await page.locator('.result-category').allTextContents()).toEqual(Array(10).fill('Returns'));
      await page.locator('[aria-pressed=true]').click();
      await page.waitForURL(/\?q=parcel$/);
      await page.locator('.search-rest button').waitFor();
      expect(await page.locator('[aria-pressed=true]').count()).toBe(0);
      await page.close();
    });

    test.each(['index', 'search'])(
      'keeps the chosen category when Enter leads to all results: from %s',
      async (name) => {
        await open(`/${language}/${name}/`);
        await page.keyboard.press('/');
        const input = page.locator(name === 'index' ? 'dialog[open] input' : 'main input');
        await input.fill('parcel');
        await page.locator('.search-filter button', { hasText: 'Returns' }).click();
        await page.locator('[aria-pressed=true]', { hasText: 'Returns' }).waitFor();
        await input.fill('parcels');
        await input.press('Enter');
        await page.waitForURL(/\?q=parcels&topic=Returns$/);
        await page.locator('[aria-pressed=true]', { hasText: 'Returns' }).waitFor();
        await page.close();
      },
    );

    test.each([`/${language}/index/`, `/${language}/search/`])(
      'offers help if nothing is found, on %s',
      async (path) => {
        await open(path);
        await page.keyboard.press('/');
        await page.keyboard.type('lokcre');
        const offered = page.locator('.results .search-suggestion');
        await offered.waitFor();
        expect(await offered.textContent()).toBe(suggestion);
        expect(await page.locator('.results .result').count()).toBe(3);
        expect(await page.locator('.search-rest .contact a').getAttribute('href')).toBe(
          'mailto:help@example.com',
        );
        await offered.click();
        await offered.waitFor({ state: 'detached' });
        await page.locator('.results .result').first().waitFor();
        await page.close();
      },
    );

    test('has the index above the field of the search page, and offers articles below it before anything is typed', async () => {
      await open(`/${language}/search/`);
      const offered = page.locator('[role=group] .result');
      await offered.first().waitFor();
      expect(await offered.count()).toBe(3);
      const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
      expect(await topOf('.search-head a')).toBeLessThan(await topOf('main .search-form'));
      expect(await topOf('.search-output')).toBeGreaterThan(await topOf('main .search-form'));
      await page.keyboard.type('parcel');
      await page.locator('.results .snippet').first().waitFor();
      expect(await offered.count()).toBe(0);
      await page.locator('main .search-form input').fill('');
      await offered.first().waitFor();
      expect(await page.locator('.results .snippet').count()).toBe(0);
      await page.close();
    });

    test('forgets the query of the URL when the field is cleared', async () => {
      await open(`/${language}/search/?q=parcel`);
      await page.locator('.results .snippet').first().waitFor();
      await page.locator('main .search-form input').fill('');
      await page.locator('[role=group] .result').first().waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe('');
      await page.close();
    });

    test('moves nothing of the search page while results arrive', async () => {
      await open(`/${language}/search/?q=parcel`, { viewport: { width: 1280, height: 900 } });
      await page.locator('.results .snippet mark').first().waitFor();
      const shift = await page.evaluate(`new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; })
        .observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
    })`);
      expect(shift).toBeLessThan(0.01);
      await page.close();
    });

    test('leads to all results for the text in the field, also before they are shown', async () => {
      await open(`/${language}/index/`);
      await page.keyboard.press('/');
      await page.locator('dialog[open] input').fill('parcel');
      await page.locator('dialog .search-all').waitFor();
      const link = await page.evaluate(`(() => {
      const input = document.querySelector('dialog input');
      input.value = 'parcel 12';
      input.dispatchEvent(new Event('input'));
      return document.querySelector('dialog .search-all').search;
    })()`);
      expect(link).toBe('?q=parcel%2012');
      await page.close();
    });

    test('leads to all results for the text in the field if an answer to fewer letters comes late', async () => {
      page = await browser.newPage();
      await page.clock.install();
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.goto(`${server.origin}/${language}/index/`);
      const { index = '' } = await page.locator('.search-box').evaluate((box) => ({
        ...(box as HTMLTemplateElement).content.querySelector('form')?.dataset,
      }));
      await page.route(`**${index}`, async (route) => {
        await released;
        await route.continue();
      });
      await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
      await page.keyboard.press('/');
      const field = page.locator('dialog[open] input[role=combobox]');
      await field.fill('parce');
      await page.clock.runFor(1000);
      await field.fill('parcel');
      release();
      const all = page.locator('dialog .search-all');
      await all.waitFor();
      expect(await all.evaluate((link) => (link as HTMLAnchorElement).search)).toBe('?q=parcel');
      await page.close();
    });

    test('says in the dialog that the search cannot be loaded, and tries again', async () => {
      const files = '**/assets/search*.js';
      page = await browser.newPage();
      await page.route(files, (route) => route.abort());
      await page.goto(`${server.origin}/${language}/index/`);
      await page.keyboard.press('/');
      await page.keyboard.type('parce');
      const failed = await page
        .locator('.search-link')
        .first()
        .evaluate(
          () =>
            document.querySelector<HTMLTemplateElement>('template.search-box')?.content.querySelector('form')
              ?.dataset.failed,
        );
      const status = page.locator('dialog .search-status', { hasText: failed ?? 'no text' });
      await status.waitFor();
      await page.unroute(files);
      await page.keyboard.type('l');
      await page.locator('dialog .results a').first().waitFor();
      expect(await page.locator('dialog .search-status').count()).toBe(1);
      await page.close();
    });

    test('shows results if the browser takes no more changes of the URL', async () => {
      page = await browser.newPage();
      await page.addInitScript(
        "history.replaceState = () => { throw new DOMException('too many', 'SecurityError'); }",
      );
      await page.goto(`${server.origin}/${language}/search/?q=parcel`);
      await page.locator('.results .snippet').first().waitFor();
      await page.locator('.search-rest button').waitFor();
      await page.locator('main input').fill('parcel 12');
      await page.locator('.results .result', { hasText: 'Parcel 12' }).first().waitFor();
      expect(await page.locator('.search-status.failed').count()).toBe(0);
      await page.close();
    });

    test.each([
      [
        'a count larger than any',
        `**/assets/search/${language}/*.json`,
        (lines: readonly (readonly unknown[])[]) =>
          lines.map((line) => line.map((part) => (Array.isArray(part) ? [0, -300] : part))),
      ],
      [
        'fewer articles than its files have',
        `**/${language}/search/index.json`,
        (index: Readonly<Record<string, unknown>>) => ({ ...index, lengths: ['Aa'] }),
      ],
    ] as const)(
      'says that the search cannot be loaded rather than show wrong results of an index with %s',
      async (_what, files, damage: (content: never) => unknown) => {
        page = await browser.newPage();
        await page.route(files, async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: damage((await response.json()) as never) });
        });
        await page.goto(`${server.origin}/${language}/search/?q=parcel`);
        const failed = await page.locator('main form').first().getAttribute('data-failed');
        await page.locator('main .search-status', { hasText: failed ?? 'no text' }).waitFor();
        expect(await shown()).toBe(0);
        await page.close();
      },
    );

    test('goes on with the new index if a build replaced the files of the old one', async () => {
      await open(`/${language}/index/`);
      await page.keyboard.press('/');
      await page.locator('dialog [role=group] .result').first().waitFor();
      await page.waitForLoadState('networkidle');
      // All files of the index have other names now, and the old ones are gone.
      const folder = '/assets/search/';
      await page.route(`**${folder}**`, async (route) => {
        const url = route.request().url();
        if (!url.includes('/new/')) await route.fulfill({ status: 404 });
        else await route.fulfill({ response: await route.fetch({ url: url.replace('/new/', '/') }) });
      });
      await page.route(`**/${language}/search/index.json`, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replaceAll(folder, `${folder}new/`);
        await route.fulfill({ response, body });
      });
      await page.locator('dialog input').fill('collect locker 61');
      await page.locator('dialog .result', { hasText: 'Parcel 61' }).first().waitFor();
      expect(await page.locator('dialog .search-status.failed').count()).toBe(0);
      await page.close();
    });

    test('takes so much of a pasted text that a host takes its URL', async () => {
      await open(`/${language}/search/`);
      await page.locator('main .search-output .search-status').waitFor({ state: 'attached' });
      await page.keyboard.insertText('at com.example.Parcel(Parcel.java:12) '.repeat(4000));
      await page.locator('.results .snippet').first().waitFor();
      expect(page.url().length).toBeLessThan(8000);
      await page.close();
    });

    test('works with a form that names no script', async () => {
      await open(`/${language}/`);
      await page.locator('.hero form').evaluate((form) => form.removeAttribute('data-script'));
      await page.locator('.hero input').click();
      await page.keyboard.type('parcel');
      await page.locator('.hero .results a').first().waitFor();
      await page.close();
    });

    test('chooses results with the arrow keys while the focus stays in the field, and opens the chosen one', async () => {
      await open(`/${language}/`);
      const input = page.locator('.hero input');
      await input.click();
      await page.keyboard.type('parcel');
      await page.locator('.hero .result').first().waitFor();
      const chosen = () =>
        page.evaluate(`(() => {
          const options = [...document.querySelectorAll('.hero [role=option]')];
          const id = document.querySelector('.hero input').getAttribute('aria-activedescendant');
          const selected = options.filter((each) => each.getAttribute('aria-selected') === 'true');
          return [
            document.activeElement.name,
            options.findIndex((each) => each.id === id),
            selected.map((each) => options.indexOf(each)),
          ];
        })()`);
      expect(await chosen()).toEqual(['q', -1, []]);
      await page.keyboard.press('ArrowDown');
      expect(await chosen()).toEqual(['q', 0, [0]]);
      await page.keyboard.press('ArrowDown');
      expect(await chosen()).toEqual(['q', 1, [1]]);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      expect(await chosen()).toEqual(['q', -1, []]);
      await page.keyboard.press('ArrowUp');
      expect((await chosen()) as readonly unknown[]).not.toContain(-1);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      const href = await page.locator('.hero [role=option]').first().getAttribute('href');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === href);
      await page.close();
    });

    test('leaves keys to the input method while it composes', async () => {
      await open(`/${language}/`);
      const input = page.locator('.hero input');
      await input.click();
      await page.keyboard.type('parcel');
      await page.locator('.hero .result').first().waitFor();
      const press = (key: string, composition: { isComposing?: boolean; keyCode?: number }) =>
        input.evaluate(
          (field, [name, properties]) => {
            const event = new KeyboardEvent('keydown', {
              key: name,
              bubbles: true,
              cancelable: true,
              ...properties,
            });
            field.dispatchEvent(event);
            return event.defaultPrevented;
          },
          [key, composition] as const,
        );
      // Safari sends the Enter that ends a composition after its end.
      for (const composition of [{ isComposing: true }, { keyCode: 229 }]) {
        for (const key of ['ArrowDown', 'ArrowUp', 'Escape'])
          expect(await press(key, composition)).toBe(false);
      }
      expect(await page.locator('.hero [aria-selected=true]').count()).toBe(0);
      await page.keyboard.press('ArrowDown');
      for (const composition of [{ isComposing: true }, { keyCode: 229 }])
        expect(await press('Enter', composition)).toBe(false);
      expect(await page.locator('.hero [aria-selected=true]').count()).toBe(1);
      expect(await press('Escape', {})).toBe(true);
      expect(await page.locator('.hero .result:visible').count()).toBe(0);
      await page.close();
    });

    test('shows a reader who comes back from an article the same results at the same place', async () => {
      await open(`/${language}/search/?q=parcel`);
      await page.locator('.search-rest button').click();
      const result = page.locator('.results .result').nth(30);
      await result.scrollIntoViewIfNeeded();
      const top = await page.evaluate<number>('scrollY');
      expect(top).toBeGreaterThan(500);
      await result.click();
      await page.locator('article').waitFor();
      await page.goBack();
      await result.waitFor();
      expect(await shown()).toBe(40);
      await expect.poll(() => page.evaluate('scrollY')).toBe(top);
      // Another query begins again.
      await page.locator('.search-page input').fill('parcels');
      await expect.poll(shown).toBe(10);
      await page.close();
    });

    test.each([
      ['a result', '.hero .result', ''],
      ['all results', '.hero .search-all', ''],
      ['the search page, by Enter', '', 'Enter'],
    ])('shows the query of the home page to a reader who comes back from %s', async (_what, link, key) => {
      // The browser of tests keeps no page.
      await open(`/${language}/`);
      const input = page.locator('.hero input');
      await input.click();
      await page.keyboard.type('parcel');
      await page.locator('.hero .search-all').waitFor();
      if (key) await input.press(key);
      else await page.locator(link).first().click();
      await page.waitForURL((url) => url.pathname !== `/${language}/`);
      await page.goBack();
      await page.locator('.hero .result').first().waitFor();
      expect(await input.inputValue()).toBe('parcel');
      // A reader who empties the field does not find it again.
      await input.fill('');
      await page.locator('.hero .result').first().waitFor({ state: 'hidden' });
      await page.reload();
      expect(await input.inputValue()).toBe('');
      await page.close();
    });

    test('marks the words of the search on the page that a result leads to', async () => {
      await open(`/${language}/search/?q=parcel`);
      await page.locator('.result').first().click();
      await page.locator('article').waitFor();
      await expect.poll(() => page.evaluate("CSS.highlights.get('search')?.size > 0")).toBe(true);
      await page.goto(`${server.origin}/${language}/`);
      expect(await page.evaluate('CSS.highlights.size')).toBe(0);
      await page.close();
    });

    /** Opens the dialog with results that need more room than it has. */
    async function openDialog(): Promise<void> {
      await open(`/${language}/category/c000000000-returns/`, { viewport: { width: 1000, height: 420 } });
      await page.keyboard.press('/');
      await page.locator('dialog[open] input').waitFor();
      await page.keyboard.type('parcel');
      await page.locator('dialog .search-all').waitFor();
    }

    const isOpen = () => page.locator('dialog[open]').count().then(Boolean);

    test('keeps the dialog open unless a reader presses the page behind it', async () => {
      await openDialog();
      const box = (await page.locator('dialog').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      // Selects the typed words with the mouse, which leaves the dialog before it is released.
      await page.mouse.move(box.x + 200, box.y + 28);
      await page.mouse.down();
      await page.mouse.move(box.x - 40, box.y + 28, { steps: 4 });
      await page.mouse.up();
      expect(await isOpen()).toBe(true);
      await page.locator('dialog input').fill('parcel 12');
      await page.locator('dialog .result').nth(0).waitFor();
      await page.setViewportSize({ width: 1000, height: 4000 });
      const tall = (await page.locator('dialog').boundingBox()) ?? box;
      await page.locator('dialog input').fill('nothing of that kind');
      await page.locator('dialog .search-rest .contact').waitFor();
      await page.mouse.click(tall.x + tall.width / 2, tall.y + tall.height - 8);
      expect(await isOpen()).toBe(true);
      await page.mouse.click(tall.x - 40, tall.y + 28);
      await expect.poll(isOpen).toBe(false);
      await page.close();
    });

    test.each(['click', 'keys'])('opens a result in a new tab, and stays in the dialog: %s', async (way) => {
      await openDialog();
      const opened = page.context().waitForEvent('page');
      if (way === 'click')
        await page
          .locator('dialog .result')
          .first()
          .click({ modifiers: ['Control'] });
      else {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Control+Enter');
      }
      const other = await opened;
      await other.locator('article').waitFor();
      expect(page.url()).toMatch(/returns\/$/);
      expect(await isOpen()).toBe(true);
      await other.close();
      await page.close();
    });

    test.each(['ArrowUp', 'Shift+Tab'])(
      'hides no chosen result below the field of the dialog: %s',
      async (key) => {
        await openDialog();
        for (let at = 0; at < 9; at += 1) await page.keyboard.press(key === 'ArrowUp' ? 'ArrowDown' : 'Tab');
        const rooms: number[] = [];
        for (let at = 0; at < 6; at += 1) {
          await page.keyboard.press(key);
          rooms.push(
            await page.evaluate(`(() => {
            const chosen = document.querySelector('dialog [aria-selected=true]') ?? document.activeElement;
            const form = document.querySelector('dialog .search-form');
            return chosen.getBoundingClientRect().top - form.getBoundingClientRect().bottom;
          })()`),
          );
        }
        expect(Math.min(...rooms)).toBeGreaterThanOrEqual(0);
        await page.close();
      },
    );

    test('scrolls the dialog, and not the page behind it', async () => {
      await openDialog();
      await page.evaluate("document.querySelector('main').style.minHeight = '5000px'");
      await page.mouse.move(500, 250);
      for (let at = 0; at < 6; at += 1) {
        await page.mouse.wheel(0, 600);
        await page.waitForTimeout(60);
      }
      expect(await page.evaluate("document.querySelector('dialog').scrollTop > 100")).toBe(true);
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.close();
    });

    test('offers articles in the dialog before anything is typed', async () => {
      await open(`/${language}/index/`);
      await page.keyboard.press('/');
      await page.locator('dialog [role=group] .result').first().waitFor();
      expect(await page.locator('dialog .result').count()).toBe(3);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('article').waitFor();
      await page.close();
    });

    test('offers articles as soon as the network is back', async () => {
      page = await browser.newPage();
      const help = `**/${language}/search/`;
      await page.route(help, (route) => route.abort());
      await page.goto(`${server.origin}/${language}/index/`);
      const refused = page.waitForEvent('requestfailed');
      await page.keyboard.press('/');
      await refused;
      await page.unroute(help);
      await page.keyboard.type('parcel');
      await page.locator('dialog .snippet').first().waitFor();
      await page.locator('dialog input').fill('');
      await page.locator('dialog [role=group] .result').first().waitFor();
      await page.close();
    });

    test('has other ids in the dialog than in the panel of the home page', async () => {
      await open(`/${language}/`);
      await page.locator('.hero input').click();
      await page.keyboard.type('parcel');
      await page.locator('.hero .results a').first().waitFor();
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.locator('.search-link').first().dispatchEvent('click');
      await page.locator('dialog[open] input').fill('parcel');
      await page.locator('dialog .results a').first().waitFor();
      const ids = await page.locator('[role=listbox]').evaluateAll((lists) => lists.map(({ id }) => id));
      expect(new Set(ids).size).toBe(2);
      await page.close();
    });

    test('tells assistive technology of the panel that opens below the field, if ARIA has no properties', async () => {
      page = await browser.newPage();
      await page.addInitScript(`for (const name of Object.getOwnPropertyNames(Element.prototype))
        if (/^aria|^role$/.test(name)) delete Element.prototype[name];`);
      await page.goto(`${server.origin}/${language}/`);
      const input = page.locator('.hero input');
      await input.click();
      await page.keyboard.type('parcel');
      await page.locator('.hero .results a').first().waitFor();
      const state = () =>
        page.evaluate(`(() => {
        const input = document.querySelector('.hero input');
        const popup = document.getElementById(input.getAttribute('aria-controls'));
        const of = (element, ...names) => names.map((name) => element.getAttribute(name));
        return [
          ...of(input, 'role', 'aria-haspopup', 'aria-expanded'),
          ...of(popup, 'role'),
          of(popup, 'aria-label')[0] === of(input, 'aria-label')[0],
        ];
      })()`);
      expect(await state()).toEqual(['combobox', 'listbox', 'true', 'listbox', true]);
      await page.keyboard.press('Escape');
      expect(await state()).toEqual(['combobox', 'listbox', 'false', 'listbox', true]);
      await page.close();
    });

    test('goes on in the field when a reader types while a result is chosen, and keeps the chosen one that stays', async () => {
      await open(`/${language}/index/`);
      await page.keyboard.press('/');
      await page.locator('dialog[open] input').waitFor();
      await page.keyboard.type('parce');
      await page.locator('dialog .results .snippet').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('l 12');
      expect(await page.locator('dialog input').inputValue()).toBe('parcel 12');
      expect(await page.locator('dialog input').getAttribute('aria-activedescendant')).toBe(null);
      await page.close();
    });

    test.each(['Escape', 'outside', 'Tab'])('closes the panel of the home page: %s', async (way) => {
      await open(`/${language}/`);
      await page.locator('.hero input').click();
      await page.keyboard.type('parcel');
      const panel = page.locator('.hero .search-output');
      await panel.locator('.results a').first().waitFor();
      if (way === 'Escape') {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Escape');
        expect(await page.evaluate('document.activeElement.name')).toBe('q');
      } else if (way === 'Tab') {
        await panel.locator('a, button').last().focus();
        await page.keyboard.press('Tab');
      } else await page.mouse.click(5, 600);
      await panel.waitFor({ state: 'hidden' });
      expect(await page.locator('.hero input').inputValue()).toBe('parcel');
      await page.locator('.hero input').click();
      await panel.waitFor({ state: 'visible' });
      await page.close();
    });

    test('keeps the panel of the home page closed if results come late', async () => {
      await open(`/${language}/`);
      await page.locator('.hero input').click();
      await page.keyboard.type('parcel');
      const panel = page.locator('.hero .search-output');
      await panel.locator('.results a').first().waitFor();
      await page.evaluate(`(() => {
      const input = document.querySelector('.hero input');
      input.value = 'parcel 12';
      input.dispatchEvent(new Event('input'));
      document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    })()`);
      await page.waitForTimeout(500);
      expect(await panel.isHidden()).toBe(true);
      await page.locator('.hero input').click();
      await panel.locator('strong', { hasText: 'Parcel 12' }).waitFor();
      await page.close();
    });
  });
});
