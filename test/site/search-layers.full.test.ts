import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { closePages, launchBrowser } from '../support/browser.ts';
import { runLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import type { LocalServer } from '../support/serve.ts';
import { serveFiles } from '../support/static-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';

const sample = fileURLToPath(new URL('../../sample', import.meta.url));

/** Every kind of page from which readers search, by its path. Without a field, it has only the dialog; the search page has only a field. */
const pages = [
  { kind: 'home', path: /^en\/index\.html$/, field: 'main .search-form input' },
  { kind: 'article', path: /^en\/article\/[^/]+\/index\.html$/, field: '' },
  { kind: 'category', path: /^en\/category\/[^/]+\/index\.html$/, field: '' },
  { kind: 'index', path: /^en\/index\/index\.html$/, field: '' },
  { kind: 'search', path: /^en\/search\/index\.html$/, field: 'main .search-form input' },
  { kind: 'contact', path: /^en\/search\/contact\/index\.html$/, field: '.contact-form [name=subject]' },
  { kind: 'not found', path: /^en\/404\.html$/, field: '' },
] as const;

/** Width and height of a phone, a small and a large screen. */
const screens = [
  { width: 375, height: 812 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];

/** A product's page that has layers of its own. */
const productPage = `<!doctype html><html lang="en"><title>Product</title><script src="/widget.js" defer></script>
<body><p style="position: relative; z-index: 1000; block-size: 100vh; background: #eee">Parcels</p>`;

/** Published by the command, with everything that has a search. */
async function publish(look: string): Promise<LocalServer> {
  const folder = temporaryFolder();
  const config = {
    siteUrl: 'https://help.example.com',
    languages: ['en'],
    source: { kind: 'folder', path: sample },
    site: {
      title: 'Pebblepost Help',
      look,
      contact: { form: 'https://desk.example.com/requests' },
      widget: { origins: ['https://app.example.com'] },
    },
  };
  await writeFile(join(folder, 'lectern.config.json'), JSON.stringify(config));
  const { code, stderr } = await runLectern(['build', '--quiet'], { cwd: folder });
  expect(code, stderr).toBe(0);
  const files = new Map<string, string | Uint8Array>(await readTree(join(folder, 'dist')));
  // The policy allows the widget at the address of a product, which does not exist before its server.
  files.delete('_headers');
  return serveFiles(files.set('product.html', productPage));
}

describeWith('chromium', 'the results of a search on a published site', (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(executablePath);
  });
  afterAll(() => closePages(browser));

  describe.each(['help', 'docs'])('with the look %s', (look) => {
    let server: LocalServer;
    let paths: readonly string[];
    beforeAll(async () => {
      server = await publish(look);
      const list = await (await fetch(`${server.origin}/output-files.txt`)).text();
      paths = ['product.html', ...list.split('\n').map((line) => line.split(/\s+/).at(-1) ?? '')];
    });

    const open = async (path: RegExp): Promise<Page> => {
      const page = await browser.newPage({ colorScheme: 'light' });
      onTestFinished(() => page.close());
      const file = paths.find((each) => path.test(each)) ?? 'no such page';
      await page.goto(`${server.origin}/${file}`);
      return page;
    };

    test.each(pages.filter(({ field }) => field !== ''))(
      'lie above everything, and open what is clicked: $kind',
      async ({ kind, path, field }) => {
        const page = await open(path);
        const { href } = await page.evaluate<Location>('location');
        await search(page, field, 'main .search-output');
        // Only the panel of the home page lies over other links.
        for (const screen of kind === 'home' ? screens : screens.slice(0, 1)) {
          await page.setViewportSize(screen);
          await clickResult(page, page.locator('main .search-output'));
          await page.goto(href);
          await search(page, field, 'main .search-output');
        }
      },
    );

    test.each(pages.filter(({ field }) => field !== ''))(
      'are found for what was typed before the scripts ran: $kind',
      async ({ path, field }) => {
        const page = await browser.newPage();
        onTestFinished(() => page.close());
        let isTyped = () => {};
        const typed = new Promise<void>((resolve) => {
          isTyped = resolve;
        });
        await page.route('**/{site,contact}*.js', (route) => typed.then(() => route.continue()));
        const file = paths.find((each) => path.test(each)) ?? 'no such page';
        await page.goto(`${server.origin}/${file}`, { waitUntil: 'commit' });
        await page.locator(field).click();
        await page.keyboard.type('phone');
        isTyped();
        await page.locator('main .search-output .results a').nth(1).waitFor();
        expect(await page.locator(field).inputValue()).toBe('phone');
      },
    );

    test('leave what was typed on the home page before the scripts ran, also if the reader went on', async () => {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      let isTyped = () => {};
      const typed = new Promise<void>((resolve) => {
        isTyped = resolve;
      });
      await page.route('**/site*.js', (route) => typed.then(() => route.continue()));
      await page.goto(`${server.origin}/en/index.html`, { waitUntil: 'commit' });
      const field = page.locator('main .search-form input');
      await field.fill('phone');
      await field.blur();
      isTyped();
      await page.waitForLoadState();
      expect(await field.inputValue()).toBe('phone');
      await field.focus();
      await page.locator('main .search-output .results a').nth(1).waitFor();
    });

    test.each(pages.filter(({ field }) => field.startsWith('main')))(
      'are found for what was sent before the scripts ran: $kind',
      async ({ path, field }) => {
        const page = await browser.newPage();
        onTestFinished(() => page.close());
        let isSent = () => {};
        const sent = new Promise<void>((resolve) => {
          isSent = resolve;
        });
        await page.route('**/site*.js', (route) => sent.then(() => route.continue()));
        const file = paths.find((each) => path.test(each)) ?? 'no such page';
        await page.goto(`${server.origin}/${file}`, { waitUntil: 'commit' });
        await page.locator(field).fill('phone');
        await page.keyboard.press('Enter');
        await page.waitForURL(/index\/\?q=phone$/, { waitUntil: 'commit' });
        isSent();
        await page.waitForURL(/search\/\?q=phone$/);
        await page.locator('main .search-output .results a').nth(1).waitFor();
      },
    );

    // The search page is what the dialog leads to.
    test.each(pages.filter(({ kind }) => kind !== 'search'))(
      'lie above everything in the dialog, and open what is clicked: $kind',
      async ({ path }) => {
        const page = await open(path);
        // The home page shows this link when its field is out of sight.
        await page.locator('.search-link').first().dispatchEvent('click');
        await search(page, 'dialog[open] input', 'dialog[open]');
        await clickResult(page, page.locator('dialog[open]'));
      },
    );

    test('leave the links of a card above the link of the card', async () => {
      const page = await open(/^en\/index\.html$/);
      const links = page.locator('.card-links a');
      expect(await links.count()).toBeGreaterThan(5);
      for (const link of await links.all()) await link.click({ trial: true });
    });

    test('lie above everything in the widget of a product', async () => {
      const page = await open(/^product\.html$/);
      await page.locator('lectern-help button.open').click();
      const frame = page.frameLocator('lectern-help iframe');
      await frame.locator('main .search-form input').fill('phone');
      await frame.locator('.results a').nth(1).waitFor();
      for (const screen of screens) {
        await page.setViewportSize(screen);
        expect(await covered(page.locator('lectern-help dialog'))).toEqual([]);
        expect(await covered(frame.locator('.search-output'))).toEqual([]);
      }
    });
  });
});

