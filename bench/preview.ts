import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * `npm run bench:preview`: how long it takes from saving a template of the sample, and then a page of a folder of 1,000, until the open
 * page gets the reload event, and until the new page is there. Prints milliseconds per round, and the medians.
 */
const rounds = 11;
const pages = 1000;
/** Longer than the build that follows a change. */
const pauseMs = 3000;

const lectern = resolve('lib/bin.js');
const home = readFileSync('templates/home.eta', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-preview-'));
const { child: service, said } = await start(['serve', '--seed', resolve('sample'), '--port', '0', '--json']);
const { baseUrl, ca, apiKey } = JSON.parse(said) as Record<'baseUrl' | 'ca' | 'apiKey', string>;
await once(
  run(['build', '--quiet'], { LECTERN_BASE_URL: baseUrl, LECTERN_API_KEY: apiKey, NODE_EXTRA_CA_CERTS: ca }),
  'close',
);
service.kill();
mkdirSync(join(folder, 'templates'));
await measure('template', [], async (site) => ({
  address: `${site}en/`,
  save: (mark) => writeFileSync(join(folder, 'templates/home.eta'), `${home}<p>${mark}</p>\n`),
}));
rmSync(join(folder, 'templates'), { recursive: true });
for (let number = 0; number < pages; number++) writePage(number, '');
await measure('page of a folder', ['--source', 'kb', '--out', 'kb-site'], async (site) => {
  const index = await (await fetch(`${site}en/index/`)).text();
  const [path = ''] = /\/en\/article\/\w{10}-page-503\//.exec(index) ?? [];
  return { address: new URL(path, site).href, save: (mark) => writePage(503, mark) };
});
rmSync(folder, { recursive: true, force: true });

/** @param open gives the page to look at, and what saves the file it is made of */
async function measure(
  what: string,
  flags: readonly string[],
  open: (site: string) => Promise<{ readonly address: string; readonly save: (mark: string) => void }>,
): Promise<void> {
  const preview = await start(['preview', '--port', '0', ...flags]);
  const { address, save } = await open(preview.said.trim());
  await (await fetch(address)).text();
  await wait(pauseMs);
  const totals: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const events = (await fetch(new URL('/__lectern/events', address))).body?.getReader();
    await events?.read();
    const startMs = performance.now();
    save(`round ${round}`);
    await events?.read();
    const toldMs = performance.now() - startMs;
    const text = await (await fetch(address)).text();
    const totalMs = performance.now() - startMs;
    if (!text.includes(`round ${round}`)) throw new Error(`the page does not show the saved ${what}`);
    totals.push(totalMs);
    console.log(`${what}: reload event after ${toldMs.toFixed(0)} ms, page after ${totalMs.toFixed(0)} ms`);
    await events?.cancel();
    await wait(pauseMs);
  }
  console.log(`${what}: median ${totals.sort((a, b) => a - b)[rounds >> 1]?.toFixed(0)} ms`);
  preview.child.kill();
  await once(preview.child, 'close');
}

/** Pages of about 4 KB in 20 folders, with links between them. */
function writePage(number: number, mark: string): void {
  const nameOf = (one: number) => `section-${one % 20}/page-${one}.md`;
  const links = [7, 13, 29].map((step) => `[Page](../${nameOf((number * step + 1) % pages)})`);
  const steps = Array.from({ length: 8 }, (_, step) => {
    const text = 'Loosen the screw, move the saddle and tighten the screw again. '.repeat(7);
    return `## Step ${step}\n\n${text}\n\n- **one**\n- two\n`;
  });
  const file = join(folder, 'kb', nameOf(number));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\ntitle: Page ${number}\n---\n\n${links.join(' ')} ${mark}\n\n${steps.join('\n')}`);
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [lectern, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function start(
  args: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const child = run(args);
  if (child.stdout === null) throw new Error('the program has no output');
  const [said] = await once(child.stdout, 'data');
  return { child, said: String(said) };
}
