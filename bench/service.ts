import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { makeArticles } from './service-articles.ts';
import { type RunningServer, startJsonServer, startLectern } from './service-contestants.ts';
import { measureLatencies, type Summary, summarize, uploadBodies } from './service-load.ts';

/**
 * `npm run bench:service -- [--articles 10000] [--seconds 10] [--connections 10] [--others none]`: whether the embedded service is
 * slow for one client because of another. Prints a line per goal; the first is measured beside json-server on the same machine, with the load
 * generator autocannon (both fetched from npm into the temporary folder).
 */
const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '10' },
    others: { type: 'string', default: 'json-server' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench-service') },
  },
});

interface LoadResult {
  readonly requests: { readonly average: number; readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
}
type Load = (options: Record<string, unknown>) => Promise<LoadResult>;

const folder = resolve(values.work);
const tools = resolve(tmpdir(), 'lectern-bench-tools');
const clients = Number(values.connections);
const durationMs = Number(values.seconds) * 1000;
const { articles, words } = makeArticles(Number(values.articles));
const ids = articles.map(({ article_id }) => article_id);
installTools();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'seed.json'), JSON.stringify({ articles, categories: [] }));
writeFileSync(
  join(folder, 'db.json'),
  JSON.stringify({
    articles: articles.map(({ article_id, ...article }) => ({ id: article_id, ...article })),
  }),
);
const load = createRequire(join(tools, 'package.json'))('autocannon') as Load;

console.log(`${articles.length} articles, ${clients} clients, ${values.seconds} s each`);
const lectern = await startLectern(folder);
const [reads, searches] = await measureRates(lectern);
await measureOthers(reads, searches);
try {
  await measureNeighbours(lectern);
  await measureLongBodies(lectern);
  await measureWrites(lectern);
  await measureList(lectern);
} finally {
  await lectern.stop();
}

/** Requests per second of reads and searches. */
async function measureRates(server: RunningServer): Promise<readonly [reads: number, searches: number]> {
  const { paths } = server;
  const reads = await run(
    server,
    ids.map((id) => paths.one(id)),
  );
  const searches = await run(
    server,
    words.map((word) => paths.search(word)),
  );
  return [reads, searches];
}

async function measureOthers(reads: number, searches: number): Promise<void> {
  if (values.others === 'none') {
    print('reads', `${reads.toFixed(0)}/s; searches ${searches.toFixed(0)}/s`);
    return;
  }
  const other = await startJsonServer(folder, tools);
  try {
    const [otherReads, otherSearches] = await measureRates(other);
    print(
      'reads',
      `${(reads / otherReads).toFixed(1)} times those of json-server (goal: 10): ${reads.toFixed(0)}/s over https, ${otherReads.toFixed(0)}/s over http; searches ${searches.toFixed(0)}/s and ${otherSearches.toFixed(0)}/s`,
    );
  } finally {
    await other.stop();
  }
}

