import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumFlags } from './tools.ts';

/** Timeout for browser tests: on a busy machine, a page may take a minute to show a saved file. */
const patienceMs = 100_000;

/** Starts the system's Chromium. */
export async function launchBrowser(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags, timeout: patienceMs });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/** Loads the icon of a page, which the headless shell does not do by itself. Throws if it is missing or blocked. */
export async function loadIcon(page: Page): Promise<void> {
  await page.locator('link[rel=icon]').evaluate((link: HTMLLinkElement) => {
    const image = new Image();
    image.src = link.href;
    return image.decode();
  });
}
