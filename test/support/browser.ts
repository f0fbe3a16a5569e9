import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumFlags } from './tools.ts';

/** Timeout for browser tests: on a busy machine, a page may take a minute to show a saved file. */
const patienceMs = 100_000;

/** The browser of this worker: a start takes as long as ten pages. It ends with the worker. */
let shared: Promise<Browser> | null = null;

/** Starts the system's Chromium, or gives the one that an earlier file started. */
export async function launchBrowser(executablePath: string): Promise<Browser> {
  const running = await shared?.catch(() => null);
  if (!running?.isConnected()) shared = launch(executablePath);
  return shared as Promise<Browser>;
}

async function launch(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags, timeout: patienceMs });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/** Closes all pages of the browser, with what they stored. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Loads the icon of a page, which the headless shell does not do by itself. Throws if it is missing or blocked. */
export async function loadIcon(page: Page): Promise<void> {
  await page.locator('link[rel=icon]').evaluate((link: HTMLLinkElement) => {
    const image = new Image();
    image.src = link.href;
    return image.decode();
  });
}
