import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { backUp } from '../../src/service/backup.ts';
import { createKey } from '../../src/service/keys.ts';
import { withConnection } from '../../src/service/store/postgres/postgres-database.ts';
import { runLectern } from '../support/lectern.ts';
import { canMount, mountDisk, unmountDisk } from '../support/mounted-disk.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';
import { type Answer, callService, startTestService } from './support/service.ts';

describeWith('postgres', 'a fault of PostgreSQL', (program) => {
  let server: PostgresServer;
  beforeAll(() => {
    server = startPostgres(program, '-c fsync=off -c max_connections=12');
  });
  afterAll(() => server.remove());

  /** A service on a database, and a connection of a colleague to the same. */
  async function start(settings?: { readonly url: string }) {
    const url = settings?.url ?? (await server.createDatabase());
    const log: string[] = [];
    const service = await startTestService({ data: url, logTo: { write: (line) => void log.push(line) } });
    const other = await connect(url);
    const root = { ...service, baseUrl: new URL(service.baseUrl).origin };
    return {
      url,
      other,
      call: service.call,
      ready: async () => (await callService(root, '/readyz', { key: null })).status,
      create: (title: string, body = '') =>
        service.call('/article', { method: 'POST', body: { title, body } }),
      titles: async () => {
        const { articles } = (await service.call('/article')).json;
        return articles.map((article: { title: string }) => article.title);
      },
      /** Ends the connections of the service, as a restart of PostgreSQL does. It may notice at its next request. */
      disconnect: () =>
        other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofService}`),
      log: () => log.join(''),
    };
  }

  const ofService = "datname = current_database() AND application_name = 'lectern'";

  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  /** Sets a default of new connections. */
  const configure = (other: pg.Client, url: string, setting: string) =>
    other.query(`ALTER DATABASE ${new URL(url.replace(':///', '://x/')).pathname.slice(1)} SET ${setting}`);

  const seen = ({ status, headers, json }: Answer) => [status, headers['retry-after'], json.error.code];

  it('is answered with 503 if it cancels a statement that takes too long (57014), and nothing is written', async () => {
    const { url, other, create, titles, call, log } = await start();
    // Inside its transaction, a connection sees those of others as they were when it first asked.
    const observer = await connect(url);
    for (const request of [() => create('Late'), () => call('/article?tag=x')]) {
      await other.query('BEGIN; LOCK TABLE article');
      let isDone = false;
      const answer = request().finally(() => {
        isDone = true;
      });
      // As `statement_timeout` does.
      while (!isDone) {
        await observer.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${ofService} AND wait_event_type = 'Lock'`,
        );
      }
      await other.query('ROLLBACK');
      expect(seen(await answer)).toEqual([503, '1', 'busy']);
    }
    expect(log()).toContain('"code":"57014"');
    expect(await titles()).toEqual([]);
    expect((await create('In time')).status).toBe(200);
  });

  it('is answered with 503 if it ends the connection in the middle of a write (57P01), and nothing is written', async () => {
    const { url, other, create, titles, disconnect, log } = await start();
    await create('Before');
    const observer = await connect(url);
    await other.query('BEGIN; LOCK TABLE article_version');
    const answer = create('Cut off');
    const waiting = `SELECT FROM pg_stat_activity WHERE ${ofService} AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO article_version%'`;
    await expect.poll(async () => (await observer.query(waiting)).rowCount).toBe(1);
    await disconnect();
    expect(seen(await answer)).toEqual([503, '1', 'database_unavailable']);
    await other.query('ROLLBACK');
    expect(log()).toContain('57P01');
    await expect.poll(titles).toEqual(['Before']);
    await expect.poll(async () => (await create('After')).status).toBe(200);
  });

  it('is answered with 503 if it has no more connections (53300), and with 200 when it has', async () => {
    const { url, other, create, titles, ready, disconnect, log } = await start();
    const clients: pg.Client[] = [];
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
    const takeAll = async () => {
      for (;;) {
        const client = new pg.Client(url);
        client.on('error', () => {});
        const error = await client.connect().then(
          () => null,
          (reason: pg.DatabaseError) => reason.code,
        );
        if (error !== null) return expect(error).toBe('53300');
        clients.push(client);
      }
    };
    const hasConnection = async () =>
      (await other.query(`SELECT FROM pg_stat_activity WHERE ${ofService}`)).rowCount !== 0;
    do {
      do await disconnect();
      while (await hasConnection());
      await takeAll();
    } while (await hasConnection());
    expect(clients.length).toBeGreaterThan(5);
    const fails = async () => [...seen(await create('Too many')), log().includes('"code":"53300"')];
    await expect.poll(fails).toEqual([503, '1', 'database_unavailable', true]);
    expect(await ready()).toBe(503);
    for (const client of clients.splice(0)) await client.end();
    await expect.poll(ready).toBe(200);
    expect((await create('Enough')).status).toBe(200);
    expect(await titles()).toEqual(['Enough']);
  });

  it('is answered with 503 if its tables are missing (42P01)', async () => {
    const { other, call, create } = await start();
    await other.query('ALTER TABLE article RENAME TO away');
    for (const answer of [await create('New'), await call('/article')]) {
      expect([answer.status, answer.json.error.code]).toEqual([503, 'database_unavailable']);
    }
  });

  it('is answered with 503 only for writes if it is read-only (25006), and nothing is written', async () => {
    const { url, other, create, titles, call, disconnect, log } = await start();
    await create('Before');
    const setReadOnly = async (value: 'on' | 'off') => {
      await other.query('SET default_transaction_read_only = off');
      await configure(other, url, `default_transaction_read_only = ${value}`);
      await disconnect();
    };
    await setReadOnly('on');
    await expect.poll(titles).toEqual(['Before']);
    expect((await call('/search?query=before&include_draft=true')).json.totalHits).toBe(1);
    const fails = async () => [...seen(await create('Refused')), log().includes('"code":"25006"')];
    await expect.poll(fails).toEqual([503, '1', 'database_unavailable', true]);
    await setReadOnly('off');
    await expect.poll(async () => (await create('After')).status).toBe(200);
    expect(await titles()).toEqual(['Before', 'After']);
  });

  it.each(['25P03', '25P04'])(
    'is answered with 503 if a time limit of the server ends the transaction (%s)',
    async (code) => {
      const { other, create, titles } = await start();
      await other.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'timeout' USING ERRCODE = '${code}'; END $$`,
      );
      await other.query('CREATE TRIGGER refuse BEFORE INSERT ON article EXECUTE FUNCTION refuse()');
      expect(seen(await create('Late'))).toEqual([503, '1', 'database_unavailable']);
      await other.query('DROP TRIGGER refuse ON article');
      expect((await create('In time')).status).toBe(200);
      expect(await titles()).toEqual(['In time']);
    },
  );

  it('is a clear error of lectern service keys create if the database is read-only', async () => {
    const { url, other } = await start();
    await configure(other, url, 'default_transaction_read_only = on');
    await expect(createKey(url, 'writer', 'write')).rejects.toMatchObject({
      code: 'DATA_UNUSABLE',
      message: expect.stringMatching(/cannot be used: cannot execute INSERT in a read-only transaction$/),
    });
  });

  it('is not a backup that takes longer than the time limits of the database', async () => {
    const { url, other, create } = await start();
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    for (const name of limits) await configure(other, url, `${name} = '10min'`);
    const sql = `SELECT ${limits.map((name) => `current_setting('${name}') AS ${name}`)}`;
    expect(await withConnection(url, 'BEGIN', (queries) => queries.row(sql))).toEqual(
      Object.fromEntries(limits.map((name) => [name, '0'])),
    );
    for (const title of ['One', 'Two']) await create(title);
    await configure(other, url, "idle_in_transaction_session_timeout = '1ms'");
    const copy = join(temporaryFolder(), 'copy.sqlite');
    expect(await backUp(url, copy)).toMatchObject({ articles: 2 });
  });

  it('is a clear error of a backup whose connection it ends, and nothing is left of the copy', async () => {
    const { url, other, create } = await start();
    await create('Title');
    await other.query('BEGIN; LOCK TABLE category');
    const folder = temporaryFolder();
    const failed = expect(backUp(url, join(folder, 'copy.sqlite'))).rejects.toMatchObject({
      code: 'PATH_UNUSABLE',
      message: expect.stringMatching(
        /^postgres:\S+ cannot be copied to \S+\/copy\.sqlite: terminating connection/,
      ),
    });
    const observer = await connect(url);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofService} AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await observer.query(end)).rowCount).toBe(1);
    await failed;
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(!canMount)(
    `is not reported if the disk of a backup is full${canMount ? '' : ' (needs root)'}`,
    async () => {
      const { url, create } = await start();
      await create('Title', 'word '.repeat(400_000));
      const disk = join(temporaryFolder(), 'disk');
      mkdirSync(disk);
      mountDisk(disk, 'size=1m');
      onTestFinished(() => unmountDisk(disk));
      const args = ['service', 'backup', 'copy.sqlite', '--data', url];
      const { code, stdout, stderr } = await runLectern(args, { cwd: disk });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^error PATH_UNUSABLE: postgres:\S+ cannot be copied to \S+\/copy\.sqlite: database or disk is full\nhint: .*\n$/,
      );
      expect(readdirSync(disk)).toEqual([]);
    },
  );

  it.skipIf(!canMount)(
    `is answered with 507 if its disk is full (53100), and with 200 when there is room${canMount ? '' : ' (needs root)'}`,
    async () => {
      const disk = join(temporaryFolder(), 'disk');
      mkdirSync(disk);
      mountDisk(disk, 'size=16m');
      onTestFinished(() => unmountDisk(disk));
      const maintenance = await server.createDatabase();
      const socketFolder = new URL(maintenance.replace(':///', '://x/')).searchParams.get('host') ?? '';
      const { uid, gid } = statSync(join(socketFolder, 'data'));
      chownSync(disk, uid, gid);
      const folder = join(disk, 'space');
      mkdirSync(folder);
      chownSync(folder, uid, gid);
      for (let parent = dirname(disk); parent.includes('lectern-test-'); parent = dirname(parent)) {
        chownSync(parent, uid, gid);
      }
      server.query(maintenance, `CREATE TABLESPACE small LOCATION '${folder}'`);
      server.query(maintenance, 'CREATE DATABASE full_disk TABLESPACE small');
      const url = maintenance.replace(/\/kb\d+/, '/full_disk');
      const { create, titles, call, log } = await start({ url });
      // Random text, which PostgreSQL cannot compress.
      const text = () => randomBytes(150_000).toString('hex').replaceAll(/.{16}/g, '$& ');
      const written: string[] = [];
      let answer: Answer;
      for (;;) {
        answer = await create(`Title ${written.length}`, text());
        if (answer.status !== 200) break;
        written.push(`Title ${written.length}`);
      }
      expect(seen(answer)).toEqual([507, undefined, 'storage_full']);
      expect(log()).toContain('"code":"53100"');
      expect(await titles()).toEqual(written);
      mountDisk(disk, 'remount,size=64m');
      expect((await create('Room', text())).status).toBe(200);
      expect(await titles()).toEqual([...written, 'Room']);
      expect((await call('/search?query=room&include_draft=true')).json.articles).toHaveLength(1);
      await server.query(maintenance, 'DROP DATABASE full_disk WITH (FORCE)');
      await server.query(maintenance, 'DROP TABLESPACE small');
    },
  );
});
