import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * `npm run bench:preview`: how long it takes from saving a template of the sample until the open page is told to load
 * again, and until the new page is there. Prints milliseconds per round, and the median.
 */
const rounds = 11;
/** Longer than the build that follows a change. */
const pauseMs = 3000;

const lectern = resolve('lib/bin.js');
const home = readFileSync('templates/home.eta', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-preview-'));
const { child: service, said } = await start([
  'serve',
  '--seed',
  resolve('docs/sample'),
  '--port',
  '0',
  '--json',
]);
const { baseUrl, ca, apiKey } = JSON.parse(said) as Record<'baseUrl' | 'ca' | 'apiKey', string>;
await once(
  run(['build', '--quiet'], { LECTERN_BASE_URL: baseUrl, LECTERN_API_KEY: apiKey, NODE_EXTRA_CA_CERTS: ca }),
  'close',
);
service.kill();
const preview = await start(['preview', '--port', '0']);
const page = `${preview.said.trim()}en/`;
await (await fetch(page)).text();
mkdirSync(join(folder, 'templates'));

const totals: number[] = [];
for (let round = 0; round < rounds; round++) {
  const events = (await fetch(new URL('/__lectern/events', page))).body?.getReader();
  await events?.read();
  const startMs = performance.now();
  writeFileSync(join(folder, 'templates/home.eta'), `${home}<p>round ${round}</p>\n`);
  await events?.read();
  const toldMs = performance.now() - startMs;
  const text = await (await fetch(page)).text();
  const totalMs = performance.now() - startMs;
  if (!text.includes(`round ${round}`)) throw new Error('the page does not show the saved template');
  totals.push(totalMs);
  console.log(`told after ${toldMs.toFixed(0)} ms, page after ${totalMs.toFixed(0)} ms`);
  await events?.cancel();
  await wait(pauseMs);
}
console.log(`median ${totals.sort((a, b) => a - b)[rounds >> 1]?.toFixed(0)} ms`);
preview.child.kill();
await once(preview.child, 'close');
rmSync(folder, { recursive: true, force: true });

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
