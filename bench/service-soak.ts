import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { startPostgres } from '../test/support/postgres-server.ts';
import { startServe } from './service-contestants.ts';

/**
 * `npm run soak:service -- [--minutes 5] [--kill-every 20] [--writers 4] [--readers 4] [--postgres PROGRAM]`: mixed reads and
 * writes against the embedded service, which is killed with SIGKILL and started again all the time. With the path of
 * `postgres`, the data are in a server that is made for it, and that is killed in turn with the service. Ends with 1 when a write
 * that was acknowledged is lost, or when a 500 is answered.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    'kill-every': { type: 'string', default: '20' },
    writers: { type: 'string', default: '4' },
    readers: { type: 'string', default: '4' },
    postgres: { type: 'string' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-soak') },
  },
});

/** Allowed titles of an article: one if every write was acknowledged, two if one is in progress or was interrupted. */
type Expected = readonly (string | null)[];

const expected = new Map<string, Expected>();
const counts = { writes: 0, reads: 0, kills: 0, cutOff: 0, unavailable: 0, failures: [] as string[] };
const apiKey = 'soak-key-soak-key-soak-key';
process.env.LECTERN_API_KEY = apiKey;
rmSync(values.work, { recursive: true, force: true });
mkdirSync(values.work, { recursive: true });

// Settings that acknowledge writes before they are on disk: the service has to override them.
const settings = '-c synchronous_commit=off -c wal_writer_delay=10s';
const database = values.postgres === undefined ? null : startPostgres(values.postgres, settings);
const data = await database?.createDatabase();
let service = await startServe(values.work, [], 0, data);
const port = Number(new URL(service.baseUrl).port);
const agent = new Agent({ connect: { ca: service.ca }, pipelining: 1 });
const end = Date.now() + Number(values.minutes) * 60_000;
const workers = [
  ...Array.from({ length: Number(values.writers) }, (_, n) => writeOn(n)),
  ...Array.from({ length: Number(values.readers) }, () => readOn()),
];
while (Date.now() < end) {
  await wait(Math.min(Number(values['kill-every']) * 1000, Math.max(0, end - Date.now())));
  counts.kills++;
  if (database !== null && counts.kills % 2 === 0) {
    database.kill();
    await wait(1000);
    database.start();
    continue;
  }
  service.child.kill('SIGKILL');
  await once(service.child, 'exit');
  service = await startServe(values.work, [], port, data);
}
await Promise.all(workers);
for (const id of expected.keys()) await check(id);
await checkSearch();
service.child.kill('SIGTERM');
await once(service.child, 'exit');
await agent.close();
database?.remove();
console.log(
  `${counts.writes} writes and ${counts.reads} reads acknowledged, ${counts.kills} kills, ${counts.cutOff} requests cut off and ${counts.unavailable} answered with 503, ${expected.size} articles checked`,
);
for (const failure of counts.failures.slice(0, 20)) console.error(failure);
console.log(counts.failures.length === 0 ? 'nothing lost, no 500' : `${counts.failures.length} failures`);
process.exitCode = counts.failures.length === 0 ? 0 : 1;

/** Each writer has its own articles, so that it knows their content. */
async function writeOn(writer: number): Promise<void> {
  for (let step = 0; Date.now() < end; step++) {
    const id = `w${writer}${(step % 50).toString().padStart(8, '0')}`;
    const before = expected.get(id) ?? [null];
    const isThere = before.every((title) => title !== null);
    const isDeletion = isThere && step % 7 === 0;
    const title = isDeletion ? null : `writer ${writer} step ${step}`;
    expected.set(id, [...before, title]);
    const answer = await send(
      isDeletion ? 'DELETE' : isThere ? 'PATCH' : 'POST',
      isThere ? `/article/${id}` : '/article',
      {
        title,
        ...(isThere ? {} : { article_id: id }),
        body: `<p>${'text '.repeat(step % 20 === 0 ? 30_000 : 200)}${title}</p>`,
      },
    );
    if (answer === null) continue;
    if (answer.status === 200) {
      expected.set(id, [title]);
      counts.writes++;
    }
    // After an interrupted request, the record may or may not exist.
    else if (answer.status === 404 || answer.status === 409) await check(id);
    else counts.failures.push(`${answer.status} to a write of ${id}: ${answer.text.slice(0, 200)}`);
  }
}

async function readOn(): Promise<void> {
  for (let step = 0; Date.now() < end; step++) {
    const path =
      ['/article?limit=20', '/search?query=writer%20step', '/category', '/stats/article'][step % 4] ??
      '/category';
    const answer = await send('GET', path);
    if (answer === null) continue;
    if (answer.status === 200) counts.reads++;
    else counts.failures.push(`${answer.status} to ${path}: ${answer.text.slice(0, 200)}`);
  }
}

/** Compares one article with its allowed titles; from then on, only the actual one is allowed. */
async function check(id: string): Promise<void> {
  for (;;) {
    const answer = await send('GET', `/article/${id}`);
    if (answer === null) continue;
    const title: string | null = answer.status === 404 ? null : JSON.parse(answer.text).article.title;
    const allowed = expected.get(id) ?? [];
    if (!allowed.includes(title)) counts.failures.push(`${id} holds ${title}, not ${allowed.join(' or ')}`);
    expected.set(id, [title]);
    return;
  }
}

/** Checks that the search index matches the records. */
async function checkSearch(): Promise<void> {
  const live = [...expected.values()].filter(([title]) => title !== null).length;
  const answer = await send('GET', '/search?query=writer&include_draft=true&limit=1');
  const { totalHits } = JSON.parse(answer?.text ?? '{}');
  if (totalHits !== live) counts.failures.push(`the search index knows ${totalHits} of ${live} articles`);
}

/** `null` if the connection broke or the database was down: then the result of the request is unknown. */
async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
  try {
    const { statusCode, body: answer } = await request(service.baseUrl + path, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: body === undefined || method === 'DELETE' ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    if (database === null || statusCode !== 503) return { status: statusCode, text };
    counts.unavailable++;
  } catch {
    counts.cutOff++;
  }
  await wait(20);
  return null;
}
