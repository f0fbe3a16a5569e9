import { type Browser, chromium } from 'playwright-core';
import { chromiumFlags } from './tools.ts';

/** Starts the system's Chromium. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: chromiumFlags });
}
