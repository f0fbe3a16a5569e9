// `npm run pictures`: takes the pictures of README.md (`docs/images/`) of the sample, as a browser shows it. Needs Chromium, whose path may
// be in CHROMIUM_PATH.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

const viewport = { width: 1200, height: 800 };

/** What a chatbot gets of the sample: a passage of its feed, and what each field is for. The address of the preview is no address for a picture. */
function passagePage() {
  const lines = readFileSync(join(folder, 'feed/en/chunks.jsonl'), 'utf8').trim().split('\n');
  const passage = lines
    .map((line) => JSON.parse(line))
    .find(({ url }) => url.endsWith('#collect-without-the-phone'));
  const uses = {
    id: 'stays when you edit the text',
    url: 'the section, for a citation',
    text: 'embed it, and show it to the model',
    tokens: 'its length for a model',
    hash: 'embed again if it changed',
  };
  const escapeHtml = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rows = Object.entries(uses).map(([name, use]) => {
    const value = escapeHtml(passage[name]).replaceAll(
      /http:\/\/localhost:\d+/g,
      'https://help.pebblepost.example',
    );
    return `<tr><th>${name}<td>${value}<td class="use">${use}`;
  });
  return `<!doctype html><style>
    body { margin: 0; padding: 40px; background: #1a1f66; font: 20px/1.5 'Noto Sans', system-ui, sans-serif; }
    main { padding: 24px 40px 32px; border-radius: 16px; background: #fff; color: #1a1b2e; }
    table { border-spacing: 0; }
    caption { padding-bottom: 16px; font-weight: 600; text-align: start; }
    th, td { padding: 8px 24px 8px 0; border-top: 1px solid #e3e5f2; text-align: start; vertical-align: top; }
    th, td { font: 17px/1.5 'Noto Sans Mono', monospace; white-space: pre-wrap; }
    th { color: #3b41b5; }
    .use { padding-right: 0; min-width: 220px; color: #5b5e77; font: 17px/1.5 'Noto Sans', system-ui, sans-serif; }
  </style><main><table><caption>A passage of feed/en/chunks.jsonl</caption>${rows.join('')}</table></main>`;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Takes a picture of what `show` opens, in a page of its own, because the policy of the site forbids styles of others. */
async function take(name, show) {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce', colorScheme: 'light' });
  await show(page);
  await page.screenshot({ path: join(root, `docs/images/${name}.png`), fullPage: name === 'passage' });
}

await take('home', (page) => page.goto(`${site}/en/`));
await take('passage', (page) => page.setContent(passagePage()));
await browser.close();
preview.kill();
rmSync(folder, { recursive: true });
