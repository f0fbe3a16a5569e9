import { type Browser, chromium } from 'playwright-core';
import { chromiumFlags } from './tools.ts';

/** Timeout for browser tests: on a busy machine, a page may take a minute to show a saved file. */
const patienceMs = 100_000;

/** Starts the system's Chromium. */
export async function launchBrowser(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags, timeout: patienceMs });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}
