import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { costOf } from './measure.ts';

/** A running server under load. */
export interface RunningServer {
  readonly name: string;
  /** Origin and base path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the certificate to trust. */
  readonly ca: string;
  readonly paths: {
    readonly one: (id: string) => string;
    readonly list: string;
    readonly search: (word: string) => string;
  };
  /** Largest resident memory so far, in MB. */
  readonly peakMb: () => number;
  /** Processor time so far, in milliseconds; unlike rates, it is reliable on a busy machine. */
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
}

/**
 * `lectern serve` over HTTPS with authentication, without rate limit and log; fills its database first.
 * @param data a file, or the URL of a database
 */
export async function startLectern(folder: string, data: string): Promise<RunningServer> {
  const filling = await startServe(folder, ['--seed', join(folder, 'seed.json')], 0, data);
  await stop(filling.child);
  // Restarted, so that its memory does not include reading the seed.
  const { child, baseUrl, ca, apiKey } = await startServe(folder, [], 0, data);
  return {
    name: 'lectern serve',
    url: baseUrl,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ca,
    paths: {
      one: (id) => `/article/${id}`,
      list: '/article?include_body=true',
      search: (word) => `/search?query=${encodeURIComponent(word)}`,
    },
    peakMb: () => costOf(child.pid).peakMb,
    cpuMs: () => costOf(child.pid).cpuMs,
    stop: () => stop(child),
  };
}

/** `lectern serve` on the data file of a folder or on a database; reads URL and key from its output. */
export async function startServe(
  folder: string,
  flags: readonly string[],
  port = 0,
  data = join(folder, 'kb.sqlite'),
) {
  const usual = ['--data', data, '--port', String(port), '--json', '--rate-limit', '0', '--quiet'];
  const child = spawn(process.execPath, [resolve('lib/bin.js'), 'serve', ...usual, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // With a database, the certificate is in the current folder.
    cwd: folder,
  });
  const line = JSON.parse(await firstLine(child)) as { baseUrl: string; ca: string; apiKey: string };
  return { child, baseUrl: line.baseUrl, apiKey: line.apiKey, ca: readFileSync(line.ca, 'utf8') };
}

/** Does the same as its command with --quiet, over HTTPS. */
const jsonServer = `
  const server = require('json-server');
  const [, db, tls] = process.argv;
  const app = server.create();
  app.use(server.defaults({ logger: false }), server.router(db));
  const read = (name) => require('fs').readFileSync(tls + '/' + name + '.pem');
  const listener = require('https').createServer({ cert: read('cert'), key: read('key') }, app);
  listener.listen(0, '127.0.0.1', () => console.log(listener.address().port));`;

/** json-server 0.17 (the last stable version) over HTTPS, with the same articles and the service's certificate. */
export async function startJsonServer(folder: string, tools: string): Promise<RunningServer> {
  const tls = join(folder, 'kb.sqlite-tls');
  const child = spawn(process.execPath, ['-e', jsonServer, join(folder, 'db.json'), tls], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: tools,
  });
  return {
    name: 'json-server',
    url: `https://127.0.0.1:${await firstLine(child)}`,
    headers: { 'content-type': 'application/json' },
    ca: readFileSync(join(tls, 'ca.pem'), 'utf8'),
    paths: {
      one: (id) => `/articles/${id}`,
      list: '/articles',
      search: (word) => `/articles?q=${encodeURIComponent(word)}&_limit=10`,
    },
    peakMb: () => costOf(child.pid).peakMb,
    cpuMs: () => costOf(child.pid).cpuMs,
    stop: () => stop(child),
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the service ended before it listened');
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
