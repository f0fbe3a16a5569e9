import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { makeArticles } from './service-articles.ts';
import { type RunningServer, startJsonServer, startLectern } from './service-contestants.ts';

/**
 * `npm run bench:service -- [--articles 10000] [--seconds 10] [--connections 10] [--others none]`: the embedded service
 * under load next to json-server, turn by turn on the same machine, with the load generator autocannon (both fetched
 * from npm into the temporary folder). Prints requests per second and latencies per kind of request.
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
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly non2xx: number;
  readonly errors: number;
}
type Load = (options: Record<string, unknown>) => Promise<LoadResult>;

const folder = resolve(values.work);
const tools = resolve(tmpdir(), 'lectern-bench-tools');
const { articles, words } = makeArticles(Number(values.articles));
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
const ids = articles.map(({ article_id }) => article_id);

const contestants = [
  () => startLectern(folder),
  ...(values.others === 'none' ? [] : [() => startJsonServer(folder, tools)]),
];
console.log(`${articles.length} articles, ${values.connections} connections, ${values.seconds} s each`);
for (const start of contestants) {
  const server = await start();
  try {
    await measure(server);
  } finally {
    await server.stop();
  }
}

async function measure(server: RunningServer): Promise<void> {
  const { paths } = server;
  console.log(`\n${server.name}, ${server.peakMb().toFixed(0)} MB when started`);
  await run(
    server,
    'read one article',
    ids.map((id) => ({ path: paths.one(id) })),
  );
  await run(
    server,
    'search',
    words.map((word) => ({ path: paths.search(word) })),
  );
  await run(
    server,
    'search, one client',
    words.map((word) => ({ path: paths.search(word) })),
    1,
  );
  const body = (n: number) => JSON.stringify({ title: `Changed ${n}` });
  await run(
    server,
    'change one title',
    ids.map((id, n) => ({ method: 'PATCH', path: paths.one(id), body: body(n) })),
  );
  await measureList(server);
}

async function run(
  server: RunningServer,
  name: string,
  requests: readonly { readonly path: string; readonly method?: string; readonly body?: string }[],
  connections = Number(values.connections),
): Promise<void> {
  const { pathname } = new URL(server.url);
  const cpuBefore = server.cpuMs();
  const {
    requests: rate,
    latency,
    non2xx,
    errors,
  } = await load({
    url: server.url,
    connections,
    duration: Number(values.seconds),
    headers: server.headers,
    tlsOptions: server.ca === null ? {} : { ca: server.ca },
    requests: requests.map((item) => ({ ...item, path: (pathname === '/' ? '' : pathname) + item.path })),
  });
  const cpuMs = (server.cpuMs() - cpuBefore) / rate.total;
  const failed = non2xx + errors > 0 ? `   ${non2xx + errors} failed` : '';
  console.log(
    `  ${name.padEnd(20)} ${rate.average.toFixed(0).padStart(7)}/s   p50 ${latency.p50} ms   p99 ${latency.p99} ms   max ${latency.max.toFixed(0)} ms   ${cpuMs.toFixed(3)} ms of processor each${failed}`,
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
  console.log(
    `  ${'list with bodies'.padEnd(20)} ${(median / 1000).toFixed(2)} s for ${(bytes / 1e6).toFixed(0)} MB   largest memory of all ${server.peakMb().toFixed(0)} MB`,
  );
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
