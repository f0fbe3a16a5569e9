import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { startPostgres } from '../test/support/postgres-server.ts';
import { makeArticles } from './service-articles.ts';
import { type RunningServer, startJsonServer, startLectern } from './service-contestants.ts';
import { measureLatencies, measureRate, type Summary, summarize, uploadBodies } from './service-load.ts';

/**
 * `npm run bench:service -- [--articles 10000] [--seconds 10] [--connections 10] [--others none] [--postgres PROGRAM]`: whether the
 * embedded service is slow for one client because of another. Prints a line per goal; the first is measured beside json-server (fetched from npm into the
 * temporary folder) on the same machine, both over HTTPS. With the path of PostgreSQL's `postgres`, all is measured with a database after SQLite.
 */
const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '10' },
    others: { type: 'string', default: 'json-server' },
    postgres: { type: 'string' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench-service') },
  },
});

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

console.log(`${articles.length} articles, ${clients} clients, ${values.seconds} s each`);
const others = await measureStore('SQLite', join(folder, 'kb.sqlite'), null);
if (values.postgres !== undefined) {
  const database = startPostgres(values.postgres, '');
  try {
    await measureStore('PostgreSQL', await database.createDatabase(), others);
  } finally {
    database.remove();
  }
}

/** Reads and searches per second. */
interface Rates {
  readonly reads: number;
  readonly searches: number;
}

/** @returns the rates of json-server, measured unless known */
async function measureStore(store: string, data: string, known: Rates | null): Promise<Rates | null> {
  console.log(store);
  const lectern = await startLectern(folder, data);
  try {
    const rates = await measureRates(lectern);
    const other = known ?? (await measureOther());
    if (other !== null) {
      print(
        'reads',
        `${(rates.reads / other.reads).toFixed(1)} times those of json-server (goal: 3): ${rates.reads.toFixed(0)}/s and ${other.reads.toFixed(0)}/s; searches ${rates.searches.toFixed(0)}/s and ${other.searches.toFixed(0)}/s`,
      );
    }
    await measureNeighbours(lectern);
    await measureLongBodies(lectern);
    await measureWrites(lectern);
    await measureList(lectern);
    return other;
  } finally {
    await lectern.stop();
  }
}

async function measureRates(server: RunningServer): Promise<Rates> {
  const { paths } = server;
  const measure = async (name: string, asked: readonly string[]) => {
    const before = server.cpuMs();
    const { perSecond, generatorUs } = await measureRate(server, asked, clients, durationMs);
    const serverUs = ((server.cpuMs() - before) / (perSecond * (durationMs / 1000))) * 1000;
    print(
      name,
      `${perSecond.toFixed(0)}/s by ${server.name}; CPU of one: ${serverUs.toFixed(0)} µs, of asking ${generatorUs.toFixed(0)} µs`,
    );
    return perSecond;
  };
  // The first round fills caches and warms up the JIT compiler.
  const one = ids.map((id) => paths.one(id));
  await measureRate(server, one, clients, durationMs / 2);
  return {
    reads: await measure('reads', one),
    searches: await measure(
      'searches',
      words.map((word) => paths.search(word)),
    ),
  };
}

async function measureOther(): Promise<Rates | null> {
  if (values.others === 'none') return null;
  const other = await startJsonServer(folder, tools);
  try {
    return await measureRates(other);
  } finally {
    await other.stop();
  }
}

/** One reading client besides five that search for 16 words each; then ten searching clients. */
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

/** Clients that read, search and write, while another one writes bodies of 2 MB. */
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
  const uploading = uploadBodies({ target: server, ids: ids.slice(-10), characters: 2_000_000 }).finally(
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
    '2 MB bodies',
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

/** The whole list with bodies, three times: time, size and memory of the server. */
async function measureList(server: RunningServer): Promise<void> {
  const agent = new Agent({ connect: { ca: server.ca } });
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
  if (values.others === 'none') return;
  const { status } = spawnSync(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', '--prefix', tools, 'json-server@0.17.4'],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error('the tools could not be installed');
}
