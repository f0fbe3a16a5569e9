// `npm run pictures`: takes the pictures of README.md and docs/ (`docs/images/`) of the sample, as a browser shows it. Needs Chromium, whose path may
// be in CHROMIUM_PATH.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const root = join(import.meta.dirname, '..');
const [executablePath] = [process.env.CHROMIUM_PATH, 'chromium-headless-shell', 'chromium', 'google-chrome']
  .filter((name) => name !== undefined)
  .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
  .filter((path) => path !== '');

const folder = mkdtempSync(join(tmpdir(), 'lectern-pictures-'));
const lectern = (...args) => [process.execPath, [join(root, 'lib/bin.js'), ...args]];
const { status } = spawnSync(...lectern('demo', '--out', folder), { stdio: ['ignore', 'ignore', 'inherit'] });
if (status !== 0) process.exit(status ?? 1);
const preview = spawn(...lectern('preview', folder, '--port', '0'), { stdio: ['ignore', 'pipe', 'inherit'] });
let site = '';
for await (const line of createInterface({ input: preview.stdout })) {
  site = /https?:\/\/[^\s/]+:\d+/.exec(line)?.[0] ?? '';
  if (site !== '') break;
}

const desktop = { width: 1200, height: 800 };
const phone = { width: 390, height: 800 };

/** Types a query into the search of a page, and waits for the results. */
async function search(page) {
  await page.keyboard.press('/');
  await page.keyboard.type('lost phone');
  await page.locator('.results .snippet').first().waitFor();
  await page.keyboard.press('ArrowDown');
}

const pictures = [
  { name: 'home', path: '/en/', viewport: desktop },
  { name: 'article', path: '/en/article/9mXc4Rb7Td-collect-your-first-parcel/', viewport: desktop },
  {
    name: 'search',
    path: '/en/article/9mXc4Rb7Td-collect-your-first-parcel/',
    viewport: desktop,
    act: search,
  },
  { name: 'phone-ar', path: '/ar/', viewport: phone },
];

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const { name, path, viewport, act } of pictures) {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce', colorScheme: 'light' });
  await page.goto(site + path);
  await act?.(page);
  await page.screenshot({ path: join(root, `docs/images/${name}.png`) });
  await page.close();
}
await browser.close();
preview.kill();
rmSync(folder, { recursive: true });
