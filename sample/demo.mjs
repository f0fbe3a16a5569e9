// The main job, end to end: starts the embedded service on a free loopback port over HTTPS, seeds it with the sample
// knowledge base, and publishes it through the real HTTP API. Used by `npm run demo`.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const lectern = fileURLToPath(new URL('../lib/bin.js', import.meta.url));
const sample = fileURLToPath(new URL('.', import.meta.url));
const config = 'sample/lectern.config.json';
const { siteUrl } = JSON.parse(readFileSync(config, 'utf8'));

rmSync('.demo', { recursive: true, force: true });

console.log('1. Start the knowledge-base service with the sample, over HTTPS on a free port');
const service = spawn(
  process.execPath,
  [
    lectern,
    'serve',
    '--data',
    '.demo/knowledge-base.sqlite',
    '--seed',
    sample,
    '--port',
    '0',
    '--json',
    '--quiet',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const { baseUrl, ca, apiKey } = await firstLine(service);
console.log(`   ${baseUrl}\n`);

console.log('2. Publish it: lectern build');
const code = await new Promise((resolve) => {
  spawn(process.execPath, [lectern, 'build', '--config', config, '--out', 'dist'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      LECTERN_BASE_URL: baseUrl,
      LECTERN_API_KEY: apiKey,
      NODE_EXTRA_CA_CERTS: ca,
    },
  }).on('close', resolve);
});
service.kill();

if (code === 0) {
  console.log(`
Site      dist/index.html
Feed      dist/feed/manifest.json
Preview   run "npm run preview", then open ${siteUrl}`);
}
process.exitCode = code;

/** The one line the service prints when it listens. */
async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error('the service ended before it listened');
}