/** Types a query into a field, and asks for the top element at every point of the open panel, on each screen. */
async function search(page: Page, field: string, panel: string): Promise<void> {
  await page.locator(field).fill('phone');
  await page.locator(`${panel} .results a`).nth(1).waitFor();
  const size = page.viewportSize();
  for (const screen of screens) {
    await page.setViewportSize(screen);
    expect(await covered(page.locator(panel)), `${screen.width} pixels`).toEqual([]);
  }
  if (size !== null) await page.setViewportSize(size);
}

/** Points of an element within the window, every 8 pixels, at which another element is on top, with that element. */
function covered(panel: Locator): Promise<readonly string[]> {
  return panel.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    // Corners are round.
    const corner = Number.parseFloat(getComputedStyle(element).borderTopLeftRadius) || 0;
    const found: string[] = [];
    let asked = 0;
    for (let y = Math.ceil(Math.max(top, 0)) + 1; y < Math.min(bottom, innerHeight) - 1; y += 8) {
      for (let x = Math.ceil(Math.max(left, 0)) + 1; x < Math.min(right, innerWidth) - 1; x += 8) {
        const isAtSide = x - left < corner || right - x < corner;
        if (isAtSide && (y - top < corner || bottom - y < corner)) continue;
        asked += 1;
        const hit = document.elementFromPoint(x, y);
        if (!element.contains(hit) && !hit?.shadowRoot?.contains(element))
          found.push(`${x},${y}: ${hit?.outerHTML.slice(0, 100)}`);
      }
    }
    if (asked < 100) found.push(`only ${asked} points are in the window`);
    return found;
  });
}

/** Clicks where a result lies over a link of the page, else in its middle, and expects its article. */
async function clickResult(page: Page, panel: Locator): Promise<void> {
  const { x, y, href } = await panel.evaluate((element) => {
    const boxes = (selector: string) =>
      [...document.querySelectorAll<HTMLAnchorElement>(selector)].map((link) => ({
        href: link.href,
        box: link.getBoundingClientRect(),
      }));
    const edge = element.getBoundingClientRect();
    const results = [...element.querySelectorAll<HTMLAnchorElement>('.results .result')]
      .map(({ href: to }) => boxes(`.results .result[href="${new URL(to).pathname}"]`).at(-1))
      .filter((each) => each !== undefined)
      .filter(({ box }) => box.bottom < Math.min(edge.bottom, innerHeight));
    const [first] = results;
    if (first === undefined) throw new Error('no result is wholly in sight');
    const middle = ({ left, right, top, bottom }: DOMRect) => ({
      x: (left + right) / 2,
      y: (top + bottom) / 2,
    });
    const contains = ({ left, right, top, bottom }: DOMRect, at: { x: number; y: number }) =>
      at.x > left && at.x < right && at.y > top && at.y < bottom;
    for (const { href: to, box } of results) {
      for (const { box: below } of boxes('.card-links a')) {
        const at = middle(below);
        if (contains(box, at)) return { ...at, href: to };
      }
    }
    return { ...middle(first.box), href: first.href };
  });
  await page.mouse.click(x, y);
  await page.waitForURL(href);
}