async function run(server: RunningServer, paths: readonly string[]): Promise<number> {
  const { pathname } = new URL(server.url);
  const { requests, non2xx, errors } = await load({
    url: server.url,
    connections: clients,
    duration: durationMs / 1000,
    headers: server.headers,
    tlsOptions: server.ca === null ? {} : { ca: server.ca },
    requests: paths.map((path) => ({ path: (pathname === '/' ? '' : pathname) + path })),
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests to ${server.name} failed`);
  return requests.average;
}

/** One client that reads, beside five that search for 16 words each; then ten that search. */
async function measureNeighbours(server: RunningServer): Promise<void> {
  const readOne = (n: number) => ({ path: server.paths.one(ids[(n * 7919) % ids.length] ?? '') });
  const longSearch = (n: number) => {
    const from = (n * 16) % (words.length - 16);
    const text = words.slice(from, from + 16).map((phrase) => phrase.split(' ')[0]);
    return { path: server.paths.search(text.join(' ')) };
  };
  const alone = summarize(await measureLatencies(server, readOne, endIn(durationMs)));
  const isDone = endIn(durationMs);
  const [beside, long] = await Promise.all([
    measureLatencies(server, readOne, isDone).then(summarize),
    measureLatencies(server, longSearch, isDone, { clients: 5 }).then(summarize),
  ]);
  print(
    'one read',
    `p99 ${(beside.p99 / alone.p99).toFixed(1)} times as long beside five searches for 16 words (goal: 3): ${describe(beside)}; alone ${describe(alone)}; these searches ${describe(long)}`,
  );
  const search = (n: number) => ({ path: server.paths.search(words[n % words.length] ?? '') });
  const ten = summarize(await measureLatencies(server, search, endIn(durationMs), { clients }));
  print('search', `p99 ${ten.p99.toFixed(1)} ms with ${clients} clients (goal: 30): ${describe(ten)}`);
}

/** Clients that read, search and write, while another one writes bodies of 10 MB. */
async function measureLongBodies(server: RunningServer): Promise<void> {
  const kinds = {
    read: (n: number) => ({ path: server.paths.one(ids[n % (ids.length >> 1)] ?? '') }),
    search: (n: number) => ({ path: server.paths.search(words[n % words.length] ?? '') }),
    write: (n: number) => changeTitle(server, ids[n % (ids.length >> 1)] ?? '', n),
  };
  const measure = async (isDone: () => boolean) => {
    const results = Object.entries(kinds).map(async ([kind, next]) => {
      return [kind, summarize(await measureLatencies(server, next, isDone, { pauseMs: 5 }))] as const;
    });
    return new Map(await Promise.all(results));
  };
  const alone = await measure(endIn(durationMs / 2));
  let isUploaded = false;
  const uploading = uploadBodies({ target: server, ids: ids.slice(-10), characters: 10_000_000 }).finally(
    () => {
      isUploaded = true;
    },
  );
  const beside = await measure(() => isUploaded);
  const uploads = summarize(await uploading);
  const delays = [...beside].map(([kind, { max }]) => {
    const { p50 = 0, max: usual = 0 } = alone.get(kind) ?? {};
    return { kind, delay: max - p50, usual: usual - p50 };
  });
  const longest = Math.max(...delays.map(({ delay }) => delay));
  const each = delays.map(
    ({ kind, delay, usual }) => `${kind} ${delay.toFixed(0)} ms (without them ${usual.toFixed(0)} ms)`,
  );
  print(
    '10 MB bodies',
    `delay another request by ${longest.toFixed(0)} ms at most (goal: 100): ${each.join(', ')}; they take ${describe(uploads)}`,
  );
}

async function measureWrites(server: RunningServer): Promise<void> {
  const rate = async (clients: number) => {
    const change = (n: number) => changeTitle(server, ids[n % ids.length] ?? '', n);
    const latencies = await measureLatencies(server, change, endIn(durationMs), { clients });
    return latencies.length / (durationMs / 1000);
  };
  const one = await rate(1);
  const many = await rate(clients);
  print(
    'writes',
    `${(many / one).toFixed(1)} times as many with ${clients} clients (goal: 4): ${many.toFixed(0)}/s, one client ${one.toFixed(0)}/s`,
  );
}

/** The whole list with bodies, three times: time, size, and what memory the server has come to. */
async function measureList(server: RunningServer): Promise<void> {
  const agent = new Agent({ connect: server.ca === null ? {} : { ca: server.ca } });
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    const { body } = await request(server.url + server.paths.list, {
      headers: server.headers,
      dispatcher: agent,
    });
    bytes = 0;
    for await (const piece of body) bytes += piece.length;
    times.push(performance.now() - started);
  }
  await agent.close();
  const [, median = 0] = times.sort((a, b) => a - b);
  print(
    'whole list',
    `${(median / 1000).toFixed(2)} s for ${(bytes / 1e6).toFixed(0)} MB with bodies; memory at most ${server.peakMb().toFixed(0)} MB`,
  );
}

function changeTitle(server: RunningServer, id: string, n: number) {
  return {
    method: 'PATCH',
    path: server.paths.one(id),
    body: JSON.stringify({ title: `Changed ${n}` }),
  } as const;
}

function endIn(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

function describe({ p50, p99, max }: Summary): string {
  return `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${max.toFixed(0)} ms`;
}

function print(name: string, text: string): void {
  console.log(`${name.padEnd(13)} ${text}`);
}

function installTools(): void {
  mkdirSync(tools, { recursive: true });
  const packages = ['autocannon@8', ...(values.others === 'none' ? [] : ['json-server@0.17.4'])];
  const { status } = spawnSync(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', '--prefix', tools, ...packages],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error('the tools could not be installed');
}
