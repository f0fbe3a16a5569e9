import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { applyFeed } from '../src/consumers/follow/apply-feed.ts';
import { startHelpCentre } from './help-centre.ts';
import { costOf } from './measure.ts';

/**
 * `npm run bench:feed -- [--articles 147] [--languages en,de,…] [--edit last|first]`: builds a generated help centre, edits one sentence in one
 * language, builds again, and prints how much of the feed was written anew, how much `applyFeed` downloads, and what the first answer of
 * `lectern mcp` costs. `--edit first` edits the language that the others are translated from, so that these are outdated.
 */
const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '147' },
    languages: { type: 'string', default: 'en,de,ja,ar,fr,es,it,pt,nl,pl,cs,sv,da,fi,tr' },
    edit: { type: 'string', default: 'last' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench-feed') },
  },
});
const work = resolve(values.work);
const languages = values.languages.split(',');
const centre = await startHelpCentre({ articles: Number(values.articles), languages, hasImages: false });
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
writeFileSync(
  join(work, 'lectern.config.json'),
  JSON.stringify({
    baseUrl: `${centre.origin}/v1`,
    siteUrl: 'https://help.pebblepost.example',
    defaultLanguage: languages[0],
    languages,
    site: { title: 'Pebblepost Help' },
  }),
);
const server = await serve(join(work, 'dist'));

build();
const first = hashFeed();
await apply();
const all = server.takeDownloads();
await centre.edit({
  kind: 'body',
  articles: [7],
  languages: values.edit === 'first' ? 'first' : 'last',
  note: 'one sentence',
});
build();
const second = hashFeed();
const applied = await apply();
const downloads = server.takeDownloads();
server.stop();
centre.stop();

const rewritten = [...second].filter(([path, { sha256 }]) => first.get(path)?.sha256 !== sha256);
const documents = Number(values.articles) * languages.length;
console.log(`${documents} documents, one sentence edited in one language\n`);
console.log('| | files | bytes |\n|---|---:|---:|');
console.log(row('the feed', [...second.values()]));
console.log(
  row(
    'rewritten',
    rewritten.map(([, file]) => file),
  ),
);
console.log(
  row(
    'rewritten in `feed/`',
    rewritten.filter(([path]) => path.startsWith('feed/')).map(([, file]) => file),
  ),
);
console.log(row('downloaded by `applyFeed`, first time', all));
console.log(row('downloaded by `applyFeed`, after the edit', downloads));
console.log(
  row(
    'the same as sent, with gzip',
    downloads.map(({ sentBytes }) => ({ bytes: sentBytes })),
  ),
);
console.log(`\n${JSON.stringify(applied)}\n`);
const largest = [
  ...rewritten.map(([path, { bytes }]) => ({ what: `rewritten ${path}`, bytes })),
  ...downloads.map(({ path, bytes }) => ({ what: `downloaded ${path}`, bytes })),
].sort((a, b) => b.bytes - a.bytes);
for (const { what, bytes } of largest.slice(0, 25)) console.log(`${what}: ${(bytes / 1e3).toFixed(1)} KB`);
console.log(`\n${await askAssistant()}`);

/** Starts `lectern mcp` and asks a question. */
async function askAssistant(): Promise<string> {
  const args = [resolve('lib/bin.js'), 'mcp', join(work, 'dist')];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const asked = { name: 'search', arguments: { query: 'how do I open a locker' } };
  for (let isReady = false; !isReady; ) isReady = (await client.callTool(asked)).isError !== true;
  const { cpuMs, peakMb } = costOf(transport.pid);
  await client.close();
  return `first answer of lectern mcp: ${(cpuMs / 1e3).toFixed(1)} s of processor, ${peakMb.toFixed(0)} MB`;
}

function row(name: string, files: readonly { readonly bytes: number }[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `| ${name} | ${files.length} | ${(bytes / 1e6).toFixed(2)} MB |`;
}

function build(): void {
  const args = [resolve('lib/bin.js'), 'build', '--insecure-loopback', '--quiet'];
  const { status } = spawnSync(process.execPath, args, {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, LECTERN_API_KEY: 'benchmark' },
  });
  if (status !== 0) throw new Error(`the build ended with ${status}`);
}

function apply() {
  return applyFeed(server.address, {
    cursor: join(work, 'cursor.jsonl'),
    upsert: () => {},
    delete: () => {},
  });
}

/** Every file of the feed: its folder, and every `llms*.txt`. */
function hashFeed(): ReadonlyMap<string, { readonly sha256: string; readonly bytes: number }> {
  const root = join(work, 'dist');
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(
      (path) => path.startsWith('feed/') || /(?:^|\/)llms(?:-full)?(?:-\d+)?\.txt$|(?:^|\/)llms\//.test(path),
    );
  return new Map(
    paths.map((path) => {
      const content = readFileSync(join(root, path));
      return [path, { sha256: hash('sha256', content), bytes: content.length }];
    }),
  );
}

interface Download {
  readonly path: string;
  readonly bytes: number;
  readonly sentBytes: number;
}

/** Serves a folder with ETags and gzip, as web servers do, and counts downloads: bytes of the files, and bytes sent. */
async function serve(root: string) {
  let downloads: Download[] = [];
  const web = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    if (!existsSync(join(root, path))) {
      response.writeHead(404).end();
      return;
    }
    const content = readFileSync(join(root, path));
    const etag = `"${hash('sha256', content)}"`;
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    const sent = gzipSync(content);
    downloads.push({ path, bytes: content.length, sentBytes: sent.length });
    response.writeHead(200, { etag, 'content-encoding': 'gzip' }).end(sent);
  });
  await new Promise<void>((ready) => web.listen(0, '127.0.0.1', ready));
  return {
    address: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
    takeDownloads() {
      const taken = downloads;
      downloads = [];
      return taken;
    },
    stop: () => web.close(),
  };
}
