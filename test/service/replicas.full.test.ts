import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startLectern } from '../support/lectern.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';
import { startProxy } from './support/proxy.ts';
import { type Answer, type Call, callService } from './support/service.ts';

const apiKey = 'replica-key-of-the-test';

interface Replica {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly ca: string;
  readonly apiKey: string;
}

/** `lectern serve` in a separate process, optionally on the port of a previous one. */
async function startReplica(data: string, cwd: string, port = 0): Promise<Replica> {
  const child = startLectern(['serve', '--port', String(port), '--json', '--quiet'], {
    cwd,
    env: { LECTERN_DATA: data, LECTERN_API_KEY: apiKey },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { baseUrl, ca } = JSON.parse(line);
    return { child, baseUrl, ca: readFileSync(ca, 'utf8'), apiKey };
  }
  throw new Error(`the service ended before it listened: ${errors}`);
}

/** The answer, or `null` when the connection broke. */
function attempt(replica: Omit<Replica, 'child'>, path: string, call: Call = {}): Promise<Answer | null> {
  return callService(replica, path, call).catch(() => null);
}

describeWith('postgres', 'replicas on one database', (program) => {
  let server: PostgresServer;
  beforeAll(() => {
    // The service has to wait for the disk even if the server is set to respond earlier.
    server = startPostgres(program, '-c fsync=on -c synchronous_commit=off -c wal_writer_delay=10s');
  });
  afterAll(() => server.remove());

  it('lose no acknowledged write when one of them or the database is killed', async () => {
    const url = await server.createDatabase();
    const cwd = temporaryFolder();
    const replicas = await Promise.all([startReplica(url, cwd), startReplica(url, temporaryFolder())]);
    const acknowledged = new Map<string, string>();
    const sent = new Map<string, string>();
    const failures: string[] = [];
    let isDone = false;
    const answers = { ok: 0, unavailable: 0, broken: 0 };
    const write = async (writer: number) => {
      for (let step = 0; !isDone; step += 1) {
        const replica = replicas[step % 2] as Replica;
        const id = `w${writer}${String(step >> 1).padStart(8, '0')}`;
        const isNew = !acknowledged.has(id);
        const title = `${writer} ${step}`;
        sent.set(id, title);
        const answer = await attempt(replica, isNew ? '/article' : `/article/${id}`, {
          method: isNew ? 'POST' : 'PATCH',
          body: { title, ...(isNew ? { article_id: id } : {}) },
        });
        if (answer === null) answers.broken += 1;
        else if (answer.status === 503) answers.unavailable += 1;
        // A new record that was cut off may be there already.
        else if (answer.status === 200) {
          answers.ok += 1;
          acknowledged.set(id, title);
        } else if (answer.status !== 409) failures.push(`${answer.status} ${answer.text}`);
      }
    };
    const writing = Promise.all([1, 2, 3, 4].map(write));
    const more = async (count: number) => {
      const goal = answers.ok + count;
      await expect
        .poll(() => ({ failures, isEnough: answers.ok > goal }), { timeout: 60_000 })
        .toEqual({ failures: [], isEnough: true });
    };
    for (const round of [0, 1, 0]) {
      await more(40);
      const { child, baseUrl } = replicas[round] as Replica;
      child.kill('SIGKILL');
      await once(child, 'exit');
      replicas[round] = await startReplica(url, cwd, Number(new URL(baseUrl).port));
      await more(40);
      server.kill();
      server.start();
    }
    await more(40);
    isDone = true;
    await writing;
    const { articles } = (await callService(replicas[1] as Replica, '/article')).json;
    const stored = new Map<string, string>(
      articles.map((article: { article_id: string; title: string }) => [article.article_id, article.title]),
    );
    // An update that was cut off may have been done.
    const lost = [...acknowledged].filter(([id, title]) => ![title, sent.get(id)].includes(stored.get(id)));
    expect(lost).toEqual([]);
    expect(answers.ok).toBeGreaterThan(280);
    expect(answers.broken + answers.unavailable).toBeGreaterThan(0);
  });

  /** Replicas on a new database, and the proxy in front of them. */
  async function startBehind(program: string) {
    const url = await server.createDatabase();
    const folder = temporaryFolder();
    const replicas = await Promise.all([startReplica(url, folder), startReplica(url, temporaryFolder())]);
    const baseUrl = await startProxy({
      program,
      folder,
      services: [replicas[0].baseUrl, replicas[1].baseUrl],
      ca: replicas.map(({ ca }) => ca).join(''),
      certFile: join(folder, 'lectern-tls/cert.pem'),
      keyFile: join(folder, 'lectern-tls/key.pem'),
    });
    return { replicas, all: { baseUrl, ca: replicas[0].ca, apiKey } };
  }

  /** Checks that replicas answer as one behind a proxy that is starting, also when one of them is gone. */
  async function checkAsOne({ replicas, all }: Awaited<ReturnType<typeof startBehind>>): Promise<void> {
    await expect.poll(async () => (await attempt(all, '/category'))?.status).toBe(200);
    for (let n = 0; n < 20; n += 1) {
      const made = await callService(all, '/article', { method: 'POST', body: { title: `Title ${n}` } });
      const path = `/article/${made.json.article.article_id}`;
      for (const replica of replicas) {
        const read = await callService(replica, path);
        expect([read.text, read.headers.etag]).toEqual([made.text, made.headers.etag]);
      }
      const headers = { 'if-match': String(made.headers.etag) };
      const race = await Promise.all(
        [0, 1, 2, 3].map((edit) =>
          callService(replicas[edit % 2] as Replica, path, {
            method: 'PATCH',
            headers,
            body: { title: `Edit ${edit}` },
          }),
        ),
      );
      expect(race.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
      const winner = race.find(({ status }) => status === 200);
      expect((await callService(all, path)).text).toBe(winner?.text);
    }
    const lists = await Promise.all(replicas.map((replica) => callService(replica, '/article')));
    expect(lists[0]?.headers.etag).toBe(lists[1]?.headers.etag);
    expect(lists[0]?.json.articles).toHaveLength(20);

    replicas[0]?.child.kill('SIGKILL');
    for (let n = 0; n < 10; n += 1) expect((await callService(all, '/article')).status).toBe(200);
  }

  describeWith('nginx', 'behind nginx, as the documentation says', (nginx) => {
    it('answer as one: writes are seen by both, and one of two racing edits wins', async () => {
      await checkAsOne(await startBehind(nginx));
    });
  });
});
