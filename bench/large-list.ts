import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { networkOf } from '../src/core/config/source-settings.ts';
import { makeCertificate } from '../src/service/tls/make-certificate.ts';
import { fetchKnowledgeBase } from '../test/source/support/fetching.ts';

/**
 * `npm run --silent build && npm run --silent bench:build && node .bench/bench/large-list.js [--megabytes 600]
 * [--body-kilobytes 20]`: reads one list of articles of that size over HTTPS from a server in a process of its own, and
 * prints time, speed and the peak memory of the reading process.
 */
const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '600' },
    'body-kilobytes': { type: 'string', default: '20' },
    serve: { type: 'boolean', default: false },
  },
});
const bodyBytes = Number(values['body-kilobytes']) * 1024;
const articleCount = Math.ceil((Number(values.megabytes) * 1_000_000) / (bodyBytes * 3));

if (values.serve) await serve();
else await measure();

/** Sends the port to the parent once it listens; every article has two translations, so three bodies. */
async function serve(): Promise<void> {
  const { ca, cert, key } = await makeCertificate(Date.now());
  const paragraph =
    '<p class="text">A paragraph with “quotes”, a <a href="/article/x">link</a> and a\\u0020line.</p>\n';
  const text = JSON.stringify(paragraph.repeat(Math.ceil(bodyBytes / paragraph.length)).slice(0, bodyBytes));
  const server = createServer({ cert, key }, (request, response) => {
    const url = new URL(request.url ?? '/', 'https://localhost');
    response.setHeader('content-type', 'application/json');
    if (url.pathname.endsWith('/category')) response.end('{"categories":[]}');
    else if (url.pathname.includes('/stats/')) response.writeHead(404).end('{}');
    else if (url.searchParams.has('skip')) response.end('{"articles":[]}');
    else void sendList(response, text);
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, ca }));
}

async function sendList(response: ServerResponse, text: string): Promise<void> {
  response.write('{"articles":[');
  for (let index = 0; index < articleCount; index += 1) {
    const id = `a${String(index).padStart(9, '0')}`;
    // No two bodies are the same.
    const body = (tag: string): string => text.replace('A paragraph', `${tag} ${id}`);
    const translation = (tag: string): string =>
      `{"language_code":"${tag}","title":"${tag} ${id}","body":${body(tag)},"is_live":true}`;
    const record =
      `{"article_id":"${id}","title":"Title of ${id}","slug":"slug-${id}","is_published":true,"is_private":false,` +
      `"updated_at":"2026-01-01T00:00:00Z","body":${body('en')},"multilingual":[${translation('de')},${translation('fr')}]}`;
    if (!response.write(index === 0 ? record : `,${record}`)) {
      await new Promise((resolve) => response.once('drain', resolve));
    }
  }
  response.end(']}');
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-large-list-'));
  const server = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--serve']);
  try {
    const { port, ca } = await new Promise<{ port: number; ca: string }>((resolve) =>
      server.once('message', (message) => resolve(message as { port: number; ca: string })),
    );
    const before = process.resourceUsage().maxRSS;
    const start = performance.now();
    const cpu = process.cpuUsage();
    const source = await fetchKnowledgeBase({
      baseUrl: `https://localhost:${port}/v1`,
      apiKey: 'benchmark',
      ca: [ca],
      insecureLoopback: false,
      allowMassDelete: false,
      cache: join(folder, 'cache'),
      defaultLanguage: 'en',
      languages: null,
      generator: 'benchmark',
      network: networkOf(),
    });
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    await source.close();
    const megabytes = source.stats.bodyBytes / 1_000_000;
    const peak = process.resourceUsage().maxRSS;
    console.log(
      [
        `articles          ${source.stats.published}`,
        `bodies            ${megabytes.toFixed(0)} MB`,
        `time              ${seconds.toFixed(1)} s (${(megabytes / seconds).toFixed(0)} MB/s, the server's work included)`,
        `processor time    ${((user + system) / 1e6).toFixed(1)} s`,
        `peak memory       ${(peak / 1024).toFixed(0)} MiB (${(before / 1024).toFixed(0)} MiB before the first request)`,
      ].join('\n'),
    );
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
